#pragma once

#include "holdfast/algorithms/checkpoints/candidate.hpp"
#include "holdfast/algorithms/checkpoints/outlook.hpp"
#include "holdfast/models/failures/failure_trace.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace holdfast::checkpoint {

using checkpoints::Candidate;
using checkpoints::Outlook;

/// The future failures. No real system knows them; only strategies that are bounds may read them.
class Future {
 public:
  /// @param origin  the job's start on the trace's clock
  /// @param next    position in the trace of the first failure that may still strike
  Future(FailureTrace& trace, double origin, std::size_t next)
      : trace_{trace}, origin_{origin}, next_{next} {}

  /// Returns the date of a future failure, in seconds from the job's start, or kNever if there is none. `ahead` is 0 for the
  /// next failure.
  [[nodiscard]] double date(std::size_t ahead = 0) const {
    const std::size_t index = next_ + ahead;
    return trace_.reach(index) ? trace_.failures()[index].date - origin_ : FailureTrace::kNever;
  }

 private:
  FailureTrace& trace_;
  double origin_;
  std::size_t next_;
};

/// The place of a checkpoint, which decides which failures it survives.
enum class Level : std::uint8_t {
  local = 1,   ///< in the nodes (Instance::local): survives some failures
  global = 2,  ///< on the file system: survives every failure
};

/// What a job may know when it starts or restarts work: no random source, no future failure.
struct State {
  double work_left = 0;          ///< seconds, > 0
  std::int64_t checkpoints = 0;  ///< number of saved segments
  /// Number of these segments, counted back from the last one, that only local checkpoints hold.
  std::int64_t local = 0;
  Outlook& outlook;                ///< expected failures, from the law and the past failures
  double now = 0;                  ///< seconds since the job's start
  std::int64_t nodes = 0;          ///< nodes of a job that may have fewer; 0: all
  const Future* future = nullptr;  ///< set in a simulation; only bounds read it (knows_future)
};

/// An event of a job in a simulation, for strategies that learn.
struct Event {
  enum class Kind : std::uint8_t {
    ready,    ///< it works from now on
    saving,   ///< it begins to write a checkpoint
    saved,    ///< the checkpoint is complete
    durable,  ///< it is safe: told only where that is later, and not if it turns out not to be whole
    struck,   ///< a failure interrupts it
    renewed,     ///< a failure strikes while it is down anyway
    stopped,     ///< its submission ends, without a failure
    recovering,  ///< the downtime is over or a submission begins, and with it a recovery
  };
  Kind kind = Kind::ready;
  double now = 0;   ///< seconds since the job's start
  double born = 0;  ///< struck, renewed: last renewal of the processor, on the same clock
  /// For saving and recovering the level of the checkpoint, for struck and renewed the lowest level that survives.
  Level level = Level::global;
};

/// A rule that decides how much work to do before each of the next checkpoints. It is called when the job starts, after every
/// recovery, and when everything that it decided is done.
class Strategy {
 public:
  virtual ~Strategy() = default;

  /// Returns the work that will have been done from now on at each of the next checkpoints, in seconds: increasing, above 0, at
  /// most state.work_left, which the last one equals exactly if the job ends there. The result is valid until the next call.
  [[nodiscard]] virtual std::span<const double> decide(const State& state) = 0;

  /// Returns the levels of the checkpoints that decide() returned, one for each; an empty result means that all are global.
  /// The result is valid until the next call. The last checkpoint of a job is always global.
  [[nodiscard]] virtual std::span<const Level> levels() const { return {}; }

  /// Returns true if the strategy values a checkpoint by the probability that nothing fails before it is safe. With a flush, State::outlook
  /// then begins that much later.
  [[nodiscard]] virtual bool looks_past_flush() const { return false; }
  /// Returns true for a bound, whose checkpoints all turn out to be whole.
  [[nodiscard]] virtual bool is_bound() const { return false; }

  /// Returns true if the strategy learns from events. It then receives the ages of the processors when the job starts, and all
  /// events.
  [[nodiscard]] virtual bool learns() const { return false; }
  virtual void begin(const Ages&) {}
  virtual void see(const Event&) {}

  /// Returns the numbers of checkpoints that the last decision compared, in the order in which it tried them; empty for most
  /// strategies.
  [[nodiscard]] virtual std::span<const Candidate> candidates() const { return {}; }
  /// Returns the time step of the strategy in seconds, of which its plans and expected times are multiples; 0 if its plans are
  /// continuous.
  [[nodiscard]] virtual double quantum() const { return 0; }
};

}  // namespace holdfast::checkpoint
