#include "holdfast/field/guard_logic.hpp"

#include "holdfast/base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace holdfast::field {
namespace {

constexpr double kBetweenEstimates = 600;
// A start is strange when it takes this many times the last one and some time, or is quiet for so long; in seconds.
constexpr double kStartInLast = 10;
constexpr double kShortStart = 10;
constexpr double kQuietStart = 300;

// Returns why a program may not have saved although it was asked to.
std::string_view causes_of_silence(Trigger trigger) {
  switch (trigger) {
    case Trigger::signal:
    case Trigger::stop:
      return "the program does not save at this signal, or only at the end of a long step; it "
             "writes "
             "another file than --checkpoint-file names, keeps it open, or writes it again within "
             "--settle";
    case Trigger::file:
    case Trigger::stop_file:
      return "the program looks for another file, or only now and then; it writes another file "
             "than "
             "--checkpoint-file names";
    case Trigger::command:
      return "the command of --trigger asks another program, or does not end; --done names a sign "
             "that does not come";
    case Trigger::pipe:
    case Trigger::api:
    case Trigger::none:
      break;
  }
  return "the program asks its advisor only at the end of a long step, or waits for something";
}

}  // namespace

GuardLogic::GuardLogic(Rules rules, Pace& pace) : rules_(std::move(rules)), pace_(&pace) {}

Action& GuardLogic::act(Action::Kind kind) {
  return actions_.emplace_back(Action{.kind = kind});
}

void GuardLogic::write(JournalEntry entry, bool is_durable) {
  Action& action = act(Action::Kind::write);
  action.entry = std::move(entry);
  action.is_durable = is_durable;
}

void GuardLogic::say(std::string text) {
  act(Action::Kind::say).text = std::move(text);
}

void GuardLogic::note(std::string text) {
  write(entry::Note{std::move(text)}, false);
}

void GuardLogic::tell(const std::string& text) {
  note(text);
  say(text);
}

void GuardLogic::write_estimate(double now) {
  write(pace_->estimate(now), false);
  estimated_at_ = now;
}

void GuardLogic::write_progress(double now) {
  if (!progress_) return;
  progress_at_ = now;
  write(*progress_, false);
  progress_.reset();
}

double GuardLogic::unsaved(double now) const {
  return in_flight() + work_ + (phase_ == Phase::running ? now - work_since_ : 0);
}

void GuardLogic::enter(Phase phase, double now) {
  if (phase_ == Phase::running) work_ += now - work_since_;
  if (phase == Phase::running) work_since_ = now;
  phase_ = phase;
}

void GuardLogic::live(double now) {
  alive_at_ = now;
}

void GuardLogic::launch(double now) {
  restart_at_ = kNever;
  act(starts_anew_ ? Action::Kind::start_anew : Action::Kind::start);
  starts_anew_ = false;
  ++launches_;
  is_clear_ = false;
  is_ready_ = false;
  has_saved_ = false;
  is_asked_ = false;
  is_checking_ = false;
  is_flight_checked_ = false;
  flight_.reset();
  was_hanging_ = false;
  is_told_ready_ = false;
  has_begun_work_ = false;
  work_ = 0;
  launched_at_ = ready_at_ = quiet_since_ = now;
  live(now);
  enter(Phase::starting, now);
  silence_date_ = now + longest_start();
}

void GuardLogic::become_ready(double now) {
  if (phase_ != Phase::starting) return;
  is_ready_ = true;
  ready_at_ = now;
  live(now);
  pace_->ready(now);
  enter(Phase::running, now);
  write_estimate(now);
  if (!rules_.tells_ready) return;
  last_start_ = now - launched_at_;
  has_begun_work_ = true;
  write(entry::Ready{last_start_}, false);
}

// Returns the time after which a start is strange.
double GuardLogic::longest_start() const {
  return rules_.tells_ready ? std::max(kStartInLast * last_start_, kShortStart) : kNever;
}

void GuardLogic::warn_of(const std::string& text) {
  write(entry::Warning{text}, false);
  act(Action::Kind::warn).text = text;
}

// Speaks once about a request that nothing follows, and about a start that does not come to an end.
void GuardLogic::look_at_silence(double now) {
  const bool is_saving = phase_ == Phase::saving;
  if (is_saving ? now < silence_date_ || is_checking_ : has_begun_work_) return;
  const bool is_silent = !is_saving && now - quiet_since_ >= kQuietStart;
  if (!is_saving && !is_silent && (phase_ != Phase::starting || now < silence_date_)) return;
  silence_date_ = kNever;
  has_begun_work_ = true;
  const std::string causes =
      is_saving
          ? std::string(causes_of_silence(rules_.trigger))
          : "a lock that a killed start has left, a process or a file system that it waits for";
  warn_of(
      is_saving ? fmt::format("no new checkpoint {} after it was asked for; likely causes: {}",
                              format_duration(now - save_at_), causes)
      : is_silent
          ? fmt::format("the program has used no processor time and written nothing for {} since "
                        "its start; likely causes: {}",
                        format_duration(now - quiet_since_), causes)
          : fmt::format("the program is not ready after {}, and the last start took {}; likely "
                        "causes: {}",
                        format_duration(now - launched_at_), format_duration(last_start_), causes));
}

void GuardLogic::on_tick(double now) {
  switch (phase_) {
    case Phase::starting:
    case Phase::running:
      look_at_silence(now);
      if (now - alive_at_ >= rules_.hang) {
        was_hanging_ = true;
        note(fmt::format("no sign of life for {}", format_duration(rules_.hang)));
        alive_at_ = kNever;
        act(Action::Kind::kill_all);
      } else if (phase_ == Phase::running && now >= pace_->stop_date()) {
        begin_stop(now, "the allocation ends", kNever);
      } else if (phase_ == Phase::running && now >= ask_date()) {
        ask(now);
      }
      break;
    case Phase::saving:
      look_at_silence(now);
      if (now >= term_date_ && !is_killed_) {
        if (!is_checking_) pace_->save_ended(now, false);
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
      if (!is_clear_ || is_deciding()) break;
      if (must_requeue_) {
        finish_stop(now);
      } else if (now >= restart_at_) {
        launch(now);
      }
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

double GuardLogic::wake() const {
  double date = phase_ == Phase::over ? kNever : estimated_at_ + kBetweenEstimates;
  switch (phase_) {
    case Phase::starting:
      date = std::min({date, alive_at_ + rules_.hang, silence_date_});
      if (!has_begun_work_) date = std::min(date, quiet_since_ + kQuietStart);
      break;
    case Phase::running:
      date = std::min({date, alive_at_ + rules_.hang, pace_->stop_date(), ask_date()});
      if (!has_begun_work_) date = std::min(date, quiet_since_ + kQuietStart);
      break;
    case Phase::saving:
      date = std::min(
          {date, is_checking_ ? kNever : std::min(save_timeout_, silence_date_), term_date_});
      break;
    case Phase::ending:
      if (!is_killed_) date = std::min(date, kill_date_);
      break;
    case Phase::waiting:
      if (is_clear_ && !is_deciding()) date = std::min(date, restart_at_);
      break;
    case Phase::idle:
    case Phase::closing:
    case Phase::over:
      break;
  }
  return date;
}

}  // namespace holdfast::field
