#include "holdfast/models/failures/platform_hazard.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace holdfast {
namespace {

constexpr std::size_t kStep = 16;      // failures between epochs
constexpr std::size_t kLeftOut = 8;    // latest failures before an epoch that its table leaves out
constexpr std::size_t kFewGroups = 4;  // initial groups that are terms of their own
constexpr std::size_t kMostEpochs = 4096;  // about 6 kB each
constexpr double kReach = 4;               // means that a table covers, more on small platforms
constexpr int kBinResolution = 4;          // bins of ages: 16 per octave, 23 per factor e

constexpr std::uint32_t kNotYet = std::numeric_limits<std::uint32_t>::max();

// Ages in falling order, binned on the way.
class Bins {
 public:
  void add(double age, std::int64_t count) {
    const std::int64_t cell = grid_.cell(age);
    if (groups_.empty() || cell != cell_) {
      close();
      cell_ = cell;
      groups_.push_back({.age = 0, .count = 0});
    }
    groups_.back().count += count;
    sum_ += age * static_cast<double>(count);
  }
  /// The groups in rising order.
  [[nodiscard]] std::vector<AgeGroup> finish() {
    close();
    std::reverse(groups_.begin(), groups_.end());
    return std::move(groups_);
  }

 private:
  void close() {
    if (!groups_.empty()) groups_.back().age = sum_ / static_cast<double>(groups_.back().count);
    sum_ = 0;
  }

  OctaveGrid grid_{kBinResolution};
  std::int64_t cell_ = 0;
  double sum_ = 0;
  std::vector<AgeGroup> groups_;
};

}  // namespace

void PlatformHazard::follow_trace() {
  const auto failures = trace_.failures();
  while (ended_.size() < failures.size()) {
    const std::int32_t previous = failures[ended_.size()].previous;
    if (previous >= 0) {
      ended_[static_cast<std::size_t>(previous)] = static_cast<std::uint32_t>(ended_.size());
    }
    ended_.push_back(kNotYet);
  }
}

void PlatformHazard::build(Epoch& epoch, std::size_t index) const {
  const auto failures = trace_.failures();
  const std::size_t end = index * kStep;
  epoch.begin = end > kLeftOut ? end - kLeftOut : 0;
  epoch.date = end > 0 ? failures[end - 1].date : 0;

  // Who never failed.
  const auto groups = trace_.initial_groups();
  const bool are_few = groups.size() <= kFewGroups;
  std::vector<std::int64_t> ends;
  std::int64_t count = 0;
  for (const AgeGroup& group : groups) ends.push_back(count += group.count);
  std::vector<std::int64_t> failed(groups.size(), 0);
  // Who is renewed before `begin` and has not failed again: in order of failure, so oldest first.
  Bins bins;
  for (std::size_t i = 0; i < epoch.begin; ++i) {
    if (failures[i].previous < 0) {
      const auto group = std::upper_bound(ends.begin(), ends.end(), failures[i].processor);
      ++failed[static_cast<std::size_t>(group - ends.begin())];
    }
    if (ended_[i] >= epoch.begin) bins.add(epoch.date - failures[i].date, 1);
  }

  Ages ages{.groups = bins.finish()};
  std::vector<AgeGroup> never_failed;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::int64_t left = groups[g].count - failed[g];
    if (are_few) {
      epoch.groups.push_back({-groups[g].age, static_cast<double>(left)});
    } else if (left > 0) {
      never_failed.push_back({.age = groups[g].age + epoch.date, .count = left});
    }
  }
  const Ages initial = compressed(make_ages(std::move(never_failed)));
  ages.groups.insert(ages.groups.end(), initial.groups.begin(), initial.groups.end());
  epoch.has_table = !ages.groups.empty();
  if (!epoch.has_table) return;
  const double reach = kReach * std::max(1.0, 256 / static_cast<double>(trace_.processors()));
  epoch.older.assign(law_, ages, reach * law_.mean(), CurveAccuracy::fast);
  epoch.older.shrink();
}

const PlatformHazard::Epoch& PlatformHazard::epoch_before(std::size_t seen) {
  follow_trace();
  const std::size_t index = seen / kStep;
  if (index < epochs_.size() && epochs_[index]) return *epochs_[index];
  if (kept_ == kMostEpochs) {
    epochs_.clear();
    kept_ = 0;
  }
  if (index >= epochs_.size()) epochs_.resize(index + 1);
  epochs_[index] = std::make_unique<Epoch>();
  ++kept_;
  build(*epochs_[index], index);
  return *epochs_[index];
}

void PlatformHazard::collect_terms(const Epoch& epoch, std::size_t seen) {
  const auto failures = trace_.failures();
  terms_.assign(epoch.groups.begin(), epoch.groups.end());
  for (std::size_t i = epoch.begin; i < seen; ++i) {
    const Failure& failure = failures[i];
    if (ended_[i] >= seen) terms_.push_back({failure.date, 1});
    if (failure.previous >= static_cast<std::int32_t>(epoch.begin)) continue;
    const auto is_its_group = [&](const Term& term) { return term.renewed == failure.renewed; };
    const auto groups_end = terms_.begin() + static_cast<std::ptrdiff_t>(epoch.groups.size());
    const auto group =
        failure.previous < 0 ? std::find_if(terms_.begin(), groups_end, is_its_group) : groups_end;
    if (group != groups_end) {
      group->weight -= 1;
    } else {
      terms_.push_back({failure.renewed, -1});
    }
  }
  std::erase_if(terms_, [](const Term& term) { return term.weight == 0; });
}

void PlatformHazard::fill(std::size_t seen, double date, double span, HazardCurve& out) {
  const auto failures = trace_.failures();
  assert(seen <= failures.size() && (seen == 0 || failures[seen - 1].date <= date));
  if (trace_.rejuvenates_all()) {
    out.assign(law_, trace_.ages_at(seen, date), span, CurveAccuracy::fast);
    return;
  }
  const Epoch& epoch = epoch_before(seen);
  const double lag = date - epoch.date;
  if (epoch.has_table && lag + span > epoch.older.span()) {
    out.assign(law_, compressed(trace_.ages_at(seen, date)), span, CurveAccuracy::fast);
    return;
  }
  collect_terms(epoch, seen);
  double latest = seen > 0 ? failures[seen - 1].date : -std::numeric_limits<double>::infinity();
  for (const Term& term : terms_) latest = std::max(latest, term.renewed);
  if (seen == 0 && epoch.has_table) {
    for (const AgeGroup& group : trace_.initial_groups()) latest = std::max(latest, -group.age);
  }
  out.begin(date - latest, span, curve_resolution(law_, CurveAccuracy::fast),
            law_.law().is_smooth());
  if (epoch.has_table) {
    const double start = epoch.older.cumulative(lag);
    out.add_function([&](double x, Jet& jet) {
      const HazardValue value = epoch.older.at(x + lag);
      jet = {value.cumulative - start, value.hazard, value.slope};
    });
  }
  for (const Term& term : terms_) out.add(law_, date - term.renewed, term.weight);
  out.finish();
}

double PlatformHazard::hazard(std::size_t seen, double date) {
  if (trace_.rejuvenates_all()) {
    return platform_hazard(law_.law(), trace_.ages_at(seen, date), 0).hazard;
  }
  const Epoch& epoch = epoch_before(seen);
  if (epoch.has_table && date - epoch.date > epoch.older.span()) {
    return platform_hazard(law_.law(), compressed(trace_.ages_at(seen, date)), 0).hazard;
  }
  collect_terms(epoch, seen);
  double sum = epoch.has_table ? epoch.older.hazard(date - epoch.date) : 0;
  for (const Term& term : terms_) sum += term.weight * law_.at(date - term.renewed).hazard;
  return sum;
}

}  // namespace holdfast
