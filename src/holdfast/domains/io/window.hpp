#pragma once

#include "holdfast/base/stop.hpp"
#include "holdfast/domains/io/date_heap.hpp"
#include "holdfast/domains/io/dedicated.hpp"
#include "holdfast/domains/io/instance.hpp"
#include "holdfast/domains/io/run.hpp"
#include "holdfast/domains/io/schedule.hpp"
#include "holdfast/domains/io/strategy.hpp"
#include "holdfast/kernel/timeline.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::io {

/// Four units in the last place of a date: what is nearer than that happens at the same time.
[[nodiscard]] double few_ulps(double date);

/// How often bandwidth was shared out again.
struct Decisions {
  std::int64_t count = 0;
  std::int64_t preemptions = 0;  ///< operations paused before their end
  double period = 0;             ///< between decisions apart from events; 0: there are none
};

/// What each application of a window is doing, transfers apart: phases, work that runs, progress, rows of the timeline.
/// The two simulators differ in how they hold the transfers.
class Window {
 public:
  /// An application whose phase ends now; with operations and work in one list because order is by application.
  struct Ended {
    std::uint32_t application = 0;
    bool is_operation = false;
    friend bool operator<(const Ended& a, const Ended& b) { return a.application < b.application; }
  };

  Window(const Instance& instance, Timeline* timeline, Stop stop = {});

  [[nodiscard]] double now() const { return now_; }
  void set_now(double date) { now_ = date; }
  /// There is time left, and nobody wants an end.
  [[nodiscard]] bool is_open() const { return now_ < instance_.end && !stop_.wanted(); }
  [[nodiscard]] const Application& application(std::uint32_t i) const {
    return instance_.applications[i];
  }
  [[nodiscard]] double bandwidth(std::uint32_t i) const { return states_[i].bandwidth; }
  [[nodiscard]] double progress(std::uint32_t i) const { return states_[i].progress; }
  /// Returns the present phase; null if it has run out of them.
  [[nodiscard]] const Phase* phase(std::uint32_t i) const { return states_[i].phase; }
  [[nodiscard]] double amount(std::uint32_t i) const { return states_[i].amount; }

  /// Goes on to the next phase; true if that is an operation, which the caller posts.
  bool begin_phase(std::uint32_t i);
  void end_work(std::uint32_t i);
  void end_operation(std::uint32_t i);
  /// An operation that the window's end cuts, with what is left of its volume.
  void cut_operation(std::uint32_t i, double remaining, double progress);

  /// When the first work phase ends.
  [[nodiscard]] double next_work() const { return works_.empty() ? kNever : works_.top().date; }
  void take_ended_work(std::vector<Ended>& out);

  /// Ends the work that runs; left[i] gets the seconds that were left of it.
  void stop_work(std::span<double> left);
  /// Returns what an application still has to do: the rest of its present phase, and phases for that many seconds alone.
  [[nodiscard]] std::vector<Phase> phases_left(std::uint32_t i, double left, double seconds) const;

  [[nodiscard]] bool is_shown() const { return timeline_ != nullptr; }
  /// Ends the row of a transfer, or of waiting, and begins one at another rate.
  void show_transfer(std::uint32_t i, double next_rate);

  /// Ends the work that runs, and sums up. The caller has cut the operations.
  [[nodiscard]] Run finish(const Load& load, const Decisions& decisions);

 private:
  // What an event reads and writes of an application: one line of the cache.
  struct alignas(64) State {
    explicit State(const Application& application)
        : cursor{application}, bandwidth{application.bandwidth}, progress{application.progress} {}
    PhaseCursor cursor;
    const Phase* phase = nullptr;
    double amount = 0;  // of the present phase
    double bandwidth;
    double progress;   // done before the present phase, before the window included
    double work = 0;   // of it, work inside the window
    double moved = 0;  // bytes inside the window
  };
  // The row that the timeline gets next.
  struct Shown {
    double from = 0;
    double rate = 0;
  };

  void show(std::uint32_t i, Doing kind);

  const Instance& instance_;
  Timeline* timeline_;
  Stop stop_;
  double now_;
  std::vector<State> states_;
  std::vector<Shown> shown_;  // empty without a timeline
  DateHeap works_;            // applications by the end of their work
};

/// FairShare in O(log m) per event: all transfers advance at one fraction of their bandwidths, so an operation posted
/// at virtual time v ends at v + V / b, and a heap of those dates holds them all.
/// Source: thesis, section 7.4.1; the virtual time of fair queueing.
[[nodiscard]] Run simulate_fair_share(const Instance& instance, const Load& load,
                                      Timeline* timeline, Stop stop = {});

/// Any strategy, asked at each event: O(pending operations) per event beside the decision.
[[nodiscard]] Run simulate_asking(const Instance& instance, const Load& load, Strategy& strategy,
                                  Timeline* timeline, Stop stop = {});

/// Strategies that give full bandwidth in an order which changes only where operations begin or end (Rank::posted,
/// remaining, progress): O(log m) per event, as long as one event moves few of those that are served.
/// @pre for Rank::progress all were released at the same date, so that the order of yields is that of progress
/// Source: the orders of waiting operations are constant; thesis, section 7.4.1.
[[nodiscard]] Run simulate_in_order(const Instance& instance, const Load& load, Strategy& strategy,
                                    Timeline* timeline, Stop stop = {});

}  // namespace holdfast::io
