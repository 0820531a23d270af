// How a machine has a program save, and counts what was saved.
#include "holdfast/base/units.hpp"
#include "holdfast/field/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace holdfast::field {
namespace {

constexpr double kLeastTimeout = 600;  // seconds for a checkpoint, if the user gave no timeout
constexpr double kTimeoutInCheckpoints = 20;
// Nothing is said of a request without an answer before this time.
constexpr double kLeastSilence = 60;
constexpr double kSilenceInCheckpoints = 10;

}  // namespace

void Machine::begin_save(double now, bool asked, bool is_asynchronous) {
  save_work_ = unsaved(now) - in_flight();
  save_at_ = now;
  is_asked_ = asked;
  is_begun_ = !asked;
  is_asynchronous_ = is_asynchronous;
  is_checking_ = false;
  has_begun_work_ = true;
  const double seconds = pace_->checkpoint(now).value_or(0);
  save_timeout_ = now + rules_.checkpoint_timeout.value_or(
                            std::max(kLeastTimeout, kTimeoutInCheckpoints * seconds));
  silence_date_ = asked ? now + std::max(kLeastSilence, kSilenceInCheckpoints * seconds) : kNever;
  pace_->save_begun(now, is_asynchronous);
  enter(Phase::saving, now);
}

void Machine::ask(double now) {
  write(Value::object({{"kind", "due"}, {"work", unsaved(now)}}), false);
  begin_save(now, true);
  act(Action::Kind::ask);
}

void Machine::on(const event::Begun& event, double now) {
  live(now);
  become_ready(now);  // a program that saves is ready, even if it has not reported that
  if (phase_ == Phase::running) {
    begin_save(now, false, event.is_asynchronous);
  } else if (phase_ == Phase::saving && is_asked_ && !is_begun_) {
    is_begun_ = true;
    is_asynchronous_ = event.is_asynchronous;
    write(Value::object({{"kind", "begun"}, {"seconds", now - save_at_}}), false);
  }
}

void Machine::on(const event::Written& event, double now) {
  live(now);
  become_ready(now);
  if (phase_ == Phase::running) begin_save(event.date.value_or(now), false);
  if (phase_ != Phase::saving || is_checking_) return;
  is_begun_ = true;
  if (is_asynchronous_) return end_snapshot(now);
  is_checking_ = true;
  act(Action::Kind::keep);
}

// The program goes on, and what it has copied is safe later: then it may end, if it has to.
void Machine::end_snapshot(double now) {
  pace_->save_ended(now, true);
  write(Value::object({{"kind", "snapshot"}, {"work", save_work_}, {"seconds", now - save_at_}}),
        false);
  flight_ = {.work = save_work_ + in_flight(), .seconds = now - save_at_, .since = now};
  work_ = save_work_ = 0;
  waits_for_flight_ = stop_reason_.has_value();
  if (!waits_for_flight_) after_save(now);
}

void Machine::on(const event::Durable& /*event*/, double now) {
  live(now);
  pace_->durable(now);
  if (!flight_ || flight_->durable_at) return;
  flight_->durable_at = now;
  if (!is_checking_) check_flight();
}

void Machine::check_flight() {
  is_checking_ = is_flight_checked_ = true;
  act(Action::Kind::keep);
}

void Machine::on(const event::Kept& event, double now) {
  if (!is_checking_) return;
  is_checking_ = false;
  Value entry = Value::object({{"kind", "checkpoint"}, {"ok", true}});
  if (std::exchange(is_flight_checked_, false)) {
    const Flight flight = *std::exchange(flight_, std::nullopt);
    entry.set("kind", "durable");
    entry.set("work", flight.work);
    entry.set("seconds", flight.seconds);
    entry.set("flush", *flight.durable_at - flight.since);
    count_save(std::move(entry), event.file, now);
    loss_.work -= flight.work;
    if (end_) return after_end(false, now);
    if (std::exchange(waits_for_flight_, false)) after_save(now);
    return;
  }
  const double latest = end_ ? ended_at_ : now;
  const double end = std::clamp(event.date.value_or(latest), save_at_, latest);
  pace_->save_ended(end, true);
  entry.set("work", save_work_ + in_flight());  // what is in flight is older
  entry.set("seconds", end - save_at_);
  flight_.reset();
  count_save(std::move(entry), event.file, now);
  work_ = latest - end;  // work that was done while the file was verified
  vain_work_ = 0;
  loss_ = {.work = work_};
  if (end_) {
    after_end(true, now);
  } else if (phase_ == Phase::saving) {
    after_save(now);
  }
}

// Writes down that work is saved.
void Machine::count_save(Value entry, const Value& file, double now) {
  entry.set("level", 1);
  if (std::isfinite(pace_->due())) entry.set("due", pace_->due() - now);
  if (const auto* members = file.members()) {
    for (const auto& [name, value] : *members) entry.set(name, value);
  }
  write(std::move(entry), true);
  ++checkpoints_;
  has_saved_ = true;
  ended_without_one_ = false;
  quick_in_row_ = 0;
  tries_ = 0;
  failures_in_row_ = 0;
  tried_.clear();
}

void Machine::on(const event::Refused& event, double now) {
  if (!std::exchange(is_checking_, false)) return;
  if (std::exchange(is_flight_checked_, false)) {
    lose_flight(event.why, now);
    if (std::exchange(waits_for_flight_, false)) return after_save(now);
  } else if (phase_ == Phase::saving) {
    return fail_save(now, event.why);
  }
  if (!end_) return;
  end_->reason = event.why;
  after_end(false, now);
}

void Machine::on(const event::SaveFailed& event, double now) {
  live(now);
  if (waits_for_flight_ || (phase_ == Phase::running && flight_)) {
    lose_flight(event.why, now);
    if (std::exchange(waits_for_flight_, false)) after_save(now);
  } else if (phase_ == Phase::saving && !is_checking_) {
    fail_save(now, event.why);
  }
}

// An asynchronous checkpoint failed after its program had gone on.
void Machine::lose_flight(const std::string& why, double now) {
  const double work = in_flight();
  flight_.reset();
  work_ += work;
  write(
      Value::object(
          {{"kind", "checkpoint"}, {"ok", false}, {"work", work}, {"seconds", 0}, {"reason", why}}),
      true);
  warn_of_failure(why, unsaved(now));
}

void Machine::fail_save(double now, const std::string& why) {
  pace_->save_ended(now, false);
  const double seconds = now - save_at_;
  // A program that was not seen to write has worked meanwhile. For others only the work before is counted.
  if (!is_begun_) save_work_ += seconds;
  write(Value::object({{"kind", "checkpoint"},
                       {"ok", false},
                       {"work", save_work_},
                       {"seconds", is_begun_ ? seconds : 0},
                       {"reason", why}}),
        true);
  work_ = save_work_;
  warn_of_failure(why, work_ + in_flight());
  after_save(now);
}

void Machine::warn_of_failure(const std::string& why, double unsaved) {
  act(Action::Kind::warn).text = fmt::format("the checkpoint failed: {}; {} of work is not saved",
                                             why, format_duration(unsaved));
}

// Continues the work, or ends the program if the end has waited for this checkpoint.
void Machine::after_save(double now) {
  is_asked_ = false;
  is_checking_ = false;
  enter(Phase::running, now);
  if (stop_reason_) return end_program(now);
  if (flight_ && flight_->durable_at) check_flight();
}

}  // namespace holdfast::field
