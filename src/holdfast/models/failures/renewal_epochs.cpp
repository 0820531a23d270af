#include "holdfast/models/failures/renewal_epochs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace holdfast {
namespace {

constexpr std::size_t kStep = 8;     // failures between epochs
constexpr std::size_t kLeftOut = 4;  // latest failures before an epoch that its table leaves out
constexpr std::size_t kCensusStep = 1024;  // failures between censuses
constexpr std::size_t kFewGroups = 4;      // initial groups that are kept out of the tables
constexpr std::size_t kMostEpochs = 8192;  // about 5 kB each
constexpr double kReach = 4;       // a table covers this many means, and more on small platforms
constexpr int kBinResolution = 4;  // bins of ages: 16 per octave, 23 per factor e

constexpr std::uint32_t kNotYet = std::numeric_limits<std::uint32_t>::max();

// Processors binned by the logarithm of their age; each bin holds its number of processors and their mean renewal date.
class Bins {
 public:
  /// Makes empty bins for ages in (0, now].
  explicit Bins(double now)
      : now_{now},
        first_{grid_.cell(std::ldexp(now, -40))},
        bins_(static_cast<std::size_t>(grid_.cell(now) - first_ + 1)) {}

  void add(double date, double weight) {
    const std::int64_t cell = grid_.cell(now_ - date);
    Bin& bin = bins_[static_cast<std::size_t>(std::max(cell - first_, std::int64_t{0}))];
    bin.weight += weight;
    bin.sum += weight * date;
  }
  /// Calls take(mean date, weight) for each bin that is not empty, youngest first.
  template <class Function>
  void for_each(const Function& take) const {
    for (const Bin& bin : bins_) {
      if (bin.weight > 0) take(bin.sum / bin.weight, bin.weight);
    }
  }

 private:
  struct Bin {
    double weight = 0;
    double sum = 0;
  };
  OctaveGrid grid_{kBinResolution};
  double now_;
  std::int64_t first_;
  std::vector<Bin> bins_;
};

}  // namespace

void RenewalEpochs::follow_trace() {
  const auto failures = trace_.failures();
  while (ended_.size() < failures.size()) {
    const std::int32_t previous = failures[ended_.size()].previous;
    if (previous >= 0) {
      ended_[static_cast<std::size_t>(previous)] = static_cast<std::uint32_t>(ended_.size());
    }
    ended_.push_back(kNotYet);
  }
}

const RenewalEpoch& RenewalEpochs::before(std::size_t seen) {
  follow_trace();
  const std::size_t index = seen / kStep;
  if (index < epochs_.size() && epochs_[index]) return *epochs_[index];
  if (kept_ == kMostEpochs) {
    epochs_.clear();
    kept_ = 0;
  }
  if (index >= epochs_.size()) epochs_.resize(index + 1);
  epochs_[index] = std::make_unique<RenewalEpoch>();
  ++kept_;
  build(*epochs_[index], index);
  return *epochs_[index];
}

const RenewalEpochs::Census& RenewalEpochs::census_before(std::size_t begin) {
  const std::size_t index = begin / kCensusStep;
  if (index >= censuses_.size()) censuses_.resize(index + 1);
  if (censuses_[index]) return *censuses_[index];
  auto census = std::make_unique<Census>();
  census->begin = index * kCensusStep;
  census->failed.assign(trace_.initial_groups().size(), 0);
  if (census->begin > 0) {
    const auto failures = trace_.failures().first(census->begin);
    Bins bins{failures.back().date};
    for (std::size_t i = 0; i < failures.size(); ++i) {
      if (failures[i].previous < 0) ++census->failed[trace_.group_of(failures[i].processor)];
      if (is_latest(i, census->begin)) bins.add(failures[i].date, 1);
    }
    bins.for_each([&](double date, double weight) { census->bins.push_back({date, weight}); });
  }
  censuses_[index] = std::move(census);
  return *censuses_[index];
}

void RenewalEpochs::build(RenewalEpoch& epoch, std::size_t index) {
  const auto failures = trace_.failures();
  const std::size_t end = index * kStep;
  epoch.begin = end > kLeftOut ? end - kLeftOut : 0;
  epoch.date = end > 0 ? failures[end - 1].date : 0;

  const Census& census = census_before(epoch.begin);
  std::vector<std::int64_t> failed = census.failed;
  // `present` holds what the census counted and the renewals since then; `ended` holds the counted renewals that have ended
  // since.
  Bins present{epoch.date};
  Bins ended{epoch.date};
  for (const Renewals& bin : census.bins) present.add(bin.date, bin.weight);
  for (std::size_t i = census.begin; i < epoch.begin; ++i) {
    const Failure& failure = failures[i];
    if (is_latest(i, epoch.begin)) present.add(failure.date, 1);
    if (failure.previous < 0) {
      ++failed[trace_.group_of(failure.processor)];
    } else if (static_cast<std::size_t>(failure.previous) < census.begin) {
      ended.add(failure.renewed, 1);
    }
  }
  std::vector<HazardTerm> terms;
  const auto add = [&](double date, double weight) {
    terms.push_back({.age = epoch.date - date, .weight = weight});
  };
  present.for_each([&](double date, double weight) { add(date, weight); });
  ended.for_each([&](double date, double weight) { add(date, -weight); });

  const auto groups = trace_.initial_groups();
  const bool are_few = groups.size() <= kFewGroups;
  std::vector<AgeGroup> never_failed;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::int64_t left = groups[g].count - failed[g];
    if (are_few) {
      epoch.never_failed.push_back({-groups[g].age, static_cast<double>(left)});
    } else if (left > 0) {
      never_failed.push_back({.age = groups[g].age + epoch.date, .count = left});
    }
  }
  for (const AgeGroup& group : compressed(make_ages(std::move(never_failed))).groups) {
    add(epoch.date - group.age, static_cast<double>(group.count));
  }
  if (terms.empty()) return;

  std::sort(terms.begin(), terms.end(), [](const HazardTerm& a, const HazardTerm& b) {
    return a.age != b.age ? a.age < b.age : a.weight < b.weight;
  });
  const double reach = kReach * std::max(1.0, 256 / static_cast<double>(trace_.processors()));
  epoch.has_table = true;
  epoch.youngest = terms.front().age;
  epoch.table.assign(law_, terms, reach * law_.mean(), CurveAccuracy::fast);
  epoch.table.shrink();
}

}  // namespace holdfast
