#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

namespace holdfast {

/// The progress of a run.
struct Progress {
  std::uint64_t total = 0;  ///< cells asked for
  std::uint64_t found = 0;  ///< cells that earlier runs have finished
  std::uint64_t done = 0;   ///< finished cells, those of earlier runs included
  double rate = 0;          ///< cells per second of this run, over the last seconds
  double seconds = 0;       ///< seconds since this run began its first cell
  /// Returns the seconds that the remaining cells take at this rate; infinity while the rate is unknown.
  [[nodiscard]] double remaining() const;
};

/// The caller's means to control a run.
struct Control {
  unsigned threads = 0;  ///< number of threads; 0 for all cores
  /// A flag that stops the run when it is set, which a signal handler may do: short cells that are running are finished,
  /// long ones are dropped, and no further cells begin. It may be null.
  const std::atomic<bool>* stop = nullptr;
  /// A function that is called at most ten times a second and once at the end, from one thread at a time; it may be empty.
  std::function<void(const Progress&)> progress = {};

  [[nodiscard]] bool stopped() const {
    return stop != nullptr && stop->load(std::memory_order_relaxed);
  }
};

}  // namespace holdfast
