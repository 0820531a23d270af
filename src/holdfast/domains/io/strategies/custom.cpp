#include "holdfast/contract/rule_run.hpp"
#include "holdfast/domains/io/decision.hpp"
#include "holdfast/domains/io/strategies/makers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace holdfast::io {
namespace {

constexpr auto kTold = std::to_array<DecisionField>({
    {.name = "application", .summary = "whose it is: its number in the document, from 0"},
    {.name = "bandwidth", .summary = "what it can use at most", .unit = Unit::bytes_per_second},
    {.name = "remaining", .summary = "what is left of it", .unit = Unit::bytes},
    {.name = "progress",
     .summary = "of its application since its release, as if it had been alone",
     .unit = Unit::seconds},
    {.name = "age", .summary = "of its application since its release", .unit = Unit::seconds},
    {.name = "posted", .summary = "when it began to wait", .unit = Unit::seconds},
    {.name = "now", .summary = "the date", .unit = Unit::seconds, .per_item = false},
    {.name = "bandwidth_total",
     .summary = "of the file system",
     .unit = Unit::bytes_per_second,
     .per_item = false},
    {.name = "left", .summary = "until the window ends", .unit = Unit::seconds, .per_item = false},
});
constexpr std::size_t kPerItem = 6;
constexpr auto kAsked = std::to_array<DecisionField>({
    {.name = "rates",
     .summary =
         "until the next event: each at most its bandwidth, together at most bandwidth_total",
     .unit = Unit::bytes_per_second},
});
constexpr DecisionTable kDecision{.name = "share",
                                  .when = "whenever something ends",
                                  .items = "operations that have not ended, in order of posting",
                                  .told = kTold,
                                  .asked = kAsked};
// Ten tenths are no more than one.
constexpr double kShareRounding = 1 + 1e-12;

class Custom final : public RuleStrategy<Strategy> {
 public:
  using RuleStrategy::RuleStrategy;

  void share(const Situation& situation, std::span<double> rates) override {
    if (!ask(situation) || !is_possible(situation)) {
      std::ranges::fill(rates, 0.0);  // nothing moves any more, and the window soon ends
      return;
    }
    for (std::size_t i = 0; i < rates.size(); ++i) rates[i] = run_.answer()[i] + 0.0;  // no -0
  }

 protected:
  [[nodiscard]] bool fills_up() const override { return false; }

 private:
  bool ask(const Situation& situation) {
    const std::span<const Pending> requests = situation.requests;
    std::array<std::span<const double>, kPerItem> views;
    for (std::size_t field = 0; field < kPerItem; ++field) {
      columns_[field].resize(requests.size());
      views[field] = columns_[field];
    }
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const Pending& request = requests[i];
      columns_[0][i] = request.application;
      columns_[1][i] = request.bandwidth;
      columns_[2][i] = request.remaining;
      columns_[3][i] = request.progress;
      columns_[4][i] = request.age;
      columns_[5][i] = request.posted;
    }
    const auto once = std::to_array({situation.now, situation.bandwidth, situation.left});
    return run_.ask({.items = requests.size(), .scalars = once, .columns = views});
  }

  bool is_possible(const Situation& situation) {
    double sum = 0;
    for (std::size_t i = 0; i < situation.requests.size(); ++i) {
      if (!run_.is_in(between(0, situation.requests[i].bandwidth), i)) return false;
      sum += run_.answer()[i];
    }
    if (sum <= situation.bandwidth * kShareRounding) return true;
    run_.refuse(0, fmt::format("found a sum of {}, expected at most {}", sum, situation.bandwidth));
    return false;
  }

  std::array<std::vector<double>, kPerItem> columns_;
};

}  // namespace

const DecisionTable& decision() {
  return kDecision;
}

std::unique_ptr<Strategy> make_custom(const Setting& setting) {
  return std::make_unique<Custom>(setting.spec, kDecision);
}

}  // namespace holdfast::io
