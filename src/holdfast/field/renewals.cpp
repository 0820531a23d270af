#include "holdfast/field/renewals.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <utility>

namespace holdfast::field {
namespace {

/// Age of a processor that has just been renewed, as a part of the law's mean. It is not 0, because some hazard rates are
/// infinite there.
constexpr double kNewborn = 1e-6;

}  // namespace

Renewals::Renewals(std::span<const AgeGroup> groups, Law law) : law_(std::move(law)) {
  std::int64_t first = 0;
  for (const AgeGroup& group : groups) {
    runs_.push_back({.born = -group.age, .first = first, .count = group.count});
    first += group.count;
  }
  std::ranges::stable_sort(runs_, std::ranges::greater{}, &Run::born);
}

std::size_t Renewals::likeliest(double date) const {
  const double least = kNewborn * law_.mean();
  std::size_t best = 0;
  double most = -1;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const double age = std::max(date - runs_[i].born, least);
    const double hazard = static_cast<double>(runs_[i].count) * law_.hazard(age);
    if (hazard > most) {
      most = hazard;
      best = i;
    }
  }
  return best;
}

std::int64_t Renewals::renew(double date, std::optional<std::int64_t> processor) {
  assert(!runs_.empty());
  const auto holds = [&](const Run& run) {
    return processor && *processor >= run.first && *processor < run.first + run.count;
  };
  auto run = std::ranges::find_if(runs_, holds);
  if (run == runs_.end()) {
    run = runs_.begin() + static_cast<std::ptrdiff_t>(likeliest(date));
    processor = run->first + run->count - 1;
  }
  const Run whole = *run;
  runs_.erase(run);
  const auto put = [&](const Run& part) {
    if (part.count == 0) return;
    const auto place =
        std::ranges::find_if(runs_, [&](const Run& other) { return other.born <= part.born; });
    runs_.insert(place, part);
  };
  const std::int64_t before = *processor - whole.first;
  put({.born = whole.born, .first = *processor + 1, .count = whole.count - before - 1});
  put({.born = whole.born, .first = whole.first, .count = before});
  put({.born = date, .first = *processor, .count = 1});
  return *processor;
}

Ages Renewals::at(double date) const {
  std::vector<AgeGroup> groups;
  groups.reserve(runs_.size());
  for (const Run& run : runs_) groups.push_back({.age = date - run.born, .count = run.count});
  return make_ages(std::move(groups));
}

std::int64_t Renewals::by_age(std::int64_t position) const {
  for (const Run& run : runs_) {
    if (position < run.count) return run.first + position;
    position -= run.count;
  }
  assert(false && "there are so many processors");
  return 0;
}

}  // namespace holdfast::field
