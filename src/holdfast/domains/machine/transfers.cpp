#include "holdfast/domains/machine/transfers.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace holdfast::machine {

double few_ulps(double date) {
  constexpr double kUlps = 4;
  return kUlps * (std::nextafter(date, std::numeric_limits<double>::infinity()) - date);
}

std::size_t Transfers::place(std::uint32_t slot) const {
  const auto found = std::find(slots_.begin(), slots_.end(), slot);
  assert(found != slots_.end());
  return static_cast<std::size_t>(found - slots_.begin());
}

void Transfers::post(const Pending& request, std::uint32_t slot) {
  // Dates of posting never decrease; requests of one date are in the order of their jobs.
  std::size_t place = requests_.size();
  while (place > 0 && requests_[place - 1].posted == request.posted &&
         requests_[place - 1].application > request.application) {
    --place;
  }
  if (place < requests_.size()) is_full_ = false;
  for (std::uint32_t& moving : moving_) moving += moving >= place ? 1 : 0;
  const auto at = static_cast<std::ptrdiff_t>(place);
  requests_.insert(requests_.begin() + at, request);
  slots_.insert(slots_.begin() + at, slot);
  rates_.insert(rates_.begin() + at, 0.0);
  volumes_.insert(volumes_.begin() + at, request.remaining);
}

void Transfers::remove(std::uint32_t slot) {
  erase(place(slot));
}

void Transfers::erase(std::size_t place) {
  if (rates_[place] > 0) {
    is_full_ = false;
    moving_.erase(std::find(moving_.begin(), moving_.end(), place));
  }
  for (std::uint32_t& moving : moving_) moving -= moving > place ? 1 : 0;
  const auto at = static_cast<std::ptrdiff_t>(place);
  requests_.erase(requests_.begin() + at);
  slots_.erase(slots_.begin() + at);
  rates_.erase(rates_.begin() + at);
  volumes_.erase(volumes_.begin() + at);
}

// Returns true if an operation that has less than it can use comes after all others that move data.
bool Transfers::is_in_turn() const {
  for (const std::uint32_t k : moving_) {
    if (rates_[k] >= requests_[k].bandwidth) continue;
    for (const std::uint32_t other : moving_) {
      if (other > k || requests_[other].begun > requests_[k].begun) return false;
    }
  }
  return true;
}

double Transfers::next_end(double now) const {
  double next = bandwidth::kNever;
  for (const std::uint32_t k : moving_) {
    next = std::min(next, now + requests_[k].remaining / rates_[k]);
  }
  return next;
}

void Transfers::advance(double elapsed) {
  for (const std::uint32_t k : moving_) {
    Pending& request = requests_[k];
    const double moved = std::min(rates_[k] * elapsed, request.remaining);
    request.remaining -= moved;
    if (keeps_progress_) request.progress += moved / request.bandwidth;
  }
}

void Transfers::take_ended(double close, std::vector<std::uint32_t>& slots) {
  // From the last one backwards, so that the positions of the others do not change.
  for (std::size_t i = moving_.size(); i-- > 0;) {
    const std::uint32_t k = moving_[i];
    const double remaining = requests_[k].remaining;
    if (remaining > kTie * volumes_[k] && remaining > close * rates_[k]) continue;
    slots.push_back(slots_[k]);
    erase(k);
  }
}

}  // namespace holdfast::machine
