#include "holdfast/field/course.hpp"

#include "holdfast/field/entry.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace holdfast::field {
namespace {

constexpr auto kColumns =
    std::to_array<TimelineColumn>({{.name = "kind", .role = Role::state},
                                   {.name = "start", .unit = Unit::seconds, .role = Role::start},
                                   {.name = "end", .unit = Unit::seconds, .role = Role::end},
                                   {.name = "lost", .role = Role::lost}});
constexpr std::int64_t kRoom = 1000;

bool is_progress(const Stretch& one) {
  return one.fate == Stretch::Fate::safe &&
         (one.kind == Stretch::Kind::work || one.kind == Stretch::Kind::checkpoint);
}

}  // namespace

Timeline Course::timeline() const {
  Course whole = *this;
  if (is_running) whole.work_until(clock);
  Timeline out(kColumns);
  for (const Stretch& one : whole.stretches) {
    if (!(one.end > one.start)) continue;  // a journal may come from anywhere
    out.add({kStretchKinds[static_cast<std::size_t>(one.kind)], one.start, one.end,
             one.fate == Stretch::Fate::lost});
  }
  return out;
}

void Course::on(const entry::Launch& /*entry*/) {
  if (ended_at) add(Stretch::Kind::downtime, *ended_at, clock);
  if (is_running) lose(clock);  // the guard was killed
  ended_at.reset();
  is_running = true;
  since = clock;
}

void Course::on(const entry::Ready& /*entry*/) {
  add(Stretch::Kind::recovery, since, clock);
  since = clock;
}

void Course::on(const entry::Snapshot& entry) {
  stop(entry.seconds);
}

void Course::on(const entry::Checkpoint& entry) {
  stop(entry.seconds);
  if (entry.ok) end_open(Stretch::Fate::safe);
}

void Course::on(const entry::Durable& entry) {
  work_until(clock);
  if (entry.ok) end_open(Stretch::Fate::safe);
}

void Course::on(const entry::Failure& entry) {
  lose(clock);
  if (!entry.survived) ended_at = clock;
  is_running = entry.survived;
}

void Course::on(const entry::Restart& entry) {
  close(entry.lost > 0);
}

void Course::on(const entry::Finish& /*entry*/) {
  close(false);
}

void Course::on(const entry::Stop& entry) {
  close(entry.unsaved > 0);
}

// The program stood still for a checkpoint that ends now.
void Course::stop(double seconds) {
  const double begin = std::max(since, clock - seconds);
  work_until(begin);
  add(Stretch::Kind::checkpoint, begin, clock);
  since = clock;
}

void Course::close(bool is_lost) {
  if (is_lost) {
    lose(clock);
  } else if (is_running) {
    work_until(clock);
  }
  end_open(Stretch::Fate::safe);
  is_running = false;
  ended_at = clock;
}

// Work that no checkpoint had saved yet is saved, or lost.
void Course::end_open(Stretch::Fate fate) {
  for (auto one = stretches.rbegin(); one != stretches.rend(); ++one) {
    if (one->fate == Stretch::Fate::open) {
      one->fate = fate;
    } else if (one->kind == Stretch::Kind::work) {
      break;
    }
  }
  if (std::ssize(stretches) >= room) join();
}

void Course::lose(double until) {
  if (is_running) work_until(until);
  end_open(Stretch::Fate::lost);
}

void Course::work_until(double end) {
  add(Stretch::Kind::work, since, end);
  since = std::max(since, end);
}

void Course::add(Stretch::Kind kind, double start, double end) {
  if (!(end > start)) return;
  stretches.push_back(
      {kind, start, end, kind == Stretch::Kind::work ? Stretch::Fate::open : Stretch::Fate::safe});
}

void Course::join() {
  const double finest = 2 * clock / kRoom;
  std::vector<Stretch> out;
  for (const Stretch& one : std::exchange(stretches, {})) {
    const bool is_same = !out.empty() && is_progress(out.back()) && is_progress(one) &&
                         out.back().end == one.start && one.end - out.back().start <= finest;
    if (!is_same) {
      out.push_back(one);
      continue;
    }
    Stretch& to = out.back();
    if (one.end - one.start > to.end - to.start) to.kind = one.kind;
    to.end = one.end;
  }
  stretches = std::move(out);
  room = std::max(kRoom, 2 * std::ssize(stretches));
}

}  // namespace holdfast::field
