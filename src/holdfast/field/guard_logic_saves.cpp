// How a machine has a program save, and counts what was saved.
#include "holdfast/base/units.hpp"
#include "holdfast/field/guard_logic.hpp"

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
// A program that saves and ends does so within this time, or within that of a checkpoint.
constexpr double kLongestEnd = 5;

}  // namespace

void GuardLogic::begin_save(double now, bool asked, bool is_asynchronous) {
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

// Returns the date of the next request of a program that is running.
double GuardLogic::ask_date() const {
  if (!rules_.can_ask() || saves_not_) return kNever;
  return std::max(pace_->due(), work_since_ + patience_ - work_ - in_flight());
}

void GuardLogic::ask(double now) {
  write(entry::Due{unsaved(now)}, false);
  begin_save(now, true);
  act(Action::Kind::ask);
}

void GuardLogic::on(const event::Begun& event, double now) {
  live(now);
  become_ready(now);  // a program that saves is ready, even if it has not reported that
  if (phase_ == Phase::running) {
    begin_save(now, false, event.is_asynchronous);
  } else if (phase_ == Phase::saving && is_asked_ && !is_begun_) {
    is_begun_ = true;
    is_asynchronous_ = event.is_asynchronous;
    write(entry::Begun{now - save_at_}, false);
  }
}

void GuardLogic::on(const event::Written& event, double now) {
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
void GuardLogic::end_snapshot(double now) {
  pace_->save_ended(now, true);
  write(entry::Snapshot{.work = save_work_, .seconds = now - save_at_}, false);
  flight_ = {.work = save_work_ + in_flight(), .seconds = now - save_at_, .since = now};
  work_ = save_work_ = 0;
  waits_for_flight_ = stop_reason_.has_value();
  if (!waits_for_flight_) after_save(now);
}

void GuardLogic::on(const event::Durable& /*event*/, double now) {
  live(now);
  pace_->durable(now);
  if (!flight_ || flight_->durable_at) return;
  flight_->durable_at = now;
  if (!is_checking_) check_flight();
}

void GuardLogic::check_flight() {
  is_checking_ = is_flight_checked_ = true;
  act(Action::Kind::keep);
}

void GuardLogic::on(const event::Kept& event, double now) {
  if (!is_checking_) return;
  is_checking_ = false;
  if (std::exchange(is_flight_checked_, false)) {
    const Flight flight = *std::exchange(flight_, std::nullopt);
    entry::Durable entry{{.work = flight.work,
                          .seconds = flight.seconds,
                          .flush = *flight.durable_at - flight.since}};
    count_save(entry, event, now);
    write(std::move(entry), true);
    loss_.work -= flight.work;
    if (end_) return after_end(false, now);
    if (std::exchange(waits_for_flight_, false)) after_save(now);
    return;
  }
  const double latest = end_ ? ended_at_ : now;
  double end = std::clamp(event.date.value_or(latest), save_at_, latest);
  // What a program needs to end once it has saved is a part of the checkpoint. It worked if it went on for longer.
  const bool has_ended_so = end_ && end_->signal == 0 && rules_.is_saved_code(end_->code);
  if (has_ended_so && latest - end <= std::max(kLongestEnd, pace_->checkpoint(now).value_or(0)))
    end = latest;
  pace_->save_ended(end, true);
  entry::Checkpoint entry{.work = save_work_ + in_flight(),  // what is in flight is older
                          .seconds = end - save_at_};
  flight_.reset();
  count_save(entry, event, now);
  write(std::move(entry), true);
  work_ = latest - end;  // work that was done while the file was verified
  vain_work_ = 0;
  loss_ = {.work = work_};
  if (end_) {
    after_end(true, now);
  } else if (phase_ == Phase::saving) {
    after_save(now);
  }
}

// Takes note that work is saved, and completes the entry that says so.
void GuardLogic::count_save(entry::Checkpoint& entry, const event::Kept& event, double now) {
  entry.ok = true;
  entry.level = 1;
  if (std::isfinite(pace_->due())) entry.due = pace_->due() - now;
  entry.file = event.file;
  ++checkpoints_;
  has_saved_ = true;
  ended_without_one_ = false;
  patience_ = 0;
  quick_in_row_ = 0;
  tries_ = 0;
  failures_in_row_ = 0;
  tried_.clear();
}

void GuardLogic::on(const event::Refused& event, double now) {
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

void GuardLogic::on(const event::SaveFailed& event, double now) {
  live(now);
  if (waits_for_flight_ || (phase_ == Phase::running && flight_)) {
    lose_flight(event.why, now);
    if (std::exchange(waits_for_flight_, false)) after_save(now);
  } else if (phase_ == Phase::saving && !is_checking_) {
    fail_save(now, event.why);
  }
}

// An asynchronous checkpoint failed after its program had gone on.
void GuardLogic::lose_flight(const std::string& why, double now) {
  const double work = in_flight();
  flight_.reset();
  work_ += work;
  write(entry::Checkpoint{.work = work, .reason = why}, true);
  warn_of_failure(why, unsaved(now));
}

void GuardLogic::fail_save(double now, const std::string& why) {
  pace_->save_ended(now, false);
  const double seconds = now - save_at_;
  // A program that was not seen to write has worked meanwhile. For others only the work before is counted.
  if (!is_begun_) save_work_ += seconds;
  write(entry::Checkpoint{.work = save_work_, .seconds = is_begun_ ? seconds : 0, .reason = why},
        true);
  work_ = save_work_;
  warn_of_failure(why, work_ + in_flight());
  after_save(now);
}

void GuardLogic::warn_of_failure(const std::string& why, double unsaved) {
  act(Action::Kind::warn).text = fmt::format("the checkpoint failed: {}; {} of work is not saved",
                                             why, format_duration(unsaved));
}

// Continues the work, or ends the program if the end has waited for this checkpoint.
void GuardLogic::after_save(double now) {
  is_asked_ = false;
  is_checking_ = false;
  enter(Phase::running, now);
  if (stop_reason_) return end_program(now);
  if (flight_ && flight_->durable_at) check_flight();
}

}  // namespace holdfast::field
