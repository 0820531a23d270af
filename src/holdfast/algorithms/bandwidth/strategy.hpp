#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

/// Who gets how much of a file system that several share: what `io` and `machine` have in common.
namespace holdfast::bandwidth {

/// The date of what does not happen.
inline constexpr double kNever = std::numeric_limits<double>::infinity();
/// Keys of an order that differ by no more than this part of them are the same, and an operation of which no more than
/// this part is left is complete.
inline constexpr double kTie = 1e-12;

/// One unfinished operation, as an arbiter knows it. Volumes in bytes, times in seconds.
struct Pending {
  static constexpr int kUnknownSet = std::numeric_limits<int>::min();

  std::uint32_t application = 0;
  int set = kUnknownSet;  ///< Set-10: power of ten of its iteration time, from set_number()
  double bandwidth = 0;   ///< b_i
  double remaining = 0;   ///< V_i > 0
  double progress = 0;    ///< P_i now
  double age = 0;         ///< tau_i = now - r_i
  double posted = 0;      ///< R_i

  // What a machine with failures knows beside; 0 if nobody says. Strategies for such machines alone read it.
  double nodes = 0;         ///< nodes of the job
  double failure_rate = 0;  ///< failure rate of all its nodes, per second
  double since_save = 0;    ///< seconds of work that a failure would lose
  double recovery = 0;      ///< seconds that it would take to read the last checkpoint
  double begun = kNever;    ///< when it first got bandwidth; kNever: it waits
  double target = 0;        ///< seconds of work after which it should have been saved
  bool stalled = true;      ///< false: its job works on until it first gets bandwidth

  /// y_i: progress over age, 0 for an application of age 0.
  [[nodiscard]] double yield() const { return age > 0 ? progress / age : 0; }
};

/// What a strategy may know when it decides. Nothing about phases to come.
struct Situation {
  double now = 0;
  double bandwidth = 0;  ///< B
  double left = 0;       ///< seconds until the window ends; infinite for a live arbiter
  double window = 0;     ///< its length
  std::span<const Pending> requests;  ///< in order of (posted, application); not empty
  double median_yield = 0;  ///< median yield of all applications, for strategies that ask for it
};

/// What a strategy goes by, where a simulator has a faster way than to ask it at each event.
enum class Rank : std::uint8_t {
  asked,      ///< it is asked
  same,       ///< all get the same fraction of their bandwidths
  posted,     ///< full bandwidth in order of posting
  remaining,  ///< full bandwidth to what could end first
  progress,   ///< full bandwidth to who has done least: the order of yields where ages are the same
};

/// Decides who gets how much bandwidth until the next event. One object serves one run.
class Strategy {
 public:
  virtual ~Strategy() = default;
  /// @param[out] rates  one per request, 0 <= rate <= its bandwidth, sum <= B. Where all fit, all get their bandwidth.
  void decide(const Situation& situation, std::span<double> rates);
  /// Returns seconds: a date after `now` at which to decide although nothing happens; kNever: none.
  [[nodiscard]] virtual double next_date(double now) {
    static_cast<void>(now);
    return kNever;
  }
  /// Returns whether it reads Pending::set.
  [[nodiscard]] virtual bool uses_sets() const { return false; }
  /// Returns whether it reads Situation::median_yield.
  [[nodiscard]] virtual bool uses_median() const { return false; }
  /// Returns whether it reads Pending::age, progress or since_save, which grow while nothing happens.
  [[nodiscard]] virtual bool uses_history() const { return true; }
  /// Returns whether a decision that gave all of the bandwidth away stands until something ends: what has begun keeps its rate,
  /// and what is posted later comes after it.
  [[nodiscard]] virtual bool stands_while_full() const { return false; }
  /// Returns whether it reads Pending::target.
  [[nodiscard]] virtual bool uses_targets() const { return false; }
  [[nodiscard]] virtual Rank rank() const { return Rank::asked; }
  /// Returns the seconds between decisions beside those at events; 0: none.
  [[nodiscard]] virtual double period() const { return 0; }

 protected:
  /// The decision where the requests ask for more than there is.
  virtual void share(const Situation& situation, std::span<double> rates) = 0;
  /// Returns false for a strategy that may give less although all fit.
  [[nodiscard]] virtual bool fills_up() const { return true; }
};

/// Returns the median; puts the values in order. @pre not empty
[[nodiscard]] double median(std::vector<double>& values);

/// Set-10's set of an iteration time: log10, rounded half up. @pre seconds > 0
[[nodiscard]] int set_number(double seconds);

}  // namespace holdfast::bandwidth
