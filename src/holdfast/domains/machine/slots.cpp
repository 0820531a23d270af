#include "holdfast/domains/machine/slots.hpp"

#include <algorithm>

namespace holdfast::machine {

std::uint32_t Slots::open() {
  ++taken_;
  if (free_.empty()) {
    jobs_.emplace_back();
    due_.push_back(kNever);
    ends_.push_back(kNever);
    return size() - 1;
  }
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  return slot;
}

void Slots::close(std::uint32_t slot) {
  --taken_;
  jobs_[slot] = {};
  due_[slot] = ends_[slot] = kNever;
  free_.push_back(slot);
}

void Slots::set_due(std::uint32_t slot, double date) {
  due_[slot] = date;
  if (date < kNever) dates_.push(date, 0, slot);
}

double Slots::next_due() {
  while (!dates_.empty() && due_[dates_.top().payload] != dates_.top().time) dates_.pop();
  return dates_.empty() ? kNever : dates_.top().time;
}

void Slots::take_due(double reached, std::vector<std::uint32_t>& slots) {
  for (; next_due() <= reached; dates_.pop()) {
    const std::uint32_t slot = dates_.top().payload;
    due_[slot] = kNever;
    slots.push_back(slot);
  }
  sort_by_job(slots);
}

void Slots::sort_by_job(std::vector<std::uint32_t>& slots) {
  if (slots.size() < 2) return;
  std::sort(slots.begin(), slots.end(),
            [&](std::uint32_t a, std::uint32_t b) { return jobs_[a].index < jobs_[b].index; });
}

double Slots::next_end() const {
  double next = kNever;
  for (const double date : ends_) next = std::min(next, date);
  return next;
}

}  // namespace holdfast::machine
