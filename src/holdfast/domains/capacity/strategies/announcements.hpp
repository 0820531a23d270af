#pragma once

#include "holdfast/domains/capacity/instance.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// The times at which machines go off, as announced so far. Machine A - 1 goes off first.
class Announcements {
 public:
  /// @param notice  how long in advance a shutdown is known, seconds; kNever: always
  Announcements(const Instance& instance, std::int64_t notice);

  /// Finds when each machine goes off for the first time after `now`.
  void open(std::int64_t now);
  /// Records that machines came on.
  void added(std::span<const std::int64_t> machines, std::int64_t now);
  /// Returns true if, by what is known at `now`, a run on the machine is spared: it ends before the machine goes off, or it is
  /// saved at that time and has computed for at least as long as saving takes.
  [[nodiscard]] bool spares(std::int64_t machine, std::int64_t start, std::int64_t length,
                            std::int64_t now) const;

 private:
  [[nodiscard]] std::int64_t off_after(std::int64_t machine, std::int64_t now) const;

  const Instance& instance_;
  std::int64_t notice_;
  // [machine] time at which it goes off; kNever: not before the end of the window.
  std::vector<std::int64_t> off_;
};

}  // namespace holdfast::capacity
