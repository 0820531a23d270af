#include "holdfast/algorithms/bandwidth/greedy.hpp"
#include "holdfast/algorithms/bandwidth/strategies.hpp"
#include "holdfast/base/elementary.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace holdfast::bandwidth {

int set_number(double seconds) {
  return static_cast<int>(std::floor(elementary::log10(seconds) + 0.5));
}

namespace {

// Sets by power of ten of the iteration time share the bandwidth in inverse proportion to it; inside a set the order is first
// come, first served. Sets that can have all that they ask for get it, and the others share the rest.
class Set10 final : public Strategy {
 public:
  void share(const Situation& situation, std::span<double> rates) override {
    make_groups(situation);
    std::fill(rates.begin(), rates.end(), 0.0);
    double left = situation.bandwidth;
    while (satisfy(situation, rates, left)) {
    }
    double sum = 0;
    for (const Group& group : groups_) sum += group.priority;
    for (const Group& group : groups_) {
      BandwidthBudget share(group.priority / sum * left);
      for (const std::uint32_t i : group.members) {
        rates[i] = share.give(situation.requests[i].bandwidth);
      }
    }
  }

  [[nodiscard]] bool uses_sets() const override { return true; }

 private:
  struct Group {
    int set = 0;
    double priority = 0;
    double asked = 0;
    std::vector<std::uint32_t> members;  // in order of posting
  };

  void make_groups(const Situation& situation) {
    for (Group& group : groups_) spare_.push_back(std::move(group.members));
    groups_.clear();
    double largest = 1;
    for (std::uint32_t i = 0; i < situation.requests.size(); ++i) {
      const Pending& request = situation.requests[i];
      auto group = std::find_if(groups_.begin(), groups_.end(),
                                [&](const Group& g) { return g.set == request.set; });
      if (group == groups_.end()) {
        groups_.push_back({request.set, 0, 0, spare()});
        group = groups_.end() - 1;
        if (request.set != Pending::kUnknownSet) {
          group->priority = elementary::pow(10.0, -request.set);
          largest = std::max(largest, group->priority);
        }
      }
      group->asked += request.bandwidth;
      group->members.push_back(i);
    }
    for (Group& group : groups_) {
      if (group.set == Pending::kUnknownSet) group.priority = largest;
    }
  }

  std::vector<std::uint32_t> spare() {
    if (spare_.empty()) return {};
    std::vector<std::uint32_t> members = std::move(spare_.back());
    spare_.pop_back();
    members.clear();
    return members;
  }

  // Makes one round: every set whose share covers what it asks for is served and removed. Returns true if there was one and
  // others remain.
  bool satisfy(const Situation& situation, std::span<double> rates, double& left) {
    double sum = 0;
    for (const Group& group : groups_) sum += group.priority;
    const double before = left;
    const auto is_satisfied = [&](const Group& group) {
      return group.asked <= group.priority / sum * before;
    };
    bool any = false;
    for (Group& group : groups_) {
      if (!is_satisfied(group)) continue;
      any = true;
      for (const std::uint32_t i : group.members) rates[i] = situation.requests[i].bandwidth;
      left -= group.asked;
      group.priority = 0;  // to be removed
      spare_.push_back(std::move(group.members));
    }
    std::erase_if(groups_, [](const Group& group) { return group.priority == 0; });
    return any && !groups_.empty();
  }

  std::vector<Group> groups_;
  std::vector<std::vector<std::uint32_t>> spare_;
};

}  // namespace

std::unique_ptr<Strategy> make_set_10() {
  return std::make_unique<Set10>();
}

}  // namespace holdfast::bandwidth
