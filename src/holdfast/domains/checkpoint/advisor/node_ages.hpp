#pragma once

#include "holdfast/models/failures/ages.hpp"
#include "holdfast/models/failures/hazard_curve.hpp"
#include "holdfast/models/failures/tabulated_law.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace holdfast::checkpoint {

/// The nodes of one running job: the law of their failures, and when each was last renewed. Dates are seconds on the caller's
/// clock. Memory is kept, so that nothing is allocated unless something becomes larger than ever before.
class NodeAges {
 public:
  /// @param ages  ages of all nodes at the date `now`
  /// @param renews_all  true: each failure renews every node
  NodeAges(std::shared_ptr<const TabulatedLaw> law, const Ages& ages, double now,
           bool renews_all = false);
  /// Makes nodes that can be distinguished. @param ages  [n] one age per node, n >= 1
  NodeAges(std::shared_ptr<const TabulatedLaw> law, std::span<const double> ages, double now);

  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] const TabulatedLaw& law() const { return *law_; }
  /// Returns the failures per second of all nodes in the long run.
  [[nodiscard]] double mean_rate() const { return static_cast<double>(count_) / law_->mean(); }

  /// Renews node number `node` if nodes can be distinguished. Otherwise, or without a number, it renews the most likely one: a
  /// node of the group with the largest count x hazard.
  void renew(double now, std::optional<std::size_t> node);
  /// Renews the node that was last renewed at that date, or nearest to it.
  void renew_born(double now, double born);
  /// Lets another node take the place of one. @param node  its number; nothing: the node that was renewed last
  /// @param born  date of the other's last renewal; nothing: it is as old as the middle one of all nodes
  void replace(double now, std::optional<std::size_t> node, std::optional<double> born);

  /// Returns the number of failures that law and ages predict between two dates without failures.
  [[nodiscard]] double expected(double from, double to) const;
  /// Writes to `out` the hazard from a date on: Lambda times `weight`.
  void fill(double date, double span, double weight, HazardCurve& out);
  /// Returns the ages at a date, youngest first.
  [[nodiscard]] Ages at(double date) const;

 private:
  struct Group {
    double born = 0;  ///< date of the last renewal
    std::int64_t count = 0;
  };

  void set(const Ages& ages, double now);
  void renew_group(double now, std::size_t group, double born);
  [[nodiscard]] double middle_birth() const;
  [[nodiscard]] std::size_t nearest(double born) const;
  [[nodiscard]] std::size_t likeliest(double now) const;

  std::shared_ptr<const TabulatedLaw> law_;
  bool renews_all_ = false;
  std::int64_t count_ = 0;
  std::vector<Group> groups_;      ///< groups of nodes, oldest first
  std::vector<double> born_;       ///< [n] for nodes that can be distinguished
  std::vector<HazardTerm> terms_;  ///< used while a curve is filled
};

}  // namespace holdfast::checkpoint
