#pragma once

#include "holdfast/domains/volatile/instance.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace holdfast::volatile_workers {

/// The states of all workers, slot after slot, with one record per slot in which a state changes. Records are made when a run
/// needs them and are kept, so that all strategies see the same states. A record holds two sets of workers (those that are up,
/// and those that are down) as bits, 64 to a word.
class Availability {
 public:
  explicit Availability(std::size_t workers) : workers_{workers}, words_{(workers + 63) / 64} {}
  virtual ~Availability() = default;
  Availability(const Availability&) = delete;
  Availability& operator=(const Availability&) = delete;

  [[nodiscard]] std::size_t workers() const { return workers_; }
  [[nodiscard]] std::size_t words() const { return words_; }

  /// Returns true if there is a record with that number, and makes it if necessary.
  [[nodiscard]] bool reach(std::size_t record) {
    while (record >= slots_.size() && !ended_) extend();
    return record < slots_.size();
  }
  /// Returns the slot from which a record is valid. @pre reach(record)
  [[nodiscard]] std::int64_t slot(std::size_t record) const { return slots_[record]; }
  /// Returns the slot from which it is no longer valid: that of the next record, or end().
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
  /// Returns the number of slots that will be known. A run that needs more is exhausted.
  [[nodiscard]] std::int64_t end() const { return end_; }

 protected:
  /// Makes at least one more record, or ends the records.
  virtual void extend() = 0;
  /// Adds a record, unless nothing has changed. @pre the slot is after that of the last record
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

/// Returns the availability that the instance lists as letters.
[[nodiscard]] std::unique_ptr<Availability> recorded_availability(
    std::span<const std::string> states);

/// The name of a draw of the availability, which is the same for every strategy.
struct AvailabilityDraw {
  std::uint64_t seed = 1;
  std::uint64_t instance = 0;
  std::uint64_t scenario = 0;
  std::uint64_t sample = 0;  ///< another sample with the same seed
};

/// Returns a drawn availability, which ends at the slot limit. For each worker, the time in a state and the next state are
/// drawn; holding times are geometric, or follow the instance's law with the same means.
[[nodiscard]] std::unique_ptr<Availability> drawn_availability(const Instance& instance,
                                                               const AvailabilityDraw& draw);

/// An interval of slots [start, end) in which a worker is reclaimed or down.
struct Absence {
  WorkerState state = WorkerState::down;
  std::int64_t start = 0;
  std::int64_t end = 0;

  friend bool operator==(const Absence&, const Absence&) = default;
};

/// Returns the intervals before slot `last` in which a worker is not up, in order of time.
[[nodiscard]] std::vector<Absence> absences(Availability& availability, std::size_t worker,
                                            std::int64_t last);

/// Returns the scale for which ceil(scale * X) has that mean, where X has the given law, so that holding times are whole slots;
/// 0 for a mean of 1. @pre mean >= 1
[[nodiscard]] double slot_scale(const Law& law, double mean);

}  // namespace holdfast::volatile_workers
