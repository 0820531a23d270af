#include "holdfast/domains/checkpoint/advisor/advisor.hpp"

#include "holdfast/domains/checkpoint/levels/pattern.hpp"
#include "holdfast/models/resilience/period.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace holdfast::checkpoint {
namespace {

/// The bounds of theta.
constexpr double kLeastTheta = 1.0 / 50;
constexpr double kMostTheta = 50;
/// The least cost of a checkpoint, in seconds: one that took no time counts with this cost.
constexpr double kShortestCheckpoint = 1e-6;
/// Seconds between the end of the last checkpoint and the end of the allocation, in addition to the reserve.
constexpr double kMargin = 5;
/// The least time before the next attempt after a failed checkpoint, and the interval if no rule gives one; in seconds.
constexpr double kShortestRetry = 60;
constexpr double kLastResort = 3600;
/// The number of usual periods that a plan covers: what comes later changes its first segment by less than 0.1 %.
constexpr double kMostPlanned = 512;
/// The first checkpoint, whose cost is not known, comes after this share of the job's MTBF at the latest.
constexpr double kFirstInMtbf = 0.25;
/// How many times its usual duration a flush may take before it is given up.
constexpr double kFlushPatience = 10;

/// The failures to expect from a date on, corrected by theta.
class Corrected final : public Outlook {
 public:
  Corrected(NodeAges& nodes, HazardCurve& curve, double date, double theta)
      : nodes_{nodes}, curve_{curve}, date_{date}, theta_{theta} {}

  const HazardCurve& curve(double span) override {
    nodes_.fill(date_, span, theta_, curve_);
    return curve_;
  }
  void cumulative(std::span<const double> x, std::span<double> out) override {
    const HazardCurve& all = curve(x.back());
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = all.cumulative(x[i]);
  }

 private:
  NodeAges& nodes_;
  HazardCurve& curve_;
  double date_;
  double theta_;
};

double not_a_number() {
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Advisor::Advisor(const AdvisorSettings& settings, NodeAges nodes, std::unique_ptr<Strategy> other)
    : settings_{settings},
      nodes_{std::move(nodes)},
      other_{std::move(other)},
      planner_{kShortestCheckpoint, settings.ends, checkpoints::Goal::share, kLastResort},
      checkpoint_{settings.checkpoint},
      recovery_{settings.recovery},
      downtime_{settings.downtime},
      flush_{settings.flush},
      local_checkpoint_{settings.local.exists() ? std::optional(settings.local.checkpoint)
                                                : std::nullopt},
      work_{settings.work},
      is_asynchronous_{settings.flush.has_value()} {}

bool Advisor::start(double now, bool restores) {
  if (phase_ != Phase::idle) return false;
  if (down_since_) downtime_.add(now - *down_since_);
  down_since_.reset();
  phase_ = Phase::starting;
  since_ = launched_ = now;
  restores_ = restores;
  return true;
}

bool Advisor::ready(double now) {
  if (phase_ != Phase::idle && phase_ != Phase::starting) return false;
  settle(now);
  if (phase_ == Phase::starting && restores_) recovery_.add(now - launched_);
  down_since_.reset();
  phase_ = Phase::running;
  since_ = now;
  decide(now);
  return true;
}

bool Advisor::checkpoint_begin(double now, Level level, bool is_asynchronous) {
  if (phase_ != Phase::running || (is_asynchronous && settings_.local.exists())) return false;
  settle(now);
  tells_asynchronous_ = tells_asynchronous_ || is_asynchronous;
  is_asynchronous_ = is_asynchronous_ || is_asynchronous;
  is_flying_ = tells_asynchronous_ ? is_asynchronous : is_asynchronous_;
  phase_ = Phase::saving;
  saving_ = settings_.local.exists() ? level : Level::global;
  saving_since_ = now;
  due_ = kNever;
  return true;
}

bool Advisor::checkpoint_end(double now, bool ok) {
  if (phase_ != Phase::saving) return false;
  settle(now);
  phase_ = Phase::running;
  if (!ok) {
    ++failed_in_a_row_;
    decide(now);
    return true;
  }
  ++checkpoints_;
  failed_in_a_row_ = 0;
  const bool is_local = saving_ == Level::local;
  (is_local ? local_checkpoint_ : checkpoint_).add(now - saving_since_);
  saved_at_ = now;
  // Work that could still be saved would take less time than saving it.
  is_closed_ = !is_local && now + cost() >= stop_;
  in_flight_ += segment_;
  if (!is_flying_) saved_ += std::exchange(in_flight_, 0);  // with what earlier ones did not save
  at_risk_ = is_local ? at_risk_ + segment_ : 0;
  locals_ = is_local ? locals_ + 1 : 0;
  segment_ = 0;
  decide(now);
  return true;
}

bool Advisor::checkpoint_durable(double now) {
  if (settings_.local.exists()) return false;
  if (checkpoints_ == 0 || (is_asynchronous_ && in_flight_ == 0)) return false;
  if (phase_ == Phase::idle || phase_ == Phase::starting) return false;
  is_asynchronous_ = true;
  flush_.add(now - saved_at_);
  saved_ += in_flight_;
  in_flight_ = 0;
  if (phase_ == Phase::running) set_due(now, wanted_);
  return true;
}

bool Advisor::progress(double now, double done, double total) {
  if (phase_ != Phase::running && phase_ != Phase::saving) return false;
  if (!std::isfinite(done)) return false;
  const double since = phase_ == Phase::running ? now - since_ : 0;
  rate_.add(worked_ + since, done);
  done_ = done;
  total_ = total;
  told_at_ = position(now);
  return true;
}

bool Advisor::failure(double now, const Interruption& what) {
  if (phase_ == Phase::idle) return false;
  settle(now);
  ++failures_;
  if (what.counts) {
    ++interruptions_;
    renew(now, what);
  }
  if (what.ended) {
    end_run();
    down_since_ = now;
  } else if (phase_ == Phase::running) {
    decide(now);
  }
  return true;
}

bool Advisor::stopped(double now) {
  if (phase_ == Phase::idle) return false;
  settle(now);
  end_run();
  return true;
}

// Work that is not safe by now is lost.
void Advisor::end_run() {
  learn_work();
  phase_ = Phase::idle;
  segment_ = in_flight_ = 0;
  failed_in_a_row_ = 0;
  is_closed_ = false;
  wanted_ = due_ = kNever;
  rate_.interrupt();
}

void Advisor::renew(double now, const Interruption& what) {
  what.born ? nodes_.renew_born(now, *what.born) : nodes_.renew(now, what.node);
  if (settings_.has_spares) nodes_.replace(now, what.node, std::nullopt);
}

void Advisor::renewal(double now, std::optional<std::size_t> node) {
  settle(now);
  renew(now, {.node = node});
  if (phase_ == Phase::running) decide(now);
}

void Advisor::renewal_of(double now, double born) {
  settle(now);
  renew(now, {.born = born});
  if (phase_ == Phase::running) decide(now);
}

void Advisor::replaced(double now, std::optional<std::size_t> node, std::optional<double> age) {
  settle(now);
  nodes_.replace(now, node, age ? std::optional(now - *age) : std::nullopt);
  if (phase_ == Phase::running) decide(now);
}

void Advisor::lose_local() {
  saved_ -= at_risk_;
  at_risk_ = 0;
  locals_ = 0;
}

void Advisor::time_left(double now, double seconds) {
  const double end = now + seconds;
  const bool is_news = end != end_ && !(std::fabs(end - end_) <= 1);
  end_ = end;
  const bool was_closed = is_closed_;
  is_closed_ = false;
  set_stop(now);
  is_closed_ = was_closed && now + cost() >= stop_;
  set_stop(now);
  if (is_news && phase_ == Phase::running) {
    settle(now);
    decide(now);
  }
}

double Advisor::theta() const {
  if (std::isinf(settings_.trust)) return 1;
  const double k = settings_.trust;
  const double found = (k + interruptions_) / (k + expected_);
  return std::isfinite(found) ? std::clamp(found, kLeastTheta, kMostTheta) : 1;
}

double Advisor::unsaved(double now) const {
  return in_flight_ + segment_ + (phase_ == Phase::running ? now - since_ : 0);
}

double Advisor::expected(double now) const {
  return phase_ == Phase::idle ? expected_ : expected_ + nodes_.expected(since_, now);
}

// Counts exposure and work up to now. While the job is down, nodes fail, but do not interrupt it.
void Advisor::settle(double now) {
  expected_ = expected(now);
  if (phase_ == Phase::running) {
    segment_ += now - since_;
    worked_ += now - since_;
  }
  since_ = now;
}

// Estimates the work of the whole job from the reports of its progress.
void Advisor::learn_work() {
  const auto rate = rate_.value();
  if (total_ > 0 && rate) work_ = told_at_ + std::max(0.0, total_ - done_) / *rate;
}

double Advisor::cost() const {
  return std::max(checkpoint_.value_or(0), kShortestCheckpoint);
}

double Advisor::reserve(double now) const {
  // Local checkpoints are lost when the allocation ends.
  const bool has_one_level = !settings_.local.exists();
  const double stake = std::min(interval_ > 0 && has_one_level ? interval_ : kNever,
                                at_risk_ + unsaved(now) + (end_ - now));
  return checkpoint_.reserve(stake) + (is_asynchronous_ ? flush_.value_or(0) : 0);
}

void Advisor::set_stop(double now) {
  stop_ = std::isfinite(end_) ? end_ - reserve(now) - spacing_ - kMargin : kNever;
  if (is_closed_) stop_ = std::min(stop_, now);
}

// Plans the next checkpoint again. Its segment began with the last checkpoint that was written.
void Advisor::decide(double now) {
  learn_work();
  set_stop(now);
  double left = work_ - position(now);
  if (!(left > 0)) left = kNever;  // the job takes longer than was reported
  const double room = std::max(stop_ - now, 0.0);
  interval_ = settings_.local.exists() ? interval_of_two(now, std::min(left, room))
                                       : interval_of_one(now, left, room);
  set_stop(now);
  double wanted = now - segment_ + interval_ - spacing_ / 2;
  if (failed_in_a_row_ > 0) {
    const double least = std::max({interval_ / 4, 2 * cost(), kShortestRetry});
    wanted = now + std::min(std::ldexp(least, std::min(failed_in_a_row_ - 1, 60)),
                            std::max(interval_, least));
  } else if (left <= room && ends_without_saving(left)) {
    wanted = after_the_end(now, left);
  }
  set_due(now, wanted);
}

// True if no checkpoint is planned before the end of the work, and none is wanted at the end.
bool Advisor::ends_without_saving(double left) const {
  if (settings_.ends.final_checkpoint || settings_.local.exists()) return false;
  return interval_ >= (segment_ + left) * (1 - 1e-9);
}

// The date of a checkpoint for a job that continues after its expected end: that of a job without end, but not while the job
// may be about to end.
double Advisor::after_the_end(double now, double left) {
  const double share = share_;
  const bool has_fallen_back = has_fallen_back_;
  const double interval = within_bounds(best_interval(now, kNever, {.cost = cost()}), cost());
  share_ = share;
  has_fallen_back_ = has_fallen_back;
  return std::max(now - segment_ + interval, now + left + cost()) - spacing_ / 2;
}

double Advisor::interval_of_one(double now, double left, double room) {
  const Part all{.cost = cost()};
  const double work = segment_ + std::min(left, room);
  double interval = work > 0 ? within_bounds(best_interval(now, work, all), all.cost) : 0;
  if (room < left && segments_ > 1) {
    // Segments are to be equal up to the end, and the checkpoints between them take part of that time.
    const double less = work - static_cast<double>(segments_ - 1) * cost();
    if (less > 0) interval = within_bounds(best_interval(now, less, all), all.cost);
  }
  return interval;
}

// Makes one plan for each level, from its own last checkpoint on, for the failures that it protects against. A global
// checkpoint serves both levels, and the local segments before it are equal.
double Advisor::interval_of_two(double now, double ahead) {
  const double work = segment_ + ahead;
  next_ = Level::global;
  if (!(work > 0)) return 0;
  const double share = settings_.local.share;
  const Part global{.cost = cost(), .share = 1 - share};
  const Part local{.cost = std::max(local_checkpoint_.value_or(0), kShortestCheckpoint),
                   .share = share};
  if (other_) {
    const double interval = best_interval(now, work, global);
    if (!other_->levels().empty()) next_ = other_->levels().front();
    return within_bounds(interval, (next_ == Level::local ? local : global).cost);
  }
  const double of_global = best_interval(now, at_risk_ + work, global);
  if (!checkpoint_.value()) return of_global;  // the cost is known after the first one
  const double overhead = 1 / share_ - 1;
  const double of_local = best_interval(now, work, local);
  share_ = 1 / (overhead + 1 / share_);
  const double until_global = std::max(0.0, of_global - at_risk_);
  const std::int64_t segments =
      local.cost < global.cost ? segments_between(until_global / of_local) : 1;
  if (segments > 1) {
    next_ = Level::local;
    const double each = until_global / static_cast<double>(segments);
    return within_bounds(std::isinf(until_global) ? of_local : each, local.cost);
  }
  // A global checkpoint without local ones protects against all failures.
  const bool is_alone = at_risk_ == 0;
  return within_bounds(is_alone ? best_interval(now, work, {.cost = cost()}) : until_global,
                       global.cost);
}

void Advisor::set_due(double now, double wanted) {
  wanted_ = due_ = wanted;
  if (in_flight_ > 0) {  // no checkpoint before the last one is safe
    due_ = std::max(due_, saved_at_ + kFlushPatience * flush_.value_or(0));
  }
  due_ = is_closed_ && now >= stop_ ? kNever : std::min(due_, stop_);
}

double Advisor::best_interval(double now, double work, const Part& part) {
  share_ = not_a_number();
  segments_ = 0;
  has_fallen_back_ = false;
  if (!other_ && !checkpoint_.value()) {
    // A job that fails often is to be saved before its first failure.
    const double mtbf = 1 / (theta() * nodes_.mean_rate());
    return mtbf > 0 ? std::min(settings_.first, kFirstInMtbf * mtbf) : settings_.first;
  }
  if (!other_ && part.share == 0) {  // no failure needs this level
    share_ = 1;
    return work;
  }
  double interval = 0;
  if (other_) {
    interval = of_other(now, work);
  } else if (settings_.rule == AdvisorRule::young_daly) {
    interval = of_young_daly(work, part);
  } else {
    interval = planned(now, work, part);
  }
  if (std::isfinite(interval) && interval > 0) return interval;
  interval = young_daly_period(part.cost, 1 / (theta() * part.share * mean_hazard(now)));
  has_fallen_back_ = !(std::isfinite(interval) && interval > 0);
  return has_fallen_back_ ? kLastResort : interval;
}

double Advisor::planned(double now, double work, const Part& part) {
  const double scale = theta() * part.share;
  const double usual = young_daly_period(part.cost, 1 / (scale * nodes_.mean_rate()));
  planner_.set_costs(part.cost, usual);
  // A failure within L after a checkpoint also destroys that checkpoint: as if all nodes were older by L.
  const double lead = is_asynchronous_ ? flush_.value_or(0) : 0;
  Corrected outlook(nodes_, curve_, now + lead, scale);
  const auto cuts = planner_.plan(outlook, std::min(work, kMostPlanned * usual));
  if (cuts.empty()) return not_a_number();
  if (cuts.back() == work) segments_ = cuts.size();
  share_ = 0;
  for (const Candidate& candidate : planner_.candidates()) {
    share_ = std::max(share_, candidate.expected_work / candidate.expected_time);
  }
  return cuts.front();
}

double Advisor::of_young_daly(double work, const Part& part) {
  const double rate = theta() * part.share * nodes_.mean_rate();
  const double period = young_daly_period(part.cost, 1 / rate);
  share_ = 1 / (1 + part.cost / period + rate * period / 2);
  const double segments = std::max(1.0, std::ceil(work / period));
  return std::isfinite(segments) ? work / segments : period;
}

double Advisor::of_other(double now, double work) {
  Corrected outlook(nodes_, curve_, now, theta());
  const State state{.work_left = work,
                    .checkpoints = checkpoints_,
                    .local = locals_,
                    .outlook = outlook,
                    .now = now};
  const auto cuts = other_->decide(state);
  return cuts.empty() ? not_a_number() : cuts.front();
}

double Advisor::within_bounds(double interval, double cost) const {
  const double by_overhead =
      settings_.max_overhead > 0 ? cost * (1 / settings_.max_overhead - 1) : 0;
  const double least =
      std::max({settings_.min_interval, by_overhead, is_asynchronous_ ? flush_.value_or(0) : 0});
  return std::min(std::max(interval, least), settings_.max_interval);
}

// The hazard per second, averaged over the length of a checkpoint, because it may be infinite at one instant.
double Advisor::mean_hazard(double now) const {
  const double span = std::max(cost(), 1.0);
  return nodes_.expected(now, now + span) / span;
}

Advice Advisor::advice(double now) const {
  const auto known = checkpoint_.value();
  const double rate = theta() * mean_hazard(now);
  return {.due = std::max(0.0, due_ - now),
          .interval = interval_,
          .checkpoint = known.value_or(not_a_number()),
          .recovery = recovery_.value_or(not_a_number()),
          .rate = rate,
          .theta = theta(),
          .share_before_failure = share_,
          .young_daly = known ? young_daly_period(cost(), 1 / rate) : not_a_number(),
          .checkpoints = checkpoints_,
          .failures = failures_,
          .level = next_level(std::max(now, due_))};
}

Learned Advisor::learned(double now) const {
  return {.interruptions = interruptions_,
          .expected = expected(now),
          .saved = saved_,
          .checkpoint = checkpoint_,
          .recovery = recovery_,
          .downtime = downtime_,
          .flush = flush_,
          .local_checkpoint = local_checkpoint_};
}

void Advisor::remember(const Learned& learned) {
  interruptions_ = learned.interruptions;
  expected_ = learned.expected;
  saved_ = learned.saved;
  checkpoint_ = learned.checkpoint;
  recovery_ = learned.recovery;
  downtime_ = learned.downtime;
  flush_ = learned.flush;
  local_checkpoint_ = learned.local_checkpoint;
}

}  // namespace holdfast::checkpoint
