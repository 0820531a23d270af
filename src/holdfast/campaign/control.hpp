#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

namespace holdfast {

/// How far a run is.
struct Progress {
  std::uint64_t total = 0;  ///< cells asked for
  std::uint64_t found = 0;  ///< of these, finished by earlier runs
  std::uint64_t done = 0;   ///< finished, the found ones included
  double rate = 0;          ///< cells per second of this run, lately
  double seconds = 0;       ///< since this run began its first cell
  /// Seconds that the rest takes at this rate; infinity while nothing is known.
  [[nodiscard]] double remaining() const;
};

/// How the caller steers a run.
struct Control {
  unsigned threads = 0;  ///< 0: all cores
  /// Set it (a signal handler may) and short cells in flight are finished, long ones dropped, the others left;
  /// may be null.
  const std::atomic<bool>* stop = nullptr;
  /// Called from one thread at a time, at most ten times a second and once at the end; may be
  /// empty.
  std::function<void(const Progress&)> progress = {};

  [[nodiscard]] bool stopped() const {
    return stop != nullptr && stop->load(std::memory_order_relaxed);
  }
};

}  // namespace holdfast
