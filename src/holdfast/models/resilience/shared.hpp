#pragma once

#include "holdfast/models/resilience/segment.hpp"

#include <optional>
#include <span>
#include <vector>

/// Jobs of several classes that run at once, without end, and write their checkpoints over one file system: how often
/// each class should write them, and what the machine can do at best. Exponential failures.
///
/// A job that checkpoints after W seconds of work is useful W/E(W) of its time and transfers U(W)/E(W) of it. With v =
/// 1/(e^(rate (W + C)) - 1) the second is linear and the first concave, so that the periods of greatest useful share under
/// sum of the transfers <= limit follow from one price: W is what a job would choose whose checkpoint cost C + price c0,
/// where c0 are the seconds written until one checkpoint is whole.
namespace holdfast {

/// Expected seconds of transfer for one segment of work that is done and saved, what was cut short included: c0 + r0
/// (e^(rate (W + C)) - 1) with c0 = (e^(rate C) - 1) / rate and r0 = (e^(rate R) - 1) / rate. The time that goes with it
/// is expected_segment_time().
/// @param work  seconds, >= 0
/// @param rate  failures per second of the whole job, > 0
[[nodiscard]] double expected_transfer_time(double work, const ResilienceCosts& costs,
                                            double rate) noexcept;

/// What becomes of a job's time in the long run, as shares of it.
struct LongRunShares {
  double useful = 0;    ///< W/E
  double transfer = 0;  ///< U/E: checkpoints and recoveries, cut ones included
};

/// The shares of a job that checkpoints after each `work` seconds. Neither overflows: a job that never saves anything
/// has useful share 0.
/// @param work  seconds, >= 0; infinity: never
/// @param rate  failures per second of the whole job, >= 0
[[nodiscard]] LongRunShares long_run_shares(double work, const ResilienceCosts& costs,
                                            double rate) noexcept;

/// The work between two checkpoints that is best where each second of transfer costs `price` seconds of work: price c0 +
/// optimal_period(C + price c0). Infinite where the MTBF is.
/// @param checkpoint  C >= 0, seconds
/// @param mtbf  mean time between failures of the whole job, > 0, seconds
/// @param price  >= 0
[[nodiscard]] double priced_period(double checkpoint, double mtbf, double price) noexcept;

/// The jobs of one class.
struct SharedClass {
  double jobs = 0;        ///< that run at once, >= 0; a mean, and so not always whole
  double nodes = 1;       ///< of one job, as a share of the machine, > 0
  double bandwidth = 1;   ///< that one job can use, as a share of the file system's, > 0
  double rate = 0;        ///< failures per second of one job, >= 0
  ResilienceCosts costs;  ///< seconds, where nobody else writes
  /// Seconds of work in a segment where that is no choice: jobs without checkpoints are one segment.
  std::optional<double> segment = {};

  /// The price of a second of transfer of one job, for a price of the whole file system.
  [[nodiscard]] double price(double of_all) const { return of_all * bandwidth / nodes; }
};

/// Periods, and what they come to.
struct SharedPlan {
  std::vector<double> periods = {};  ///< [classes] seconds of work
  double price =
      0;  ///< useful share of the machine that the whole file system's worth more would bring
  double load = 0;  ///< share of the bandwidth that is asked for, regular transfers included
  double useful_share = 0;  ///< of all nodes, where nobody waits
};

/// What periods come to.
/// @param regular  share of the bandwidth that other transfers take (input, output)
[[nodiscard]] SharedPlan shared_outcome(std::span<const SharedClass> classes, double regular,
                                        std::vector<double> periods);

/// Each class as if it were alone: price 0. Its load is the pressure on the file system, F(0).
[[nodiscard]] SharedPlan plan_of_each_alone(std::span<const SharedClass> classes, double regular);

/// The load that is left where checkpoints are infinitely rare: recoveries and regular transfers.
[[nodiscard]] double least_shared_load(std::span<const SharedClass> classes,
                                       double regular) noexcept;

/// The periods of greatest useful share whose load is at most `limit`. With limit 1 that share is what no rule whatever
/// exceeds for endless jobs, however it shares the bandwidth and whenever it decides (docs/decisions, src/holdfast/domains/machine).
/// @param limit  > 0, share of the bandwidth
/// @returns nullopt where recoveries and regular transfers alone take more
/// Cost: O(classes) per step of Newton's method, of which there are about six.
[[nodiscard]] std::optional<SharedPlan> plan_shared(std::span<const SharedClass> classes,
                                                    double regular, double limit = 1);

/// The first order of the same: minimises sum of s (C/P + rate (P/2 + R)) under sum of transfers C/P <= limit - regular,
/// which gives P = sqrt(2 C/rate (1 + price)). It forgets the recoveries and what failures cut short, so that the load
/// that it comes to may exceed the limit. For comparison.
/// @returns nullopt where regular transfers alone take more
[[nodiscard]] std::optional<SharedPlan> plan_shared_first_order(
    std::span<const SharedClass> classes, double regular, double limit = 1);

}  // namespace holdfast
