#include "holdfast/domains/moldable/rolling_run.hpp"

#include "holdfast/base/elementary.hpp"

#include <algorithm>
#include <cmath>

namespace holdfast::moldable {
namespace {

constexpr double kPacking = 1.02;    // areas count so many times: no packing is perfect
constexpr double kPrecision = 1.01;  // of the deadline
constexpr double kPeriod = 0.05;     // a deadline is good for this share of it
constexpr std::size_t kReturns = 4;  // a failed job waits for others, one for so many pending
constexpr std::uint32_t kArrives = std::uint32_t{1} << 31;  // the mark of a job's release

bool is_later(const State& state, std::uint32_t job) {
  return !state.releases.empty() && state.releases[job] > 0;
}

// Returns about the least value for which ok() holds, to kPrecision. It starts at a guess and doubles its steps away from it.
template <class Ok>
double least_where(double guess, const Ok& ok) {
  double low = guess, high = guess, step = 1.03;
  if (ok(guess)) {
    for (; low > 0 && ok(low); step *= step) low = (high = low) / step;
  } else {
    for (; !ok(high); step *= step) high = (low = high) * step;
  }
  while (low > 0 && high > low * kPrecision) {
    const double middle = low * std::sqrt(high / low);
    (ok(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

KnownBound::KnownBound(const State& state) : state_{state}, attempts_(state.jobs.size(), 0.0) {
  for (const std::uint32_t job : state.pending) {
    if (!is_later(state, job)) add_attempt(job);
  }
}

void KnownBound::add_attempt(std::uint32_t job) {
  const double release = state_.releases.empty() ? 0 : state_.releases[job];
  longest_ = std::max(longest_, release + ++attempts_[job] * state_.limits[job].time);
  area_ += state_.limits[job].area;
}

double KnownBound::value() const {
  return std::max(longest_, area_ / static_cast<double>(state_.processors));
}

RollingRun::RollingRun(const State& state, const RollingRules& rules)
    : state_{state},
      rules_{rules},
      first_known_{state},
      known_{state},
      place_(state.jobs.size()),
      ends_(state.jobs.size()) {
  first_.jobs.resize(state.jobs.size());
  const double log_jobs = elementary::log(static_cast<double>(state.pending.size()));
  for (const std::uint32_t job : state.pending) {
    Job& it = first_.jobs[job];
    it.success = it.share = elementary::exp(-state.exposures[job]);
    if (state.errors.counts_area()) it.share = 1;  // fewest() counts what is expected to fail
    if (it.success < 1) {
      // One of that many such jobs needs about so many attempts.
      const double tries = std::max(1.0, log_jobs / -elementary::log1p(-it.success));
      if (rules.caution > 0) {
        it.share = std::min(it.share, elementary::pow(tries, -rules.caution));
      }
      it.kept = rules.reserve * (tries - 1) * (1 + rules.cap) * state.limits[job].time;
    }
    if (state.jobs[job].is_monotone()) continue;
    it.table = static_cast<std::uint32_t>(tables_.size());
    tables_.emplace_back(state.jobs[job], state.limits[job], state.processors,
                         ChainOptions::Of::frontier);
    work_ += state.jobs[job].limit(state.processors);
  }
  for (const std::uint32_t job : state.pending) {
    (is_later(state, job) ? later_ : first_.pending).push_back(job);
  }
  reset();
  solve();
  first_ = plan_;
}

void RollingRun::reset() {
  plan_ = first_;
  known_ = first_known_;
  active_.clear();
  returned_.clear();
  running_.reset(std::min<std::size_t>(plan_.pending.size() + later_.size(), 1024));
  for (const std::uint32_t job : later_) running_.push(state_.releases[job], job | kArrives);
  now_ = solved_ = last_end_ = area_ = retries_ = 0;
  free_ = static_cast<std::uint32_t>(state_.processors);
}

void RollingRun::first(Allotment& out) const {
  out.clear();
  for (const std::uint32_t job : state_.pending) {
    out.runs.push_back({first_.jobs[job].processors, Strategy::kUnlimited});
    out.end_job();
  }
}

std::int64_t RollingRun::fewest(std::uint32_t job, double limit) const {
  const Speedup& speedup = state_.jobs[job];
  const Limits& limits = state_.limits[job];
  if (state_.errors.counts_area()) {
    return smallest_within_expected(speedup, limits.fastest, state_.errors, limit);
  }
  return speedup.is_monotone() ? smallest_within_time(speedup, limits.fastest, limit)
                               : tables_[plan_.jobs[job].table].bracket(limit).faster.processors;
}

// The area of an attempt on so many processors, and of all that are expected to follow it.
double RollingRun::expected_area(std::uint32_t job, double processors, double time) const {
  if (state_.errors.counts_area()) return holdfast::expected_area(state_.errors, processors * time);
  return processors * time / plan_.jobs[job].success;
}

// The area that is expected to follow the attempt that runs.
double RollingRun::retry_area(std::uint32_t job) const {
  const Job& it = plan_.jobs[job];
  if (!state_.errors.counts_area()) {
    return state_.limits[job].area * (1 - it.success) / it.success;
  }
  return expected_area(job, it.processors, it.time) - it.processors * it.time;
}

// The time that an attempt may take if so many seconds are left.
double RollingRun::most_time(std::uint32_t job, double left) const {
  const Job& it = plan_.jobs[job];
  const double share = std::min(left * it.share, (now_ + left) / rules_.levels);
  if (!(it.kept > 0)) return share;
  return std::min(share, std::max(1.5 * state_.limits[job].time, left - it.kept));
}

// Returns true if the machine can do all that is expected in that time, and if what takes more than half of it fits side by side.
bool RollingRun::fits_area(double left) {
  work_ += std::ssize(plan_.pending);
  const auto machine = static_cast<double>(state_.processors);
  const double free = free_;
  double area = area_ - (machine - free) * now_ + retries_;
  double width = 0;
  for (const std::uint32_t job : plan_.pending) {
    const std::int64_t p = fewest(job, most_time(job, left));
    const double time = state_.jobs[job].time(p);
    const auto processors = static_cast<double>(p);
    area += expected_area(job, processors, time);
    if (time > left / 2) width += processors;
  }
  if (kPacking * area > machine * left) return false;
  if (width <= free) return true;
  for (const std::uint32_t job : active_) {
    if (ends_[job] - now_ > left / 2) width += plan_.jobs[job].processors;
  }
  return width <= machine;
}

// Returns true if all that is pending can start now, in that time or close to its least time.
bool RollingRun::fits_at_once(double left) {
  if (plan_.pending.size() > free_) return false;
  work_ += std::ssize(plan_.pending);
  std::int64_t free = free_;
  for (const std::uint32_t job : plan_.pending) {
    const double least = (1 + rules_.cap) * state_.limits[job].time;
    free -= fewest(job, std::max(most_time(job, left), least));
    if (free < 0) return false;
  }
  return true;
}

void RollingRun::solve() {
  plan_.pending.insert(plan_.pending.end(), returned_.begin(), returned_.end());
  returned_.clear();
  // Ending before what runs would gain nothing.
  double left = last_end_ - now_;
  bool at_once = left > 0 && fits_at_once(left);
  if (!at_once) {
    const double before = plan_.deadline - now_;
    left = least_where(before > 0 ? before : known_.value(),
                       [this](double it) { return fits_area(it); });
    const double later = rules_.theta * left;
    at_once = fits_at_once(later);
    if (at_once) left = least_where(later, [this](double it) { return fits_at_once(it); });
  }
  plan_.deadline = std::max(now_ + left, last_end_);
  allocate(at_once ? 1 + rules_.cap : 1);
  solved_ = now_;
}

// Allocates for the deadline, and never so little that an attempt could outlive the watchdog's promise.
void RollingRun::allocate(double floor) {
  work_ += 2 * std::ssize(plan_.pending);
  const double left = plan_.deadline - now_;
  plan_.least = static_cast<std::uint32_t>(state_.processors);
  for (const std::uint32_t job : plan_.pending) {
    const double time = std::max(most_time(job, left), floor * state_.limits[job].time);
    Job& it = plan_.jobs[job];
    it.processors =
        static_cast<std::uint32_t>(fewest(job, std::min(time, kLongest * known_.value())));
    it.time = state_.jobs[job].time(it.processors);
    plan_.least = std::min(plan_.least, it.processors);
  }
  std::ranges::sort(plan_.pending, [this](std::uint32_t a, std::uint32_t b) {
    const double first = plan_.jobs[a].time, second = plan_.jobs[b].time;
    return first != second ? first < second : a > b;
  });
}

void RollingRun::start() {
  for (std::size_t at = plan_.pending.size(); at-- > 0 && free_ >= plan_.least;) {
    const std::uint32_t job = plan_.pending[at];
    if (plan_.jobs[job].processors > free_) continue;
    plan_.pending.erase(plan_.pending.begin() + static_cast<std::ptrdiff_t>(at));
    launch(job);
  }
}

void RollingRun::launch(std::uint32_t job) {
  const Job& it = plan_.jobs[job];
  const double end = now_ + it.time;
  free_ -= it.processors;
  ends_[job] = end;
  last_end_ = std::max(last_end_, end);
  area_ += it.processors * end;
  retries_ += retry_area(job);
  place_[job] = static_cast<std::uint32_t>(active_.size());
  active_.push_back(job);
  const double lasts =
      errors_ == nullptr ? it.time : errors_->duration(job, it.processors, it.time);
  running_.push(now_ + lasts, job);
  if (attempts_ == nullptr) return;
  attempts_->push_back(
      {.job = job, .processors = it.processors, .start = now_, .end = now_ + lasts});
}

// Takes all that ends or is released at the next instant; lower jobs first.
void RollingRun::complete(ErrorRealisation& errors) {
  now_ = running_.next();
  ended_.clear();
  do {
    ended_.push_back(running_.pop());
  } while (!running_.empty() && running_.next() == now_);
  std::ranges::sort(ended_);  // releases come after ends
  for (const std::uint32_t job : ended_) {
    if ((job & kArrives) != 0) {
      returned_.push_back(job & ~kArrives);
      known_.add_attempt(returned_.back());
      continue;
    }
    const Job& it = plan_.jobs[job];
    free_ += it.processors;
    area_ -= it.processors * ends_[job];
    retries_ -= retry_area(job);
    const std::uint32_t moved = active_.back();
    active_[place_[job]] = moved;
    place_[moved] = place_[job];
    active_.pop_back();
    if (errors.make_attempt(job, it.processors, it.time)) continue;
    known_.add_attempt(job);
    returned_.push_back(job);
    // It may have been the one that would have ended last.
    if (now_ < ends_[job]) last_end_ = now_;
  }
  if (last_end_ == now_) {
    for (const std::uint32_t job : active_) last_end_ = std::max(last_end_, ends_[job]);
  }
}

bool RollingRun::is_due() const {
  if (returned_.size() * kReturns > plan_.pending.size()) return true;
  return !plan_.pending.empty() && now_ - solved_ > kPeriod * plan_.deadline;
}

std::vector<Launch> RollingRun::resume(std::span<const LiveJob> jobs, double now) {
  attempts_ = nullptr;
  errors_ = nullptr;
  reset();
  now_ = now;
  plan_.pending.clear();
  for (const std::uint32_t job : state_.pending) {
    const LiveJob& it = jobs[job];
    for (std::int64_t failure = 0; failure < it.failures; ++failure) known_.add_attempt(job);
    if (it.is_done) continue;
    if (it.processors == 0) {
      plan_.pending.push_back(job);
      continue;
    }
    plan_.jobs[job].processors = static_cast<std::uint32_t>(it.processors);
    plan_.jobs[job].time = it.end - now;
    launch(job);
  }
  solve();
  std::vector<Attempt> started;
  attempts_ = &started;
  start();
  attempts_ = nullptr;
  std::vector<Launch> out;
  for (const Attempt& attempt : started) out.push_back({attempt.job, attempt.processors});
  return out;
}

double RollingRun::run(ErrorRealisation& errors, std::vector<Attempt>* attempts) {
  attempts_ = attempts;
  errors_ = &errors;
  reset();
  start();
  bool is_ending = false;
  while (!running_.empty()) {
    complete(errors);
    is_ending = is_ending || now_ > rules_.patience * known_.value();
    if (is_ending) {
      if (active_.empty()) break;
      continue;
    }
    do {
      if (is_due()) solve();
      start();
    } while (plan_.pending.empty() && !returned_.empty());
  }
  return now_;
}

}  // namespace holdfast::moldable
