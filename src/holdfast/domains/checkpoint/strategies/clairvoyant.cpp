#include "holdfast/domains/checkpoint/strategies.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

/// The shortest schedule of one trace of failures.
///
/// The times at which the processors are up do not depend on what the job does. From an instant u at which they are up, they
/// stay up until the first failure f >= u, and are up again at f + D, whether the failure struck work, a checkpoint, a
/// recovery or a wait; failures in [f, f + D) change nothing. So a trace is a sequence of intervals [u_i, f_i), u_0 = 0, the
/// same for every strategy. (With spares an interval begins when a node is ready in each place; the proof uses only that the
/// intervals are given.) What is not saved when an interval ends is lost.
///
/// Upper bound. What an interval of length L adds to the work that is safe was done in it, after one recovery R, and before
/// the end of a checkpoint C in it: at most s(L) = max(0, L - R - C), with R = 0 for the first interval. The job ends in an
/// interval i, and there not before u_i + R + w + C, w being what was not safe at u_i: the work w, a recovery and the
/// last checkpoint lie between. (C = 0 there for a job without a final checkpoint.)
///
/// The bound is attained. In each interval, recover at once and save everything that fits, with one checkpoint that ends at
/// f_i. This makes the safe work at every u_i as large as the bound, and so w as small as it can be, for all i at once; the
/// job then ends in the first interval that has room for R + w + C, at the bound. Waiting, saving more often, or other lengths
/// gain nothing. QED
///
/// A checkpoint that is safe only L after its end (`flush`): what an interval adds was done before the beginning of a checkpoint whose
/// flush ends in it, at most s(L) = max(0, L - R - C - flush), and the last checkpoint of the job is to be safe. So C + flush takes
/// the place of C in both parts. That some checkpoints are not whole cannot help either: for the bound they all are.
///
/// No recovery before the first checkpoint (`no_initial_recovery`). R is then 0 until something is safe, and saving little in
/// an early interval may cost more recoveries than it is worth. With a first save in interval k, the argument above holds
/// from k on: L_k - C is safe at its end, and s(L) more after each later one. Of two such k with the same last interval,
/// the one with more safe work before it ends sooner, and safe work grows by the same s(L) in both. So the best k so far is a
/// running maximum, and one pass finds the best of all. Before k nothing is saved: what is begun there is lost.
namespace holdfast::checkpoint {
namespace {

/// Number of intervals that a search for the first save examines; a run is given up before it has met more.
constexpr std::size_t kMostIntervals = 1'000'000;

class Clairvoyant final : public Strategy {
 public:
  explicit Clairvoyant(const Instance& instance)
      : instance_{instance},
        cost_{.checkpoint = instance.checkpoint, .flush = instance.late.flush},
        last_cost_{instance.ends.final_checkpoint ? cost_ : Cost{}},
        has_begun_{instance.ends.initial_recovery} {}

  bool is_bound() const override { return true; }

  std::span<const double> decide(const State& state) override {
    if (!has_begun_) {
      first_save_ = first_save(*state.future);
      has_begun_ = true;
    }
    const double failure = state.future->date();
    const double left = state.work_left;
    if (fits(state.now, left, last_cost_, failure)) {
      cut_ = left;
      return {&cut_, 1};
    }
    const double length = failure - state.now;
    cut_ = state.checkpoints == 0 && state.now < first_save_ ? 0 : saved(state.now, left, failure);
    // No checkpoint fits, or none is wanted: what is begun is lost.
    if (!(cut_ > 0)) cut_ = std::min(left, std::max(length, kLeast * instance_.checkpoint));
    return {&cut_, 1};
  }

 private:
  /// The work of a segment that a failure is about to strike, as a fraction of the checkpoint time.
  static constexpr double kLeast = 1e-6;

  /// What a checkpoint takes until it is safe, seconds.
  struct Cost {
    double checkpoint = 0;
    double flush = 0;
    [[nodiscard]] double sum() const { return checkpoint + flush; }
  };

  // The same order of additions as in the simulator.
  static bool fits(double now, double work, const Cost& cost, double failure) {
    return ((now + work) + cost.checkpoint) + cost.flush <= failure;
  }

  // The most work whose checkpoint ends by the failure; 0 or less if there is none.
  double saved(double now, double left, double failure) const {
    double work = std::min(left, failure - now - cost_.sum());
    const double ulp = std::nextafter(failure, FailureTrace::kNever) - failure;
    while (work > 0 && !fits(now, work, cost_, failure)) work -= ulp;
    return work;
  }

  // The date from which on saving pays, if there is no recovery before the first checkpoint.
  double first_save(const Future& future) const {
    const double recovery = instance_.recovery;
    const double checkpoint = cost_.sum();
    double safe = 0;   // the most work that can be safe when the interval begins
    double since = 0;  // the beginning of the interval with the first save for that
    double up = 0;
    std::size_t next = 0;
    for (std::size_t i = 0; i < kMostIntervals && up <= instance_.deadline(); ++i) {
      while (future.date(next) < up) ++next;
      const double failure = future.date(next++);
      const double room = failure - up;
      const double rest = recovery + (instance_.work - safe);
      if (safe > 0 && rest < instance_.work && rest + last_cost_.sum() <= room) return since;
      if (fits(up, instance_.work, last_cost_, failure)) return up;
      if (safe > 0 && rest + last_cost_.sum() <= room) return since;
      if (safe > 0) safe += std::max(0.0, room - recovery - checkpoint);
      if (room - checkpoint > safe) {
        safe = room - checkpoint;
        since = up;
      }
      up = failure + instance_.downtime;
    }
    return since;
  }

  const Instance& instance_;
  Cost cost_;
  Cost last_cost_;
  bool has_begun_;
  double first_save_ = 0;
  double cut_ = 0;
};

}  // namespace

Made make_clairvoyant(const Instance& instance, const StrategySpec&) {
  if (std::isinf(instance.work)) {
    return fail(ErrorCode::bad_value, "/work",
                "is missing; strategy 'clairvoyant' looks for the earliest end");
  }
  // The proof does not cover these cases.
  const bool skips_recovery = instance.platform.has_pool() && !instance.ends.initial_recovery;
  if (skips_recovery || instance.iteration > 0 || instance.checkpoint_spread > 0 ||
      instance.recovery_spread > 0 || instance.local.exists() || instance.time_limit > 0) {
    const auto* field = instance.local.exists()          ? "/local_checkpoint"
                        : skips_recovery                 ? "/no_initial_recovery"
                        : instance.time_limit > 0        ? "/time_limit"
                        : instance.iteration > 0         ? "/iteration"
                        : instance.checkpoint_spread > 0 ? "/checkpoint_spread"
                                                         : "/recovery_spread";
    return fail(ErrorCode::bad_value, field,
                "is given; strategy 'clairvoyant' is a bound for jobs that can save at any time, "
                "on one level, at costs that never change, and run without a limit");
  }
  return std::make_unique<Clairvoyant>(instance);
}

}  // namespace holdfast::checkpoint
