#pragma once

#include "holdfast/domains/taskgraph/strategies/capped_lpa.hpp"

namespace holdfast::taskgraph {

/// The options beside those of capped-lpa.
struct WideLpaOptions {
  CappedLpaOptions base = {};
  double phi = 0.08;   ///< share of the machine to which an allocation is widened; in (0, 1]
  double gamma = 0.5;  ///< area to spend for it, as a share of P times the lower bound; >= 0
};

/// capped-lpa, but an allocation is widened to the share phi of the machine while there is a budget of area for it. What it
/// takes beyond alpha times the least area of its task is spent; no more than gamma times what the machine could do within the
/// lower bound of the tasks known so far is ever spent. Where the area of these is clearly more than their longest path, an allocation is
/// instead narrowed to the fewest processors within beta times the least time. The README has the proof of its ratio.
class WideLpa final : public ListStrategy {
 public:
  /// Makes the strategy. Refuses what CappedLpa::make refuses.
  [[nodiscard]] static Result<WideLpa> make(const Instance& instance,
                                            const WideLpaOptions& options);

  [[nodiscard]] std::int64_t allocate(const Arrival& arrival) const override;
  [[nodiscard]] bool decides_at_arrivals() const override { return true; }
  [[nodiscard]] double extra_area(const Arrival& arrival, std::int64_t processors) const override;
  [[nodiscard]] std::optional<double> proven_ratio() const override { return proven_ratio_; }

  [[nodiscard]] const CappedLpa& base() const { return base_; }

 private:
  WideLpa(const Instance& instance, CappedLpa base, const WideLpaOptions& options);

  struct Choice {
    std::int64_t narrow, wide;  ///< processors; equal if the task cannot be widened
    std::int64_t slim;  ///< fewest that are within beta times the least time; at most `narrow`
    double extra;       ///< area of `wide` beyond alpha times the least, processor-seconds
  };

  CappedLpa base_;
  std::vector<Choice> choices_;  ///< [n]
  double budget_;                ///< area to spend for each second of the lower bound
  std::optional<double> proven_ratio_;
};

}  // namespace holdfast::taskgraph
