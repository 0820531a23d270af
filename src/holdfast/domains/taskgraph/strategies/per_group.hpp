#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/strategy.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace holdfast::taskgraph {

/// The tasks of an instance by group. Groups are in the order of their first tasks.
struct Groups {
  std::vector<std::string> names;  ///< of the groups
  std::vector<std::uint32_t> of;   ///< [n] the group of each task
};
/// Returns the groups of an instance. @pre instance.groups is not empty
[[nodiscard]] Groups groups_of(const Instance& instance);

/// A rule that launches all tasks of a group on one number of processors.
class GroupRule final : public ListStrategy {
 public:
  /// @param allocations  by group, each >= 1; a task gets no more than its limit on the machine
  GroupRule(const Instance& instance, std::vector<std::uint32_t> group_of,
            std::vector<std::int64_t> allocations, QueueOrder order)
      : ListStrategy{order},
        processors_{instance.processors},
        group_of_{std::move(group_of)},
        allocations_{std::move(allocations)} {}

  [[nodiscard]] std::int64_t allocate(const Arrival& arrival) const override;
  [[nodiscard]] std::span<const std::int64_t> allocations() const { return allocations_; }

 private:
  std::int64_t processors_;
  std::vector<std::uint32_t> group_of_;
  std::vector<std::int64_t> allocations_;
};

/// The mean makespan of rules over random orders of the queue, because an engine starts waiting tasks in an order of its own.
class OrderlessScore {
 public:
  OrderlessScore(const Instance& instance, const Groups& groups);
  /// Returns the mean makespan in seconds without failures. @param allocations  by group
  [[nodiscard]] double operator()(std::span<const std::int64_t> allocations);
  /// Returns how many tasks were simulated so far.
  [[nodiscard]] std::uint64_t simulated() const { return simulated_; }

 private:
  struct Order {
    Instance instance;
    std::vector<std::uint32_t> group_of;
  };
  std::vector<Order> orders_;
  std::uint64_t simulated_ = 0;
};

/// Searches one number of processors for each group: from the best of capped-lpa (medians) and equal numbers for all groups, one group
/// after the other gets its best number, until nothing improves; then fewer where they do as well. Deterministic; stops after 2 x 10^7 simulated tasks.
[[nodiscard]] std::vector<std::int64_t> search_groups(const Instance& instance,
                                                      const Groups& groups);

}  // namespace holdfast::taskgraph
