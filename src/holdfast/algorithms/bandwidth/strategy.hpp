#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

/// Bandwidth sharing: which operation gets how much of a shared file system. Used by `io` and `machine`.
namespace holdfast::bandwidth {

/// The date of an event that never happens.
inline constexpr double kNever = std::numeric_limits<double>::infinity();
/// A relative tolerance. Sort keys that differ by no more than this are equal, and an operation with no more than this share of
/// its volume left is complete.
inline constexpr double kTie = 1e-12;

/// One unfinished operation, as an arbiter knows it. Volumes are in bytes, times in seconds.
struct Pending {
  /// The value of `set` that means "unknown".
  static constexpr int kUnknownSet = std::numeric_limits<int>::min();

  std::uint32_t application = 0;  ///< number of its application, from 0
  int set = kUnknownSet;          ///< Set-10: power of ten of its iteration time, from set_number()
  double bandwidth = 0;           ///< bandwidth that it can use at most, b_i, bytes/s
  double remaining = 0;           ///< bytes left, V_i > 0
  double progress = 0;            ///< progress P_i now, in seconds of work
  double age = 0;                 ///< seconds since the application's release, tau_i = now - r_i
  double posted = 0;              ///< date of the request, R_i, seconds

  // Additional information on a machine with failures; 0 if nobody provides it. Only strategies for such machines read it.
  double nodes = 0;         ///< nodes of the job
  double failure_rate = 0;  ///< failure rate of all its nodes, per second
  double since_save = 0;    ///< seconds of work that a failure would lose
  double recovery = 0;      ///< seconds needed to read the last checkpoint
  double begun = kNever;    ///< date at which it first got bandwidth; kNever while it waits
  double target = 0;        ///< seconds of work after which the checkpoint was due
  bool stalled = true;      ///< false: its job keeps working until it first gets bandwidth

  /// Returns y_i, the progress divided by the age; 0 for an application of age 0.
  [[nodiscard]] double yield() const { return age > 0 ? progress / age : 0; }
};

/// The information that a strategy has when it decides. It contains nothing about future phases.
struct Situation {
  double now = 0;        ///< date of the decision, seconds
  double bandwidth = 0;  ///< bandwidth of the file system B, bytes/s
  double left = 0;       ///< seconds until the window ends; infinite for a live arbiter
  double window = 0;     ///< length of the window in seconds
  std::span<const Pending> requests;  ///< in order of (posted, application); not empty
  double median_yield = 0;  ///< median yield of all applications, for strategies that ask for it
};

/// The order that a strategy follows, if a simulator can apply it faster than by asking the strategy at each event.
enum class Rank : std::uint8_t {
  asked,      ///< no such order: ask the strategy
  same,       ///< every operation gets the same fraction of its bandwidth
  posted,     ///< full bandwidth in order of posting
  remaining,  ///< full bandwidth to the operation that could end first
  /// Full bandwidth to the application with the least progress: the order of yields if all ages are equal.
  progress,
};

/// A strategy, which decides how much bandwidth each operation gets until the next event. One object serves one run.
class Strategy {
 public:
  virtual ~Strategy() = default;
  /// Decides the rates until the next event.
  /// @param[out] rates  one rate per request in bytes/s, 0 <= rate <= its bandwidth, sum <= B. If there is enough for all, each
  ///      gets its full bandwidth.
  void decide(const Situation& situation, std::span<double> rates);
  /// Returns a date in seconds, after `now`, at which to decide although nothing happens; kNever if there is none.
  [[nodiscard]] virtual double next_date(double now) {
    static_cast<void>(now);
    return kNever;
  }
  /// Returns true if the strategy reads Pending::set.
  [[nodiscard]] virtual bool uses_sets() const { return false; }
  /// Returns true if the strategy reads Situation::median_yield.
  [[nodiscard]] virtual bool uses_median() const { return false; }
  /// Returns true if the strategy reads Pending::age, progress or since_save, which grow between events.
  [[nodiscard]] virtual bool uses_history() const { return true; }
  /// Returns true if a decision that gave away all of the bandwidth stands until an operation ends: operations that have begun
  /// keep their rates, and later requests come after them.
  [[nodiscard]] virtual bool stands_while_full() const { return false; }
  /// Returns true if the strategy reads Pending::target.
  [[nodiscard]] virtual bool uses_targets() const { return false; }
  /// Returns the order that the strategy follows.
  [[nodiscard]] virtual Rank rank() const { return Rank::asked; }
  /// Returns the period of the additional decisions between events, in seconds; 0 if there are none.
  [[nodiscard]] virtual double period() const { return 0; }

 protected:
  /// Decides when the requests ask for more than the available bandwidth.
  virtual void share(const Situation& situation, std::span<double> rates) = 0;
  /// Returns false for a strategy that may leave bandwidth unused although all requests would fit.
  [[nodiscard]] virtual bool fills_up() const { return true; }
};

/// Returns the median, and sorts the values. @pre not empty
[[nodiscard]] double median(std::vector<double>& values);

/// Returns the set that Set-10 puts an iteration time into: log10, rounded half up. @pre seconds > 0
[[nodiscard]] int set_number(double seconds);

}  // namespace holdfast::bandwidth
