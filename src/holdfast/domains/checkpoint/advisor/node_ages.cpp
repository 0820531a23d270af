#include "holdfast/domains/checkpoint/advisor/node_ages.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace holdfast::checkpoint {
namespace {

/// Number of groups beyond which ages are binned. Bins only get finer as nodes age together: Lambda stays accurate to 8e-5.
constexpr std::size_t kMostGroups = 2000;
/// The age, in mean lives, whose hazard a node has that was renewed at this instant: at age 0 the hazard may be infinite.
constexpr double kNewborn = 1e-9;

Ages grouped(std::span<const double> ages) {
  std::vector<AgeGroup> groups;
  groups.reserve(ages.size());
  for (const double age : ages) groups.push_back({.age = age, .count = 1});
  return make_ages(std::move(groups));
}

}  // namespace

NodeAges::NodeAges(std::shared_ptr<const TabulatedLaw> law, const Ages& ages, double now,
                   bool renews_all)
    : law_{std::move(law)}, renews_all_{renews_all}, count_{ages.processors()} {
  set(ages, now);
}

NodeAges::NodeAges(std::shared_ptr<const TabulatedLaw> law, std::span<const double> ages,
                   double now)
    : NodeAges(std::move(law), grouped(ages), now) {
  born_.reserve(ages.size());
  for (const double age : ages) born_.push_back(now - age);
}

void NodeAges::set(const Ages& ages, double now) {
  assert(!ages.groups.empty());
  const bool is_many = ages.groups.size() > kMostGroups;
  const Ages few = is_many ? compressed(ages) : Ages{};
  const std::vector<AgeGroup>& groups = is_many ? few.groups : ages.groups;
  groups_.clear();
  groups_.reserve(kMostGroups + 1);
  terms_.reserve(kMostGroups + 1);
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    groups_.push_back({.born = now - group->age, .count = group->count});
  }
}

void NodeAges::renew(double now, std::optional<std::size_t> node) {
  if (renews_all_) {
    groups_.assign(1, {.born = now, .count = count_});
  } else if (node && *node < born_.size()) {
    renew_group(now, nearest(born_[*node]), now);
    born_[*node] = now;
  } else {
    renew_group(now, likeliest(now), now);
  }
}

void NodeAges::renew_born(double now, double born) {
  if (renews_all_) return renew(now, std::nullopt);
  renew_group(now, nearest(born), now);
}

void NodeAges::replace(double now, std::optional<std::size_t> node, std::optional<double> born) {
  if (renews_all_) return;
  const double birth = std::min(born.value_or(middle_birth()), now);
  const bool is_known = node && *node < born_.size();
  renew_group(now, is_known ? nearest(born_[*node]) : groups_.size() - 1, birth);
  if (is_known) born_[*node] = birth;
}

double NodeAges::middle_birth() const {
  std::int64_t before = 0;
  for (const Group& group : groups_) {
    before += group.count;
    if (2 * before >= count_) return group.born;
  }
  return groups_.back().born;
}

void NodeAges::renew_group(double now, std::size_t group, double born) {
  if (--groups_[group].count == 0) {
    groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(group));
  }
  const auto later = std::partition_point(groups_.begin(), groups_.end(),
                                          [&](const Group& other) { return other.born < born; });
  if (later != groups_.end() && (later->born == born || born == now)) {
    ++later->count;
    return;
  }
  groups_.insert(later, {.born = born, .count = 1});
  if (groups_.size() > kMostGroups) set(compressed(at(now)), now);
}

std::size_t NodeAges::nearest(double born) const {
  const auto later = std::partition_point(groups_.begin(), groups_.end(),
                                          [&](const Group& group) { return group.born < born; });
  if (later == groups_.begin()) return 0;
  const auto earlier = later - 1;
  const bool is_later = later != groups_.end() && later->born - born <= born - earlier->born;
  return static_cast<std::size_t>((is_later ? later : earlier) - groups_.begin());
}

std::size_t NodeAges::likeliest(double now) const {
  const double least = kNewborn * law_->mean();
  std::size_t best = 0;
  double most = -1;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const double age = std::max(now - groups_[i].born, least);
    const double hazard = static_cast<double>(groups_[i].count) * law_->at(age).hazard;
    if (hazard > most) {
      most = hazard;
      best = i;
    }
  }
  return best;
}

double NodeAges::expected(double from, double to) const {
  double sum = 0;
  for (const Group& group : groups_) {
    const double begin = std::max(from - group.born, 0.0);
    const double end = std::max(to - group.born, begin);
    sum += static_cast<double>(group.count) *
           (law_->cumulative_hazard(end) - law_->cumulative_hazard(begin));
  }
  return sum;
}

void NodeAges::fill(double date, double span, double weight, HazardCurve& out) {
  terms_.clear();
  for (auto group = groups_.rbegin(); group != groups_.rend(); ++group) {
    terms_.push_back({.age = std::max(date - group->born, 0.0),
                      .weight = weight * static_cast<double>(group->count)});
  }
  out.assign(*law_, terms_, span, CurveAccuracy::fast);
}

Ages NodeAges::at(double date) const {
  Ages out;
  for (auto group = groups_.rbegin(); group != groups_.rend(); ++group) {
    out.groups.push_back({.age = std::max(date - group->born, 0.0), .count = group->count});
  }
  return out;
}

}  // namespace holdfast::checkpoint
