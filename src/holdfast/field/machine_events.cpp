// How a machine takes each event; its own ends and restarts are in machine_ends.cpp.
#include "holdfast/base/units.hpp"
#include "holdfast/field/machine.hpp"

#include <fmt/format.h>

#include <utility>
#include <variant>

namespace holdfast::field {
namespace {

constexpr double kBetweenProgress = 60;

}  // namespace

Actions Machine::step(const Event& event, double now) {
  actions_.clear();
  std::visit([&](const auto& one) { on(one, now); }, event);
  on_tick(now);
  return std::move(actions_);
}

void Machine::on(const event::Begin& /*event*/, double now) {
  estimated_at_ = now;
  if (now < pace_->stop_date()) return launch(now);
  exit_code_ = 1;
  give_up(now, fmt::format("the allocation ends before a checkpoint, which needs {}, could be "
                           "written",
                           format_duration(pace_->reserve(now))));
}

void Machine::on(const event::Launched& event, double now) {
  write(Value::object({{"kind", "launch"},
                       {"pid", event.pid},
                       {"start", event.start},
                       {"from", event.from},
                       {"command", Value::list(event.command)}}),
        true);
  pace_->launched(now, !event.from.empty() || launches_ > 1);
  if (!rules_.tells_ready) become_ready(now);
}

void Machine::on(const event::NotLaunched& event, double now) {
  is_clear_ = true;
  last_end_ = event.why;
  exit_code_ = 4;
  give_up(now, event.why);
}

void Machine::on(const event::Ready& /*event*/, double now) {
  become_ready(now);
}

void Machine::on(const event::Begun& /*event*/, double now) {
  live(now);
  become_ready(now);  // a program that saves is ready, even if it has not reported that
  if (phase_ == Phase::running) {
    begin_save(now, false);
  } else if (phase_ == Phase::saving && is_asked_) {
    write(Value::object({{"kind", "begun"}, {"seconds", now - save_at_}}), false);
  }
}

void Machine::on(const event::Written& event, double now) {
  live(now);
  become_ready(now);
  if (phase_ == Phase::running) begin_save(event.date.value_or(now), false);
  if (phase_ == Phase::saving && !is_checking_) {
    is_checking_ = true;
    act(Action::Kind::keep);
  }
}

void Machine::on(const event::Refused& event, double now) {
  if (!is_checking_) return;
  if (phase_ == Phase::saving) return fail_save(now, event.why);
  is_checking_ = false;  // the program has ended meanwhile
  event::Ended end = *std::exchange(end_, std::nullopt);
  if (end.code == 0) return finish(now);  // it had finished before it was asked
  if (stop_reason_) return finish_stop(now);
  end.reason = event.why;
  interrupted(end, now);
}

void Machine::on(const event::SaveFailed& event, double now) {
  live(now);
  if (phase_ == Phase::saving && !is_checking_) fail_save(now, event.why);
}

void Machine::on(const event::Durable& /*event*/, double now) {
  pace_->durable(now);
}

void Machine::on(const event::Progress& event, double now) {
  live(now);
  pace_->progressed(now, event.done, event.total);
  progress_ = Value::object({{"kind", "progress"}, {"done", event.done}, {"total", event.total}});
  if (now - progress_at_ >= kBetweenProgress) write_progress(now);
}

void Machine::on(const event::Alive& /*event*/, double now) {
  live(now);
}

void Machine::on(const event::Cleared& /*event*/, double now) {
  is_clear_ = true;
  if (phase_ == Phase::closing) {
    enter(Phase::over, now);
    act(Action::Kind::leave).code = exit_code_;
  } else if (phase_ == Phase::waiting && must_requeue_) {
    finish_stop(now);
  }
}

void Machine::on(const event::NodeFailed& event, double now) {
  failed_node_ = event.node;
  node_failed_at_ = now;
  Value entry = Value::object({{"kind", "renewal"}, {"node", event.name}});
  if (event.node) {
    pace_->renewed(now, *event.node);
    entry.set("number", static_cast<std::int64_t>(*event.node));
  }
  entry.set("row", event.row);
  write(std::move(entry), false);
}

void Machine::on(const event::NodeToBlame& event, double /*now*/) {
  blamed_ = event.node;
}

void Machine::on(const event::TimeLeft& event, double now) {
  pace_->time_left(now, event.seconds);
}

void Machine::on(const event::SaveNow& /*event*/, double now) {
  if (phase_ == Phase::running && rules_.can_ask_once()) ask(now);
}

void Machine::on(const event::EndNow& /*event*/, double now) {
  begin_stop(now, "asked to save and end", kNever);
}

void Machine::on(const event::MustRequeue& /*event*/, double now) {
  must_requeue_ = true;
  if (phase_ == Phase::waiting && is_clear_) finish_stop(now);
}

}  // namespace holdfast::field
