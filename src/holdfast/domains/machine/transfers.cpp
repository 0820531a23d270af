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
  // Dates of posting do not fall; those of one date stand in the order of their jobs.
  std::size_t place = requests_.size();
  while (place > 0 && requests_[place - 1].posted == request.posted &&
         requests_[place - 1].application > request.application) {
    --place;
  }
  const auto at = static_cast<std::ptrdiff_t>(place);
  requests_.insert(requests_.begin() + at, request);
  slots_.insert(slots_.begin() + at, slot);
  rates_.insert(rates_.begin() + at, 0.0);
  volumes_.insert(volumes_.begin() + at, request.remaining);
}

void Transfers::remove(std::uint32_t slot) {
  const auto at = static_cast<std::ptrdiff_t>(place(slot));
  requests_.erase(requests_.begin() + at);
  slots_.erase(slots_.begin() + at);
  rates_.erase(rates_.begin() + at);
  volumes_.erase(volumes_.begin() + at);
}

double Transfers::next_end(double now) const {
  double next = bandwidth::kNever;
  for (std::size_t k = 0; k < requests_.size(); ++k) {
    if (rates_[k] > 0) next = std::min(next, now + requests_[k].remaining / rates_[k]);
  }
  return next;
}

void Transfers::advance(double elapsed) {
  for (std::size_t k = 0; k < requests_.size(); ++k) {
    if (rates_[k] == 0) continue;
    Pending& request = requests_[k];
    const double moved = std::min(rates_[k] * elapsed, request.remaining);
    request.remaining -= moved;
    request.progress += moved / request.bandwidth;
  }
}

void Transfers::take_ended(double close, std::vector<std::uint32_t>& slots) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < requests_.size(); ++k) {
    const double remaining = requests_[k].remaining;
    if (rates_[k] > 0 && (remaining <= kTie * volumes_[k] || remaining <= close * rates_[k])) {
      slots.push_back(slots_[k]);
      continue;
    }
    if (kept != k) {
      requests_[kept] = requests_[k];
      slots_[kept] = slots_[k];
      rates_[kept] = rates_[k];
      volumes_[kept] = volumes_[k];
    }
    ++kept;
  }
  requests_.resize(kept);
  slots_.resize(kept);
  rates_.resize(kept);
  volumes_.resize(kept);
}

}  // namespace holdfast::machine
