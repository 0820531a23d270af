#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

namespace holdfast {

/// The progress of a run.
struct Progress {
  std::uint64_t total = 0;  ///< cells that the campaign asks for
  std::uint64_t found = 0;  ///< cells that earlier runs have finished
  std::uint64_t done = 0;   ///< finished cells, including those of earlier runs
  double rate = 0;          ///< cells per second in the last seconds of this run
  double seconds = 0;       ///< seconds since this run began its first cell
  /// Returns the estimated time for the remaining cells in seconds; infinity while the rate is unknown.
  [[nodiscard]] double remaining() const;
};

/// Settings and a stop flag through which the caller controls a run.
struct Control {
  unsigned threads = 0;  ///< number of threads; 0 for all cores
  /// A flag that stops the run when it is set; a signal handler may set it. Short cells that are running are finished, long
  /// ones are dropped, and no new cells begin. It may be null.
  const std::atomic<bool>* stop = nullptr;
  /// A function that is called at most ten times a second and once at the end, by one thread at a time. It may be empty.
  std::function<void(const Progress&)> progress = {};

  [[nodiscard]] bool stopped() const {
    return stop != nullptr && stop->load(std::memory_order_relaxed);
  }
};

}  // namespace holdfast
