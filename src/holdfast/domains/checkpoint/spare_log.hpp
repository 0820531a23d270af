#pragma once

#include "holdfast/domains/checkpoint/spare_count.hpp"
#include "holdfast/models/resilience/recorded_outages.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace holdfast::checkpoint {

/// The nodes of a job and its spares, drawn from those of a log whose outages are as they were.
class LoggedSpares {
 public:
  /// Takes the outages of a log.
  /// @param nodes  N, the nodes of the job; 0: all that are not spares
  LoggedSpares(RecordedOutages recorded, std::int64_t nodes);

  /// Returns the largest number of spares.
  [[nodiscard]] std::int64_t most() const { return recorded_.nodes - (nodes_ > 0 ? nodes_ : 1); }
  /// Returns the share of the time in which at most `spares` of the nodes are down, and the mean number that is idle. Each
  /// choice of N + S nodes of the log is as likely as any other.
  struct Shares {
    double full = 0;
    double idle = 0;
  };
  [[nodiscard]] Shares shares(std::int64_t spares) const { return shares(spares, seconds_); }
  /// Returns the smallest number of spares with that share of the time; most() if there is none.
  [[nodiscard]] std::int64_t needed(double share) const { return needed(share, seconds_); }

  /// An interval of numbers of spares.
  struct Interval {
    std::int64_t low = 0;
    std::int64_t high = 0;
    double block = 0;  ///< length of a block, seconds
  };
  /// Returns the 95 % interval of needed(): the window is cut into twelve blocks, and as many are drawn with replacement.
  [[nodiscard]] Interval interval(double share, std::uint64_t seed) const;

 private:
  [[nodiscard]] const std::vector<Shares>& by_down(std::int64_t spares) const;
  [[nodiscard]] Shares shares(std::int64_t spares, const std::vector<double>& seconds) const;
  [[nodiscard]] std::int64_t needed(double share, const std::vector<double>& seconds) const;

  RecordedOutages recorded_;
  std::int64_t nodes_;
  std::vector<double> seconds_;                                  ///< with k nodes of the log down
  mutable std::map<std::int64_t, std::vector<Shares>> by_down_;  ///< what by_down() has computed
};

/// Returns the table of the shares that a log had, with efficiencies as if failures were memoryless.
/// @param repair_factor  how much longer outages last
/// @param is_whole       true: all nodes of the log are in use or spares; false: the job has instance.processors
/// @pre instance.recorded, instance.law
[[nodiscard]] SpareTable logged_table(const Instance& instance, double repair_factor,
                                      bool is_whole);

/// Returns whether recorded outages come together: the 99 % quantile of the nodes that are down is a fifth larger than it would
/// be for independent nodes with the same mean.
[[nodiscard]] bool come_together(const RecordedOutages& recorded);

}  // namespace holdfast::checkpoint
