#pragma once

#include "holdfast/models/resilience/segment.hpp"

#include <optional>
#include <span>
#include <vector>

/// A planner for endless jobs of several classes that run at the same time and write their checkpoints to one file system. It
/// finds how often each class should checkpoint, and the best that the machine can do. Failures are exponential.
///
/// A job that checkpoints after W seconds of work does useful work for the share W/E(W) of its time, and transfers data for the
/// share U(W)/E(W). As functions of v = 1/(e^(rate (W + C)) - 1), the second is linear and the first is concave. Therefore the
/// periods with the largest useful share whose transfers stay within a limit follow from one price: each job chooses the W that
/// is optimal for a checkpoint of C + price c0 seconds, where c0 is the expected number of seconds written until one checkpoint
/// is complete.
namespace holdfast {

/// How a job spends its time in the long run, as shares of the whole.
struct LongRunShares {
  double useful = 0;    ///< share of work that is saved, W/E
  double transfer = 0;  ///< share of checkpoints and recoveries, interrupted ones included, U/E
};

/// Returns the shares of a job that checkpoints after every `work` seconds of work. The computation does not overflow: a job
/// that never saves anything has useful share 0.
/// @param work  seconds, >= 0; infinity if it never checkpoints
/// @param rate  failures per second of the whole job, >= 0
[[nodiscard]] LongRunShares long_run_shares(double work, const ResilienceCosts& costs,
                                            double rate) noexcept;

/// Returns the best work between two checkpoints, in seconds, if each second of transfer costs `price` seconds of work:
/// price c0 + optimal_period(C + price c0). It is infinite if the MTBF is.
/// @param checkpoint  C >= 0, seconds
/// @param mtbf  mean time between failures of the whole job, > 0, seconds
/// @param price  seconds of work per second of transfer, >= 0
[[nodiscard]] double priced_period(double checkpoint, double mtbf, double price) noexcept;

/// The jobs of one class.
struct SharedClass {
  double jobs = 0;   ///< mean number of jobs that run at the same time, >= 0, not necessarily whole
  double nodes = 1;  ///< nodes of one job as a share of the machine, > 0
  double bandwidth = 1;   ///< bandwidth that one job can use as a share of the file system's, > 0
  double rate = 0;        ///< failures per second of one job, >= 0
  ResilienceCosts costs;  ///< costs of one job, in seconds, when no other job transfers data
  /// Seconds of work in a segment, if it is fixed: a job without checkpoints is one segment.
  std::optional<double> segment = {};

  /// Returns the price of one second of transfer of one job, given the price of one second of the whole file system.
  [[nodiscard]] double price(double of_all) const { return of_all * bandwidth / nodes; }
};

/// The periods of all classes, and their effect.
struct SharedPlan {
  std::vector<double> periods = {};  ///< [classes] seconds of work between two checkpoints
  /// Gain in useful share per additional file system (the multiplier of the limit).
  double price = 0;
  double load = 0;  ///< share of the bandwidth that jobs ask for, including regular transfers
  /// Share of the machine's node time spent on useful work, if no job waits.
  double useful_share = 0;
};

/// Returns the plan with these periods; its price is 0.
/// @param regular  share of the bandwidth used by other transfers (input, output)
[[nodiscard]] SharedPlan shared_outcome(std::span<const SharedClass> classes, double regular,
                                        std::vector<double> periods);

/// Returns the plan in which each class plans as if it were alone (price 0). Its load F(0) is the pressure on the file system.
[[nodiscard]] SharedPlan plan_of_each_alone(std::span<const SharedClass> classes, double regular);

/// Returns the load of recoveries and regular transfers alone, which is the limit for very rare checkpoints.
[[nodiscard]] double least_shared_load(std::span<const SharedClass> classes,
                                       double regular) noexcept;

/// Returns the plan with the largest useful share whose load is at most `limit`. With limit 1, no rule for endless jobs exceeds
/// that share, however it shares the bandwidth and whenever it decides (docs/decisions/0046).
/// @param limit  share of the bandwidth, > 0
/// @returns nullopt if recoveries and regular transfers alone exceed the limit
/// Cost: O(classes) per step of Newton's method, of which there are about six.
[[nodiscard]] std::optional<SharedPlan> plan_shared(std::span<const SharedClass> classes,
                                                    double regular, double limit = 1);

/// Returns the first-order plan, for comparison. It minimises the sum of s (C/P + rate (P/2 + R)) while the transfers C/P sum
/// to at most limit - regular, which gives P = sqrt(2 C/rate (1 + price)). It neglects recoveries and interrupted transfers, so
/// its load may exceed the limit.
/// @returns nullopt if regular transfers alone exceed the limit
[[nodiscard]] std::optional<SharedPlan> plan_shared_first_order(
    std::span<const SharedClass> classes, double regular, double limit = 1);

}  // namespace holdfast
