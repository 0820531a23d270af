#include "holdfast/domains/checkpoint/generator.hpp"

#include "holdfast/domains/checkpoint/realisation.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace holdfast::checkpoint {
namespace {

/// Numbers the processors of a trace within their groups of equal age.
class Renumbering {
 public:
  explicit Renumbering(std::span<const AgeGroup> groups) : groups_(groups.begin(), groups.end()) {
    std::int64_t first = 0;
    for (const AgeGroup& group : groups_) {
      next_.push_back(first);
      first += group.count;
    }
  }

  /// Returns the number of a processor.
  /// @param age  age at the job's start, used when a processor is asked for the first time
  std::int64_t number(std::uint32_t processor, double age) {
    const auto [place, is_new] = numbers_.try_emplace(processor, 0);
    if (is_new) place->second = next_[group_of(age)]++;
    return place->second;
  }

 private:
  std::size_t group_of(double age) const {
    const auto group =
        std::lower_bound(groups_.begin(), groups_.end(), age,
                         [](const AgeGroup& left, double right) { return left.age < right; });
    assert(group != groups_.end() && group->age == age);
    return static_cast<std::size_t>(group - groups_.begin());
  }

  std::vector<AgeGroup> groups_;
  std::vector<std::int64_t> next_;  ///< of each group
  std::unordered_map<std::uint32_t, std::int64_t> numbers_;
};

}  // namespace

Instance generate(const Instance& instance, const Draw& draw, double duration) {
  assert(instance.law && duration > 0);
  const auto law = std::make_shared<const TabulatedLaw>(*instance.law);
  const auto realisation = Realisation::make(instance, law, draw);
  FailureTrace& trace = realisation->trace();
  const double start = start_date(instance);
  trace.reach_date(start + duration);
  const Ages ages = trace.ages_at(start);

  Instance out = instance;
  out.ages.assign(ages.groups.begin(), ages.groups.end());
  out.horizon = instance.platform_age + duration;
  out.events.emplace();
  Renumbering numbers(out.ages);
  for (std::size_t i = trace.index_at(start); i < trace.failures().size(); ++i) {
    const Failure& failure = trace.failures()[i];
    if (failure.date - start > duration) break;
    // A processor that fails again was numbered at its first failure; its age then no longer matters.
    out.events->push_back(
        {failure.date - start, numbers.number(failure.processor, start - failure.renewed)});
  }
  return out;
}

}  // namespace holdfast::checkpoint
