// How the logic takes each event; ends of programs and restarts are in guard_logic_ends.cpp.
#include "holdfast/base/units.hpp"
#include "holdfast/field/guard_logic.hpp"

#include <fmt/format.h>

#include <utility>
#include <variant>

namespace holdfast::field {
namespace {

constexpr double kBetweenProgress = 60;

}  // namespace

Actions GuardLogic::step(const Event& event, double now) {
  actions_.clear();
  std::visit([&](const auto& one) { on(one, now); }, event);
  on_tick(now);
  return std::move(actions_);
}

void GuardLogic::on(const event::Begin& /*event*/, double now) {
  estimated_at_ = now;
  if (now < pace_->stop_date()) return launch(now);
  exit_code_ = 1;
  give_up(now, fmt::format("the allocation ends before a checkpoint, which needs {}, could be "
                           "written",
                           format_duration(pace_->reserve(now))));
}

void GuardLogic::on(const event::Launched& event, double now) {
  write(
      entry::Launch{
          .pid = event.pid, .start = event.start, .from = event.from, .command = event.command},
      true);
  pace_->launched(now, !event.from.empty() || launches_ > 1);
  if (!rules_.tells_ready) become_ready(now);
}

void GuardLogic::on(const event::NotLaunched& event, double now) {
  is_clear_ = true;
  last_end_ = event.why;
  exit_code_ = 4;
  give_up(now, event.why);
}

void GuardLogic::on(const event::Ready& /*event*/, double now) {
  const bool works = phase_ == Phase::running || phase_ == Phase::saving;
  if (works && is_told_ready_) return survive(now);
  is_told_ready_ = true;
  become_ready(now);
}

// The program begins again although it did not end, as torchrun does when a worker was killed: a failure like any other.
void GuardLogic::survive(double now) {
  const bool was_quick = is_quick(now);
  if (phase_ == Phase::saving) pace_->save_ended(now, false);
  pace_->survived(now, !was_quick);
  ended_at_ = now;
  loss_ = {.work = phase_ == Phase::saving ? save_work_ + in_flight() : unsaved(now)};
  entry::Failure entry{
      .survived = true, .lost = loss_.work, .ran = now - ready_at_, .quick = was_quick};
  if (phase_ == Phase::saving) entry.saving = now - save_at_;
  write(std::move(entry), true);
  say(fmt::format("the program has begun again without an end; {} of work is lost",
                  format_duration(loss_.work)));
  flight_.reset();
  is_asked_ = is_checking_ = is_flight_checked_ = false;
  enter(Phase::running, now);
  work_ = 0;
  ready_at_ = now;
  live(now);
}

void GuardLogic::on(const event::Progress& event, double now) {
  live(now);
  has_begun_work_ = true;
  done_ = event.done;
  total_ = event.total;
  pace_->progressed(now, event.done, event.total);
  progress_ = {.done = event.done, .total = event.total};
  if (now - progress_at_ >= kBetweenProgress) write_progress(now);
}

void GuardLogic::on(const event::Alive& /*event*/, double now) {
  live(now);
  quiet_since_ = now;
}

void GuardLogic::on(const event::Busy& /*event*/, double now) {
  quiet_since_ = now;
}

void GuardLogic::on(const event::Cleared& /*event*/, double now) {
  is_clear_ = true;
  if (phase_ == Phase::closing) {
    enter(Phase::over, now);
    act(Action::Kind::leave).code = exit_code_;
  } else if (end_ && !is_checking_) {  // nobody writes any more
    is_checking_ = true;
    act(Action::Kind::keep).is_doubtful = end_->signal != 0 || !rules_.is_saved_code(end_->code);
  }
}

void GuardLogic::on(const event::NodeFailed& event, double now) {
  failed_node_ = event.node;
  node_failed_at_ = now;
  entry::Renewal entry{.node = event.name, .row = event.row};
  if (event.node) {
    pace_->renewed(now, *event.node);
    entry.number = static_cast<std::int64_t>(*event.node);
  }
  write(std::move(entry), false);
}

void GuardLogic::on(const event::NodeToBlame& event, double /*now*/) {
  blamed_ = event.node;
}

void GuardLogic::on(const event::TimeLeft& event, double now) {
  pace_->time_left(now, event.seconds);
}

void GuardLogic::on(const event::SaveNow& /*event*/, double now) {
  if (phase_ == Phase::running && can_ask_now()) ask(now);
}

void GuardLogic::on(const event::EndNow& /*event*/, double now) {
  begin_stop(now, "asked to save and end", kNever);
}

void GuardLogic::on(const event::MustRequeue& /*event*/, double /*now*/) {
  must_requeue_ = true;
}

}  // namespace holdfast::field
