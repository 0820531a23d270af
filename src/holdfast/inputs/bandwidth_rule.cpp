#include "holdfast/inputs/bandwidth_rule.hpp"

#include "holdfast/contract/rule_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace holdfast {
namespace {

using bandwidth::Pending;
using bandwidth::Situation;

// Ten tenths must not count as more than one.
constexpr double kShareRounding = 1 + 1e-12;

class BandwidthRule final : public RuleStrategy<bandwidth::Strategy> {
 public:
  BandwidthRule(const StrategySpec& spec, const DecisionTable& table,
                std::span<const OfPending> per_item)
      : RuleStrategy(spec, table),
        per_item_{per_item},
        columns_(per_item.size()),
        views_(per_item.size()) {}

  void share(const Situation& situation, std::span<double> rates) override {
    if (!ask(situation) || !is_possible(situation)) {
      std::ranges::fill(rates, 0.0);  // nothing is transferred any more, and the window ends soon
      return;
    }
    for (std::size_t i = 0; i < rates.size(); ++i) rates[i] = run_.answer()[i] + 0.0;  // no -0
  }

 protected:
  [[nodiscard]] bool fills_up() const override { return false; }

 private:
  bool ask(const Situation& situation) {
    const std::span<const Pending> requests = situation.requests;
    for (std::size_t field = 0; field < per_item_.size(); ++field) {
      columns_[field].resize(requests.size());
      std::ranges::transform(requests, columns_[field].begin(), per_item_[field]);
      views_[field] = columns_[field];
    }
    const auto once = std::to_array({situation.now, situation.bandwidth, situation.left});
    return run_.ask({.items = requests.size(), .scalars = once, .columns = views_});
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

  std::span<const OfPending> per_item_;
  std::vector<std::vector<double>> columns_;
  std::vector<std::span<const double>> views_;
};

}  // namespace

std::unique_ptr<bandwidth::Strategy> make_bandwidth_rule(const StrategySpec& spec,
                                                         const DecisionTable& table,
                                                         std::span<const OfPending> per_item) {
  return std::make_unique<BandwidthRule>(spec, table, per_item);
}

}  // namespace holdfast
