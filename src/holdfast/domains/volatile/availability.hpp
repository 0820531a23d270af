#pragma once

#include "holdfast/domains/volatile/instance.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace holdfast::volatile_workers {

/// Who is up and who is down, slot after slot: one record per slot in which somebody's state
/// changes, made as far as a run needs it and kept, so that all strategies meet the same states.
/// A record holds two sets of workers as bits, 64 to a word.
class Availability {
 public:
  explicit Availability(std::size_t workers) : workers_{workers}, words_{(workers + 63) / 64} {}
  virtual ~Availability() = default;
  Availability(const Availability&) = delete;
  Availability& operator=(const Availability&) = delete;

  [[nodiscard]] std::size_t workers() const { return workers_; }
  [[nodiscard]] std::size_t words() const { return words_; }

  /// Returns true if there is a record of that number; makes it where it is still to come.
  [[nodiscard]] bool reach(std::size_t record) {
    while (record >= slots_.size() && !ended_) extend();
    return record < slots_.size();
  }
  /// Slot from which a record holds. @pre reach(record)
  [[nodiscard]] std::int64_t slot(std::size_t record) const { return slots_[record]; }
  /// Slot from which it no longer holds: that of the next record, or end().
  [[nodiscard]] std::int64_t until(std::size_t record) {
    return reach(record + 1) ? slots_[record + 1] : end_;
  }
  [[nodiscard]] const std::uint64_t* up(std::size_t record) const {
    return masks_.data() + 2 * words_ * record;
  }
  [[nodiscard]] const std::uint64_t* down(std::size_t record) const { return up(record) + words_; }
  [[nodiscard]] WorkerState state(std::size_t record, std::size_t worker) const {
    const std::size_t word = worker / 64, bit = worker % 64;
    if ((up(record)[word] >> bit) & 1) return WorkerState::up;
    return (down(record)[word] >> bit) & 1 ? WorkerState::down : WorkerState::reclaimed;
  }
  /// Slots that are known in the end; a run that needs more is exhausted.
  [[nodiscard]] std::int64_t end() const { return end_; }

 protected:
  /// Makes at least one more record, or ends.
  virtual void extend() = 0;
  /// Adds a record unless nothing changed. @pre slot beyond the last record's
  void add(std::int64_t slot, std::span<const std::uint64_t> up,
           std::span<const std::uint64_t> down);
  void finish(std::int64_t end) {
    ended_ = true;
    end_ = end;
  }

 private:
  std::size_t workers_, words_;
  std::vector<std::int64_t> slots_;
  std::vector<std::uint64_t> masks_;  ///< [record][up, down][word]
  bool ended_ = false;
  std::int64_t end_ = std::numeric_limits<std::int64_t>::max();
};

/// Returns the letters of the instance.
[[nodiscard]] std::unique_ptr<Availability> recorded_availability(
    std::span<const std::string> states);

/// Which draw of the availability: the same for every strategy.
struct AvailabilityDraw {
  std::uint64_t seed = 1;
  std::uint64_t instance = 0;
  std::uint64_t scenario = 0;
  std::uint64_t sample = 0;  ///< another sample with the same seed
};

/// Returns each worker draws how long it stays in a state and which comes next: geometric holding times, or
/// those of the instance's law with the same means. Ends at the slot limit.
[[nodiscard]] std::unique_ptr<Availability> drawn_availability(const Instance& instance,
                                                               const AvailabilityDraw& draw);

/// A worker is reclaimed or down in the slots [start, end).
struct Absence {
  WorkerState state = WorkerState::down;
  std::int64_t start = 0;
  std::int64_t end = 0;

  friend bool operator==(const Absence&, const Absence&) = default;
};

/// When a worker is not up before slot `last`, in order of time.
[[nodiscard]] std::vector<Absence> absences(Availability& availability, std::size_t worker,
                                            std::int64_t last);

/// Returns the scale with which ceil(scale * X) has that mean, X of a law: holding times in whole slots.
/// @pre mean >= 1; returns 0 for 1
[[nodiscard]] double slot_scale(const Law& law, double mean);

}  // namespace holdfast::volatile_workers
