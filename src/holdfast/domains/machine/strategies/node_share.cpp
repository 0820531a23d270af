#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/machine/strategy.hpp"

#include <algorithm>
#include <vector>

namespace holdfast::machine {
namespace {

// All operations at once, each in proportion to its job's nodes but with no more than it can use: operations that can use less
// than their part get what they can use, and the others share the rest (progressive filling).
class NodeShare final : public bandwidth::Strategy {
 public:
  [[nodiscard]] bool uses_history() const override { return false; }
  void share(const bandwidth::Situation& situation, std::span<double> rates) override {
    const auto& requests = situation.requests;
    double left = situation.bandwidth, nodes = 0;
    for (const bandwidth::Pending& request : requests) nodes += request.nodes;
    is_full_.assign(requests.size(), false);
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      const double part = left / nodes;  // part of one node, before this round
      for (std::size_t i = 0; i < requests.size(); ++i) {
        if (is_full_[i] || requests[i].bandwidth > part * requests[i].nodes) continue;
        is_full_[i] = true;
        has_changed = true;
        rates[i] = requests[i].bandwidth;
        left -= rates[i];
        nodes -= requests[i].nodes;
      }
    }
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (!is_full_[i]) rates[i] = left / nodes * requests[i].nodes;
    }
  }

 private:
  std::vector<bool> is_full_;
};

}  // namespace

std::unique_ptr<bandwidth::Strategy> make_node_share(const StrategySpec&) {
  return std::make_unique<NodeShare>();
}

}  // namespace holdfast::machine
