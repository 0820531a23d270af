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

/// Returns four units in the last place of a date. Events closer together than this happen at the same time.
[[nodiscard]] double few_ulps(double date);

/// Counts of the decisions about the bandwidth in one run.
struct Decisions {
  std::int64_t count = 0;        ///< decisions taken
  std::int64_t preemptions = 0;  ///< operations paused before their end
  /// Seconds from one of the additional decisions (those between events) to the next; 0 if there are none.
  double period = 0;
};

/// The activities of each application in a window, except transfers: phases, work, progress, and rows of the timeline. The two
/// simulators differ in how they store the transfers.
class Window {
 public:
  /// An application whose phase ends now. Operations and work are in one list because the order is by application.
  struct Ended {
    std::uint32_t application = 0;
    bool is_operation = false;
    friend bool operator<(const Ended& a, const Ended& b) { return a.application < b.application; }
  };

  Window(const Instance& instance, Timeline* timeline, Stop stop = {});

  [[nodiscard]] double now() const { return now_; }
  void set_now(double date) { now_ = date; }
  /// Returns true if there is time left and no stop is wanted.
  [[nodiscard]] bool is_open() const { return now_ < instance_.end && !stop_.wanted(); }
  [[nodiscard]] const Application& application(std::uint32_t i) const {
    return instance_.applications[i];
  }
  [[nodiscard]] double bandwidth(std::uint32_t i) const { return states_[i].bandwidth; }
  [[nodiscard]] double progress(std::uint32_t i) const { return states_[i].progress; }
  /// Returns the current phase; null if no phases are left.
  [[nodiscard]] const Phase* phase(std::uint32_t i) const { return states_[i].phase; }
  [[nodiscard]] double amount(std::uint32_t i) const { return states_[i].amount; }

  /// Starts the next phase. Returns true if it is an operation, which the caller posts.
  bool begin_phase(std::uint32_t i);
  void end_work(std::uint32_t i);
  void end_operation(std::uint32_t i);
  /// Records an operation that the end of the window cuts, with the rest of its volume.
  void cut_operation(std::uint32_t i, double remaining, double progress);

  /// Returns the date at which the first work phase ends.
  [[nodiscard]] double next_work() const { return works_.empty() ? kNever : works_.top().date; }
  void take_ended_work(std::vector<Ended>& out);

  /// Ends the running work; left[i] receives the seconds that were left of it.
  void stop_work(std::span<double> left);
  /// Returns the remaining phases of an application: the rest of its current phase, and phases for that many dedicated seconds.
  [[nodiscard]] std::vector<Phase> phases_left(std::uint32_t i, double left, double seconds) const;

  [[nodiscard]] bool is_shown() const { return timeline_ != nullptr; }
  /// Ends the row of a transfer, or of waiting, and begins one with another rate.
  void show_transfer(std::uint32_t i, double next_rate);

  /// Ends the running work and sums up. The caller has already cut the operations.
  [[nodiscard]] Run finish(const Load& load, const Decisions& decisions);

 private:
  // The data of an application that an event reads and writes, in one cache line.
  struct alignas(64) State {
    explicit State(const Application& application)
        : cursor{application}, bandwidth{application.bandwidth}, progress{application.progress} {}
    PhaseCursor cursor;
    const Phase* phase = nullptr;
    double amount = 0;  // amount of the current phase
    double bandwidth;
    double progress;   // progress before the current phase, including that before the window
    double work = 0;   // work inside the window
    double moved = 0;  // bytes inside the window
  };
  // The next row of the timeline.
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

/// Simulates FairShare in O(log m) per event. All transfers advance at the same fraction of their bandwidths, so an operation
/// posted at virtual time v ends at v + V / b, and one heap holds all these dates.
/// Source: thesis, section 7.4.1; the virtual time of fair queueing.
[[nodiscard]] Run simulate_fair_share(const Instance& instance, const Load& load,
                                      Timeline* timeline, Stop stop = {});

/// Simulates any strategy by asking it at each event: O(pending operations) per event in addition to the decision.
[[nodiscard]] Run simulate_asking(const Instance& instance, const Load& load, Strategy& strategy,
                                  Timeline* timeline, Stop stop = {});

/// Simulates strategies that give full bandwidth in an order that changes only when operations begin or end (Rank::posted,
/// remaining, progress). It takes O(log m) per event, if each event affects few of the operations that are being served.
/// @pre for Rank::progress all applications were released at the same date, so that the order of yields is that of progress
/// Source: the orders of waiting operations are constant; thesis, section 7.4.1.
[[nodiscard]] Run simulate_in_order(const Instance& instance, const Load& load, Strategy& strategy,
                                    Timeline* timeline, Stop stop = {});

}  // namespace holdfast::io
