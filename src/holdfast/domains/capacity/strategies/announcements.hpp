#pragma once

#include "holdfast/domains/capacity/instance.hpp"
#include "holdfast/kernel/random.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// What is wrong in the announcements of one run.
struct NoticeErrors {
  struct FalseAlarm {
    std::int64_t time = 0;  ///< at which the machines [first, end) are said to go off, but stay on
    std::int64_t first = 0;
    std::int64_t end = 0;
  };
  std::vector<bool> missed = {};  ///< [step of the capacity] is not announced; empty: all are
  std::vector<FalseAlarm> false_alarms = {};  ///< in order of time
};

/// Draws the errors. Each fall of the capacity is announced with the probability `notice_recall`. For each there are on average
/// so many false alarms, of as many machines and at any time of the window, that the expected share `notice_precision` of all
/// announcements comes true. Nothing is drawn if both are 1.
[[nodiscard]] NoticeErrors notice_errors(const Instance& instance, Stream stream);

/// The times at which machines go off, as announced so far. Machine A - 1 goes off first.
class Announcements {
 public:
  /// @param notice  how long in advance a shutdown is known, seconds; kNever: always
  Announcements(const Instance& instance, std::int64_t notice, NoticeErrors errors = {});

  /// Finds when each machine goes off for the first time after `now`.
  void open(std::int64_t now);
  /// Records that machines came on.
  void added(std::span<const std::int64_t> machines, std::int64_t now);
  /// Returns true if, by what is known at `now`, a run on the machine is spared: it ends before the machine goes off, or it is
  /// saved at that time and has computed for at least as long as saving takes.
  [[nodiscard]] bool spares(std::int64_t machine, std::int64_t start, std::int64_t length,
                            std::int64_t now) const;
  /// Returns the time after `now` at which the next false alarm turns out to be one; kNever: there is none.
  [[nodiscard]] std::int64_t next_false(std::int64_t now) const;

 private:
  [[nodiscard]] std::int64_t off_after(std::int64_t machine, std::int64_t now) const;

  const Instance& instance_;
  std::int64_t notice_;
  NoticeErrors errors_;
  // [machine] time at which it goes off; kNever: not before the end of the window.
  std::vector<std::int64_t> off_;
};

}  // namespace holdfast::capacity
