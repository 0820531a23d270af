#pragma once

#include "holdfast/domains/capacity/instance.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// When machines go off, as far as it has been announced. Machine A - 1 goes off first.
class Announcements {
 public:
  /// @param notice  how long before a machine goes off that is known; kNever: always
  Announcements(const Instance& instance, std::int64_t notice);

  void open(std::int64_t now);
  /// Machines came on.
  void added(std::span<const std::int64_t> machines, std::int64_t now);
  /// Whether, by what is known at `now`, a run on the machine is spared: it ends before the machine goes off, or it is
  /// saved then and has computed at least as long as that takes.
  [[nodiscard]] bool spares(std::int64_t machine, std::int64_t start, std::int64_t length,
                            std::int64_t now) const;

 private:
  [[nodiscard]] std::int64_t off_after(std::int64_t machine, std::int64_t now) const;

  const Instance& instance_;
  std::int64_t notice_;
  std::vector<std::int64_t>
      off_;  // when each machine goes off; kNever: not before the window's end
};

}  // namespace holdfast::capacity
