#include "holdfast/models/failures/platform_hazard.hpp"

#include <algorithm>
#include <cassert>

namespace holdfast {

void PlatformHazard::collect_terms(const RenewalEpoch& epoch, std::size_t seen) {
  const auto failures = trace_.failures();
  renewals_.assign(epoch.never_failed.begin(), epoch.never_failed.end());
  for (std::size_t i = epoch.begin; i < seen; ++i) {
    const Failure& failure = failures[i];
    if (epochs_.is_latest(i, seen)) renewals_.push_back({failure.date, 1});
    if (failure.previous >= static_cast<std::int32_t>(epoch.begin)) continue;
    // The failure ended an earlier renewal: one processor fewer in its initial group, or in the table.
    const auto groups_end =
        renewals_.begin() + static_cast<std::ptrdiff_t>(epoch.never_failed.size());
    const auto group = failure.previous >= 0
                           ? groups_end
                           : std::find_if(renewals_.begin(), groups_end, [&](const Renewals& r) {
                               return r.date == failure.renewed;
                             });
    if (group != groups_end) {
      group->weight -= 1;
    } else {
      renewals_.push_back({failure.renewed, -1});
    }
  }
  std::erase_if(renewals_, [](const Renewals& r) { return r.weight == 0; });
}

void PlatformHazard::fill(std::size_t seen, double date, double span, HazardCurve& out) {
  assert(seen <= trace_.failures().size() &&
         (seen == 0 || trace_.failures()[seen - 1].date <= date));
  if (trace_.rejuvenates_all()) {
    out.assign(law_, trace_.ages_at(seen, date), span, CurveAccuracy::fast);
    return;
  }
  const RenewalEpoch& epoch = epochs_.before(seen);
  const double lag = date - epoch.date;
  if (epoch.has_table && lag + span > epoch.table.span()) {  // far beyond any real plan
    out.assign(law_, compressed(trace_.ages_at(seen, date)), span, CurveAccuracy::fast);
    return;
  }
  collect_terms(epoch, seen);
  terms_.clear();
  for (const Renewals& r : renewals_) terms_.push_back({.age = date - r.date, .weight = r.weight});
  if (epoch.has_table) {
    terms_.push_back({.age = epoch.youngest + lag, .curve = &epoch.table, .lag = lag});
  }
  std::sort(terms_.begin(), terms_.end(), [](const HazardTerm& a, const HazardTerm& b) {
    return a.age != b.age ? a.age < b.age : a.weight < b.weight;
  });
  out.assign(law_, terms_, span, CurveAccuracy::fast);
}

double PlatformHazard::hazard(std::size_t seen, double date) {
  if (trace_.rejuvenates_all()) {
    return platform_hazard(law_.law(), trace_.ages_at(seen, date), 0).hazard;
  }
  const RenewalEpoch& epoch = epochs_.before(seen);
  if (epoch.has_table && date - epoch.date > epoch.table.span()) {
    return platform_hazard(law_.law(), compressed(trace_.ages_at(seen, date)), 0).hazard;
  }
  collect_terms(epoch, seen);
  double sum = epoch.has_table ? epoch.table.hazard(date - epoch.date) : 0;
  for (const Renewals& r : renewals_) sum += r.weight * law_.at(date - r.date).hazard;
  return sum;
}

}  // namespace holdfast
