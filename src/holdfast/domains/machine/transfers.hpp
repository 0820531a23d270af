#pragma once

#include "holdfast/algorithms/bandwidth/strategy.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::machine {

using bandwidth::kTie;
using bandwidth::Pending;
using bandwidth::Situation;

/// Returns four units in the last place of a date. Events closer together than this happen at the same time.
[[nodiscard]] double few_ulps(double date);

/// The operations that wait for the file system or move data, and their rates. Each belongs to a slot; a slot has at most one.
class Transfers {
 public:
  /// @param keeps_progress  true: Pending::progress of running transfers is needed
  explicit Transfers(bool keeps_progress) : keeps_progress_{keeps_progress} {}

  [[nodiscard]] bool empty() const { return requests_.empty(); }
  [[nodiscard]] std::size_t size() const { return requests_.size(); }
  /// Returns the operations in order of (posted, application).
  [[nodiscard]] std::span<Pending> requests() { return requests_; }
  [[nodiscard]] std::uint32_t slot(std::size_t k) const { return slots_[k]; }
  [[nodiscard]] double rate(std::size_t k) const { return rates_[k]; }
  /// Returns the position of a slot's operation. @pre the slot has one
  [[nodiscard]] std::size_t place(std::uint32_t slot) const;

  /// Adds an operation. @param request  its `remaining` is the volume, above 0
  void post(const Pending& request, std::uint32_t slot);
  /// Removes an operation, even if it is not complete.
  void remove(std::uint32_t slot);

  /// Returns true if the last decision gave away all bandwidth in turn, and since then no served operation has ended and no new
  /// one was placed before another. In turn means: in the order in which operations began, then of posting, each with as much
  /// as it can use.
  [[nodiscard]] bool is_full() const { return is_full_; }

  /// Asks the strategy for new rates. changed(k, rate) is called for each operation whose rate is about to change.
  template <class Changed>
  void decide(bandwidth::Strategy& strategy, Situation situation, const Changed& changed) {
    situation.requests = requests_;
    chosen_.resize(requests_.size());
    strategy.decide(situation, chosen_);
    moving_.clear();
    double left = situation.bandwidth;
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      if (chosen_[k] != rates_[k]) changed(k, chosen_[k]);
      if (chosen_[k] == 0) continue;
      moving_.push_back(static_cast<std::uint32_t>(k));
      left -= chosen_[k];
    }
    rates_.swap(chosen_);
    is_full_ = left <= kTie * situation.bandwidth && situation.bandwidth < bandwidth::kNever &&
               is_in_turn();
  }

  /// Returns the date at which the first operation ends at the current rates, in seconds; kNever if none does.
  [[nodiscard]] double next_end(double now) const;
  /// Moves the bytes of that many seconds.
  void advance(double elapsed);
  /// Removes the operations that are complete now, and appends their slots. @param close  few_ulps(now)
  void take_ended(double close, std::vector<std::uint32_t>& slots);

 private:
  void erase(std::size_t place);
  [[nodiscard]] bool is_in_turn() const;

  std::vector<Pending> requests_;
  std::vector<std::uint32_t> slots_;
  std::vector<double> rates_, chosen_, volumes_;
  // positions of the operations with a positive rate, ascending
  std::vector<std::uint32_t> moving_;
  bool keeps_progress_;
  bool is_full_ = false;
};

}  // namespace holdfast::machine
