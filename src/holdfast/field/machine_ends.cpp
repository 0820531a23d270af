// How a guarded job ends, and what follows: restarts, stops, giving up.
#include "holdfast/base/elementary.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/field/machine.hpp"

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

void Machine::on(const event::Ended& event, double now) {
  if (phase_ == Phase::ending || (phase_ == Phase::saving && stop_reason_ && !is_asked_)) {
    finish_stop(now);
    return;
  }
  if (phase_ == Phase::saving && rules_.trigger == Trigger::stop && is_asked_ &&
      event.signal == 0 && !is_checking_) {
    // The program ended as if it had saved, as it was asked to; the driver checks whether it did.
    is_checking_ = true;
    end_ = event;
    enter(Phase::waiting, now);
    restart_at_ = now;
    act(Action::Kind::keep);
    act(Action::Kind::kill_all);
    return;
  }
  if (phase_ != Phase::starting && phase_ != Phase::running && phase_ != Phase::saving) return;
  if (event.signal == 0 && event.code == 0 && !was_hanging_) {
    finish(now);
    return;
  }
  if (stop_reason_) {  // it ended during its last checkpoint
    finish_stop(now);
    return;
  }
  interrupted(event, now);
}

void Machine::finish(double now) {
  pace_->stopped(now);
  write_progress(now);
  write_estimate(now);
  write(Value::object({{"kind", "finish"}, {"code", 0}, {"work", unsaved(now)}}), true);
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
bool Machine::is_by_request(const event::Ended& event) const {
  const bool asks_by_signal = rules_.trigger == Trigger::signal || rules_.trigger == Trigger::stop;
  if (!asks_by_signal || phase_ != Phase::saving || !is_asked_) return false;
  constexpr int kBySignal = 128;
  return event.signal == rules_.signal ||
         (event.signal == 0 && event.code == kBySignal + rules_.signal);
}

void Machine::interrupted(const event::Ended& event, double now) {
  const double lost = phase_ == Phase::saving ? save_work_ : unsaved(now);
  const bool was_saving = phase_ == Phase::saving;
  const bool by_request = is_by_request(event);
  const bool is_quick = !by_request && !has_saved_ && now - ready_at_ < rules_.quick;
  last_end_ = end_of(event);
  // The monitor of the nodes has just reported a failure.
  if (!blamed_ && now - node_failed_at_ <= kSameFailure) blamed_ = failed_node_;
  node_failed_at_ = -kNever;
  pace_->failed(now, blamed_, !is_quick && !by_request);
  Value entry = Value::object({{"kind", "failure"}});
  if (event.signal != 0) {
    entry.set("signal", event.signal);
  } else {
    entry.set("code", event.code);
  }
  entry.set("lost", lost);
  entry.set("ran", now - ready_at_);
  entry.set("quick", is_quick);
  entry.set("ready", is_ready_);
  if (was_saving) entry.set("saving", now - save_at_);
  if (by_request) entry.set("by_request", true);
  if (was_hanging_) entry.set("hang", true);
  if (blamed_) entry.set("node", static_cast<std::int64_t>(*blamed_));
  if (!event.reason.empty()) entry.set("reason", event.reason);
  write(std::move(entry), true);
  write_estimate(now);
  if (!blamed_) ++tries_;  // a known node failure is no evidence against the checkpoint
  blamed_.reset();
  was_hanging_ = false;
  work_ = 0;
  ++failures_in_row_;
  quick_in_row_ = is_quick ? quick_in_row_ + 1 : 0;
  if (phase_ != Phase::waiting) {
    enter(Phase::waiting, now);
    work_ = 0;
    act(Action::Kind::kill_all);
  }
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
    say(fmt::format("the program ended {}; {} of work is lost{}", last_end_, format_duration(lost),
                    is_quick ? ", soon after its start" : ""));
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

void Machine::plan_restart(double now) {
  work_ = 0;
  restart_at_ = std::min(restart_at_, now);
  if (stop_reason_) finish_stop(now);
}

void Machine::on(const event::Aside& event, double now) {
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

void Machine::give_up(double now, const std::string& why) {
  pace_->stopped(now);
  write(Value::object({{"kind", "gave-up"}, {"reason", why}}), true);
  act(Action::Kind::warn).text = fmt::format("gave up: {}", why);
  close(exit_code_ == 0 ? 1 : exit_code_);
}

void Machine::close(int code) {
  exit_code_ = code;
  awaits_aside_ = false;
  phase_ = Phase::closing;
  act(Action::Kind::kill_all);
}

void Machine::on(const event::Stop& event, double now) {
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
void Machine::begin_stop(double now, std::string reason, double kill_date) {
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
      if (rules_.can_ask_once() && fits) {
        say(fmt::format("{}: a last checkpoint", *stop_reason_));
        ask(now);
      } else {
        end_program(now);
      }
      break;
    }
    case Phase::waiting:
      if (!is_checking_) finish_stop(now);
      break;
    default:  // the checkpoint that is being written is the last one
      break;
  }
}

void Machine::end_program(double now) {
  enter(Phase::ending, now);
  if (!std::isfinite(kill_date_)) kill_date_ = now + rules_.grace;
  term_date_ = kNever;
  act(Action::Kind::terminate);
}

// Finishes a stop of the guard, after the program has ended or if none is running.
void Machine::finish_stop(double now) {
  if (phase_ == Phase::saving) work_ = save_work_;
  const double unsafe = unsaved(now);
  const std::string reason = stop_reason_.value_or("a node of the job is down");
  pace_->stopped(now);
  write_progress(now);
  write_estimate(now);
  write(Value::object({{"kind", "stop"}, {"reason", reason}, {"unsaved", unsafe}}), true);
  say(unsafe > 0 ? fmt::format("stopped ({}); {} of work since the last checkpoint is not saved",
                               reason, format_duration(unsafe))
                 : fmt::format("stopped ({}), all work saved", reason));
  if (rules_.requeues && (is_limit_ || must_requeue_)) act(Action::Kind::requeue);
  close(kStopped);
}

}  // namespace holdfast::field
