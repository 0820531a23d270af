#include "holdfast/domains/workflow/aged_failures.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace holdfast::workflow {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

StreamKey of_places(StreamKey key) {
  key.purpose = Purpose::choices;
  return key;
}

}  // namespace

AgedFailures::AgedFailures(std::shared_ptr<const TabulatedLaw> law, const Instance& instance,
                           const StreamKey& key)
    : trace_{FailureTrace::sample(std::move(law), instance.processors, key)},
      start_{instance.platform_age},
      shuffles_{true},
      stream_{of_places(key)} {}

AgedFailures::AgedFailures(FailureTrace trace, double start)
    : trace_{std::move(trace)}, start_{start}, shuffles_{false}, stream_{StreamKey{}} {}

std::uint32_t AgedFailures::place(std::uint32_t number) {
  if (!shuffles_) return number;
  const auto [found, is_new] = places_.try_emplace(number, 0U);
  while (is_new) {
    found->second = static_cast<std::uint32_t>(stream_.integer(0, trace_.processors() - 1));
    if (taken_.insert(found->second).second) break;
  }
  return found->second;
}

void AgedFailures::reach(double date) {
  if (date <= until_) return;
  trace_.reach_date(start_ + date);
  until_ = date;
  const auto failures = trace_.failures();
  for (; known_ < failures.size(); ++known_) {
    const Failure& failure = failures[known_];
    dates_[place(failure.processor)].push_back(failure.date - start_);
  }
}

double AgedFailures::next(std::span<const std::uint32_t> processors, double from, double until) {
  reach(until);
  double first = kNever;
  if (dates_.empty()) return first;
  for (const std::uint32_t processor : processors) {
    const auto found = dates_.find(processor);
    if (found == dates_.end()) continue;
    const auto date = std::ranges::lower_bound(found->second, from);
    if (date != found->second.end()) first = std::min(first, *date);
  }
  return first < until ? first : kNever;
}

Ages AgedFailures::ages(std::span<const std::uint32_t> processors, double at) const {
  std::vector<AgeGroup> groups;
  AgeGroup never_failed{.age = start_ + at, .count = 0};
  for (const std::uint32_t processor : processors) {
    const auto found = dates_.find(processor);
    if (found == dates_.end() || found->second.front() >= at) {
      ++never_failed.count;
      continue;
    }
    const auto date = std::ranges::lower_bound(found->second, at);
    groups.push_back({.age = at - *std::prev(date), .count = 1});
  }
  if (never_failed.count > 0) groups.push_back(never_failed);
  return make_ages(std::move(groups));
}

}  // namespace holdfast::workflow
