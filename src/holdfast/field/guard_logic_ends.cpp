// How a guarded job ends, and what follows: restarts, stops, giving up.
#include "holdfast/base/elementary.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/field/guard_logic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <csignal>
#include <utility>

namespace holdfast::field {
namespace {

constexpr double kLongestBackoff = 60;
constexpr int kStopped = 130;
/// The share of the grace that a last checkpoint may take; in the rest the program has to end.
constexpr double kShareToSave = 0.8;
/// If a program ends within this many seconds of a node failure in its job, that failure is the reason.
constexpr double kSameFailure = 60;

std::string end_of(const event::Ended& event) {
  return event.signal != 0 ? fmt::format("by signal {}", event.signal)
                           : fmt::format("with exit code {}", event.code);
}

}  // namespace

void GuardLogic::on(const event::Ended& event, double now) {
  if (phase_ == Phase::ending) return finish_stop(now);
  if (phase_ != Phase::starting && phase_ != Phase::running && phase_ != Phase::saving) return;
  const bool was_saving = phase_ == Phase::saving;
  ended_at_ = now;
  loss_ = {.work = was_saving ? save_work_ + in_flight() : unsaved(now)};
  if (was_saving) loss_.saving = now - save_at_;
  vain_work_ = was_saving && is_asked_ && !is_begun_ ? now - save_at_ : 0;
  end_ = event;
  if (!may_have_saved(event)) return after_end(false, now);
  // What it left is looked at before its work is called lost, once no process can change it any more.
  enter(Phase::waiting, now);
  restart_at_ = now;
  act(Action::Kind::kill_all);
}

// Returns true if a program that ended may have left a checkpoint that was not seen yet.
bool GuardLogic::may_have_saved(const event::Ended& event) const {
  const bool may_end_so = is_asked_ && rules_.is_saved_code(event.code) && event.signal == 0;
  if (has_succeeded(event) && !may_end_so && !is_flight_checked_) return false;  // it has finished
  if (phase_ != Phase::saving) return is_flight_checked_;
  return is_checking_ || rules_.has_file || (rules_.trigger == Trigger::stop && may_end_so);
}

// Decides what an end means. @param is_saved  true: it left the checkpoint that it was asked for, or was writing
void GuardLogic::after_end(bool is_saved, double now) {
  const event::Ended end = *std::exchange(end_, std::nullopt);
  const bool is_good = has_succeeded(end);
  const bool says_saved = is_asked_ && end.signal == 0 && rules_.is_saved_code(end.code);
  const bool may_end_so = says_saved && !is_complete();
  const bool is_in_vain = is_good && may_end_so && !is_saved && rules_.asks_by_file();
  if (is_in_vain && !stop_reason_ && ended_without_one_ && !was_ended_by_request(end)) {
    tell("the program ended again with exit code 0 and without a new checkpoint: it has finished");
    finish(now);
  } else if (is_saved && says_saved && is_complete()) {
    finish(now);
  } else if (is_saved && may_end_so) {
    stop_reason_ ? finish_stop(now) : restart(end, true, now);
  } else if (is_in_vain) {
    stop_reason_ ? finish_stop(now) : restart(end, false, now);
  } else if (is_good) {
    finish(now);
  } else if (stop_reason_) {
    finish_stop(now);
  } else {
    interrupted(end, now);
  }
}

// Starts a program again that has ended without a failure, because it was asked to save.
void GuardLogic::restart(const event::Ended& event, bool is_saved, double now) {
  if (phase_ != Phase::waiting) {
    enter(Phase::waiting, now);
    act(Action::Kind::kill_all);
  }
  ended_without_one_ = !is_saved;
  if (!is_saved) loss_.work += vain_work_;
  write(entry::Restart{.code = event.code,
                       .saved = is_saved,
                       .in_vain = !is_saved && was_ended_by_request(event),
                       .lost = loss_.work},
        true);
  if (!is_saved) end_in_vain(event);
  pace_->stopped(now);
  flight_.reset();
  work_ = 0;
  restart_at_ = now;
}

// It may have come to its end when it was asked; then it does so again if it is left alone. A program that took the request and
// saved nothing was ended by it.
void GuardLogic::end_in_vain(const event::Ended& event) {
  const std::string lost = format_duration(loss_.work);
  if (was_ended_by_request(event)) {
    saves_not_ = true;
    warn_of(
        fmt::format("the program took the file that asks it to save and ended, but saved nothing: "
                    "{} of work is lost; it is started again, and not asked any more: with "
                    "--trigger none it saves by itself",
                    lost));
    return;
  }
  patience_ = 2 * loss_.work;
  tell(
      fmt::format("the program ended with exit code 0 when it was asked to save, and left no new "
                  "checkpoint: it is started once more, {} of work is lost, and it is not asked "
                  "again before it has done twice as much",
                  lost));
}

void GuardLogic::finish(double now) {
  pace_->stopped(now);
  write_progress(now);
  write_estimate(now);
  write(entry::Finish{.work = unsaved(now) + vain_work_}, true);
  exit_code_ = 0;
  act(Action::Kind::list_leftovers);
  if (rules_.kill_leftovers) {
    close(0);
  } else {
    enter(Phase::over, now);
    act(Action::Kind::leave).code = 0;
  }
}

// Returns true if the signal that asked for a checkpoint ended the program, which did not handle it any more just before its
// own end; then no node has failed. Launchers and shells report a signal as exit code 128 plus its number.
bool GuardLogic::is_by_request(const event::Ended& event) const {
  const bool asks_by_signal = rules_.trigger == Trigger::signal || rules_.trigger == Trigger::stop;
  if (!asks_by_signal || !is_asked_ || rules_.signal == 0) return false;
  constexpr int kBySignal = 128;
  return event.signal == rules_.signal ||
         (event.signal == 0 && event.code == kBySignal + rules_.signal);
}

entry::Failure GuardLogic::failure_entry(const event::Ended& event) const {
  entry::Failure out{.lost = loss_.work,
                     .ran = ended_at_ - ready_at_,
                     .quick = !is_by_request(event) && is_quick(ended_at_),
                     .ready = is_ready_,
                     .saving = loss_.saving,
                     .by_request = is_by_request(event),
                     .hang = was_hanging_,
                     .reason = event.reason};
  (event.signal != 0 ? out.signal : out.code) = event.signal != 0 ? event.signal : event.code;
  if (blamed_) out.node = static_cast<std::int64_t>(*blamed_);
  return out;
}

void GuardLogic::interrupted(const event::Ended& event, double now) {
  const bool by_request = is_by_request(event);
  const bool was_quick = !by_request && is_quick(ended_at_);
  last_end_ = end_of(event);
  // The monitor of the nodes has just reported a failure.
  if (!blamed_ && ended_at_ - node_failed_at_ <= kSameFailure) blamed_ = failed_node_;
  node_failed_at_ = -kNever;
  pace_->failed(now, blamed_, !was_quick && !by_request);
  write(failure_entry(event), true);
  write_estimate(now);
  if (!blamed_) ++tries_;  // a known node failure is no evidence against the checkpoint
  blamed_.reset();
  was_hanging_ = false;
  flight_.reset();
  work_ = 0;
  ++failures_in_row_;
  quick_in_row_ = was_quick ? quick_in_row_ + 1 : 0;
  if (phase_ != Phase::waiting) {
    enter(Phase::waiting, now);
    work_ = 0;
    act(Action::Kind::kill_all);
  }
  go_on(event, by_request, was_quick, now);
}

// Plans the next start after a failure, unless there is none.
void GuardLogic::go_on(const event::Ended& event, bool by_request, bool was_quick, double now) {
  const bool is_final = event.signal == 0 && std::ranges::find(rules_.final_codes, event.code) !=
                                                 rules_.final_codes.end();
  if (is_final) {
    give_up(now, fmt::format("the program ended {}, which a restart does not mend", last_end_));
  } else if (launches_ > rules_.restarts) {
    give_up(now, fmt::format("the program ended {} after {}", last_end_,
                             counted(rules_.restarts, "restart")));
  } else {
    const double wait = rules_.backoff * elementary::exp2(std::min(failures_in_row_ - 1, 30));
    restart_at_ = now + std::min(wait, std::max(kLongestBackoff, rules_.backoff));
    say(fmt::format("the program ended {}; {} of work is lost{}", last_end_,
                    format_duration(loss_.work), was_quick ? ", soon after its start" : ""));
    if (by_request && !has_told_of_request_) {
      has_told_of_request_ = true;
      act(Action::Kind::warn).text =
          "the request for a checkpoint ended the program, which no longer handled the signal of "
          "--trigger; programs should ignore it once they are about to end";
    }
    if (quick_in_row_ >= rules_.quick_limit || tries_ >= rules_.tries) {
      awaits_aside_ = true;
      act(Action::Kind::set_aside);
    }
  }
}

void GuardLogic::on(const event::Aside& event, double now) {
  if (!awaits_aside_) return;
  awaits_aside_ = false;
  if (!event.file.empty()) {
    tried_ += (tried_.empty() ? "" : " and from ") + event.file;
    note(fmt::format("set aside as bad: {}", event.file));
    act(Action::Kind::warn).text = fmt::format(
        "{} is set aside: the program ended {} times {}", event.file, ends_in_row(),
        is_quick_row() ? "soon after it started from there" : "from there without a new one");
  }
  const bool had_one = event.left > 0 || !event.file.empty();
  if (event.left > 0) {
    quick_in_row_ = 0;
    tries_ = 0;
    return;
  }
  if (had_one && event.may_begin_anew) {
    quick_in_row_ = 0;
    tries_ = 0;
    starts_anew_ = true;
    note("no checkpoint is left: from the beginning");
    return;
  }
  // No checkpoint was better than the others, so they are put back.
  if (had_one) act(Action::Kind::put_back);
  give_up(now,
          fmt::format(
              "the program ended {} times {}, last {}{}{}; its output is above", ends_in_row(),
              is_quick_row() ? fmt::format("within {} of its start", format_duration(rules_.quick))
                             : "without a new checkpoint (--tries)",
              last_end_, tried_.empty() ? "" : ", from ", tried_));
}

void GuardLogic::give_up(double now, const std::string& why) {
  pace_->stopped(now);
  write(entry::GaveUp{why}, true);
  act(Action::Kind::warn).text = fmt::format("gave up: {}", why);
  close(exit_code_ == 0 ? 1 : exit_code_);
}

void GuardLogic::close(int code) {
  exit_code_ = code;
  awaits_aside_ = false;
  phase_ = Phase::closing;
  act(Action::Kind::kill_all);
}

void GuardLogic::on(const event::Stop& event, double now) {
  if (phase_ == Phase::closing || phase_ == Phase::over) return;
  if (stop_reason_) {
    if (event.signal == SIGINT && !is_killed_) {
      is_killed_ = true;
      if (phase_ != Phase::ending) enter(Phase::ending, now);
      act(Action::Kind::kill_all);
    }
    return;
  }
  begin_stop(now, fmt::format("signal {}", event.signal), now + rules_.grace);
}

// Begins to end the job.
// @param kill_date  date at which all processes must have ended; infinite if there is enough time
void GuardLogic::begin_stop(double now, std::string reason, double kill_date) {
  if (stop_reason_ || phase_ == Phase::closing || phase_ == Phase::over) return;
  stop_reason_ = std::move(reason);
  kill_date_ = kill_date;
  const bool has_time = !std::isfinite(kill_date);
  is_limit_ = has_time;
  term_date_ = has_time ? kNever : now + kShareToSave * (kill_date - now);
  switch (phase_) {
    case Phase::starting:
      end_program(now);
      break;
    case Phase::running: {
      const auto seconds = pace_->checkpoint(now);
      const bool fits = has_time || !seconds || now + *seconds < term_date_;
      if (can_ask_now() && fits) {
        say(fmt::format("{}: a last checkpoint", *stop_reason_));
        ask(now);
      } else {
        end_program(now);
      }
      break;
    }
    case Phase::waiting:
      if (!end_) finish_stop(now);
      break;
    default:  // the checkpoint that is being written is the last one
      break;
  }
}

void GuardLogic::end_program(double now) {
  enter(Phase::ending, now);
  if (!std::isfinite(kill_date_)) kill_date_ = now + rules_.grace;
  term_date_ = kNever;
  act(Action::Kind::terminate);
}

// Finishes a stop of the guard, after the program has ended or if none is running.
void GuardLogic::finish_stop(double now) {
  if (phase_ == Phase::saving) work_ = save_work_;
  const double unsafe = unsaved(now);
  const std::string reason = stop_reason_.value_or("a node of the job is down");
  pace_->stopped(now);
  write_progress(now);
  write_estimate(now);
  write(entry::Stop{.reason = reason, .unsaved = unsafe}, true);
  const bool is_all_saved = unsafe <= 0 && has_checkpoint();
  say(is_all_saved  ? fmt::format("stopped ({}), all work saved", reason)
      : unsafe <= 0 ? fmt::format("stopped ({}); no work was saved yet", reason)
                    : fmt::format("stopped ({}); {} of work since the last checkpoint is not saved",
                                  reason, format_duration(unsafe)));
  if (rules_.requeues && (is_limit_ || must_requeue_)) act(Action::Kind::requeue);
  close(kStopped);
}

}  // namespace holdfast::field
