#include "holdfast/field/machine.hpp"

#include "holdfast/base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

namespace holdfast::field {
namespace {

constexpr double kBetweenEstimates = 600;
constexpr double kLeastTimeout = 600;  // seconds for a checkpoint, if the user gave no timeout
constexpr double kTimeoutInCheckpoints = 20;

constexpr std::array<std::string_view, 8> kPhases = {"idle",   "starting", "running", "saving",
                                                     "ending", "waiting",  "closing", "over"};

}  // namespace

std::string_view name_of(Phase phase) {
  return kPhases[static_cast<std::size_t>(phase)];
}

Machine::Machine(Rules rules, Pace& pace) : rules_(std::move(rules)), pace_(&pace) {}

Action& Machine::act(Action::Kind kind) {
  return actions_.emplace_back(Action{.kind = kind});
}

void Machine::write(Value entry, bool is_durable) {
  Action& action = act(Action::Kind::write);
  action.entry = std::move(entry);
  action.is_durable = is_durable;
}

void Machine::say(std::string text) {
  act(Action::Kind::say).text = std::move(text);
}

void Machine::note(std::string text) {
  write(Value::object({{"kind", "note"}, {"text", std::move(text)}}), false);
}

void Machine::write_estimate(double now) {
  Value entry = Value::object({{"kind", "estimate"}});
  const Value estimate = pace_->estimate(now);
  if (const auto* members = estimate.members()) {
    for (const auto& [name, value] : *members) entry.set(name, value);
  }
  write(std::move(entry), false);
  estimated_at_ = now;
}

void Machine::write_progress(double now) {
  if (!progress_) return;
  progress_at_ = now;
  write(std::move(*progress_), false);
  progress_.reset();
}

double Machine::unsaved(double now) const {
  return phase_ == Phase::running ? work_ + (now - work_since_) : work_;
}

void Machine::enter(Phase phase, double now) {
  if (phase_ == Phase::running) work_ += now - work_since_;
  if (phase == Phase::running) work_since_ = now;
  phase_ = phase;
}

void Machine::live(double now) {
  alive_at_ = now;
}

void Machine::launch(double now) {
  restart_at_ = kNever;
  act(starts_anew_ ? Action::Kind::start_anew : Action::Kind::start);
  starts_anew_ = false;
  ++launches_;
  is_clear_ = false;
  is_ready_ = false;
  has_saved_ = false;
  is_asked_ = false;
  is_checking_ = false;
  was_hanging_ = false;
  work_ = 0;
  launched_at_ = now;
  ready_at_ = now;
  live(now);
  enter(Phase::starting, now);
}

void Machine::become_ready(double now) {
  if (phase_ != Phase::starting) return;
  is_ready_ = true;
  ready_at_ = now;
  live(now);
  pace_->ready(now);
  enter(Phase::running, now);
  write_estimate(now);
  if (rules_.tells_ready) {
    write(Value::object({{"kind", "ready"}, {"seconds", now - launched_at_}}), false);
  }
}

void Machine::begin_save(double now, bool asked) {
  save_work_ = unsaved(now);
  save_at_ = now;
  is_asked_ = asked;
  is_checking_ = false;
  const auto seconds = pace_->checkpoint(now);
  save_timeout_ = now + rules_.checkpoint_timeout.value_or(
                            std::max(kLeastTimeout, kTimeoutInCheckpoints * seconds.value_or(0)));
  pace_->save_begun(now);
  enter(Phase::saving, now);
}

void Machine::ask(double now) {
  write(Value::object({{"kind", "due"}, {"work", unsaved(now)}}), false);
  begin_save(now, true);
  act(Action::Kind::ask);
}

// Continues the work, or ends the program if the end has waited for this checkpoint.
void Machine::after_save(double now) {
  is_asked_ = false;
  is_checking_ = false;
  enter(Phase::running, now);
  if (stop_reason_) end_program(now);
}

void Machine::fail_save(double now, const std::string& why) {
  pace_->save_ended(now, false);
  write(Value::object({{"kind", "checkpoint"},
                       {"ok", false},
                       {"work", save_work_},
                       {"seconds", now - save_at_},
                       {"reason", why}}),
        true);
  // The program may have worked during the checkpoint or not; only the work before it is counted as unsaved.
  work_ = save_work_;
  act(Action::Kind::warn).text = fmt::format("the checkpoint failed: {}; {} of work is not saved",
                                             why, format_duration(save_work_));
  after_save(now);
}

void Machine::on(const event::Kept& event, double now) {
  if (!is_checking_) return;
  const double end = std::clamp(event.date.value_or(now), save_at_, now);
  pace_->save_ended(end, true);
  Value entry = Value::object({{"kind", "checkpoint"},
                               {"ok", true},
                               {"work", save_work_},
                               {"seconds", end - save_at_},
                               {"level", 1}});
  if (std::isfinite(pace_->due())) entry.set("due", pace_->due() - now);
  if (const auto* members = event.file.members()) {
    for (const auto& [name, value] : *members) entry.set(name, value);
  }
  write(std::move(entry), true);
  has_saved_ = true;
  quick_in_row_ = 0;
  tries_ = 0;
  failures_in_row_ = 0;
  tried_.clear();
  work_ = now - end;  // work that was done while the file was verified
  if (phase_ == Phase::saving) {
    after_save(now);
  } else {
    is_checking_ = false;
    plan_restart(now);  // the program has saved and ended
  }
}

void Machine::on_tick(double now) {
  switch (phase_) {
    case Phase::starting:
    case Phase::running:
      if (now - alive_at_ >= rules_.hang) {
        was_hanging_ = true;
        note(fmt::format("no sign of life for {}", format_duration(rules_.hang)));
        alive_at_ = kNever;
        act(Action::Kind::kill_all);
      } else if (phase_ == Phase::running && now >= pace_->stop_date()) {
        begin_stop(now, "the allocation ends", kNever);
      } else if (phase_ == Phase::running && rules_.can_ask() && now >= pace_->due()) {
        ask(now);
      }
      break;
    case Phase::saving:
      if (now >= term_date_ && !is_killed_) {
        pace_->save_ended(now, false);
        work_ = save_work_;
        end_program(now);
      } else if (now >= save_timeout_ && !is_checking_) {
        fail_save(now, fmt::format("it was asked for and not seen within {}",
                                   format_duration(now - save_at_)));
      }
      break;
    case Phase::ending:
      if (now >= kill_date_ && !is_killed_) {
        is_killed_ = true;
        act(Action::Kind::kill_all);
      }
      break;
    case Phase::waiting:
      if (is_clear_ && !awaits_aside_ && !is_checking_ && now >= restart_at_) launch(now);
      break;
    case Phase::idle:
    case Phase::closing:
    case Phase::over:
      break;
  }
  if (phase_ != Phase::over && phase_ != Phase::idle && now - estimated_at_ >= kBetweenEstimates) {
    write_estimate(now);
  }
}

double Machine::wake() const {
  double date = phase_ == Phase::over ? kNever : estimated_at_ + kBetweenEstimates;
  switch (phase_) {
    case Phase::starting:
      date = std::min(date, alive_at_ + rules_.hang);
      break;
    case Phase::running:
      date = std::min({date, alive_at_ + rules_.hang, pace_->stop_date()});
      if (rules_.can_ask()) date = std::min(date, pace_->due());
      break;
    case Phase::saving:
      date = std::min({date, is_checking_ ? kNever : save_timeout_, term_date_});
      break;
    case Phase::ending:
      if (!is_killed_) date = std::min(date, kill_date_);
      break;
    case Phase::waiting:
      if (is_clear_ && !awaits_aside_ && !is_checking_) date = std::min(date, restart_at_);
      break;
    case Phase::idle:
    case Phase::closing:
    case Phase::over:
      break;
  }
  return date;
}

}  // namespace holdfast::field
