#include "holdfast/domains/capacity/strategies/announcements.hpp"

#include "holdfast/domains/capacity/workload.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace holdfast::capacity {

NoticeErrors notice_errors(const Instance& instance, Stream stream) {
  const double recall = instance.notice_recall, precision = instance.notice_precision;
  if (recall == 1 && precision == 1) return {};
  const double false_ones = recall * (1 - precision) / precision;  // for each fall
  const double whole = std::floor(false_ones);
  NoticeErrors out{.missed = std::vector<bool>(instance.alive.size())};
  for (std::size_t step = 1; step < instance.alive.size(); ++step) {
    const Step& now = instance.alive[step];
    const std::int64_t fall = instance.alive[step - 1].machines - now.machines;
    if (fall <= 0 || now.time < instance.begin || now.time >= instance.end) continue;
    out.missed[step] = !stream.chance(recall);
    const auto count =
        static_cast<std::int64_t>(whole) + (stream.chance(false_ones - whole) ? 1 : 0);
    for (std::int64_t one = 0; one < count; ++one) {
      const std::int64_t time = stream.integer(instance.begin, instance.end - 1);
      const std::int64_t end = instance.alive_at(time);
      out.false_alarms.push_back({time, std::max<std::int64_t>(0, end - fall), end});
    }
  }
  std::ranges::sort(out.false_alarms, {}, &NoticeErrors::FalseAlarm::time);
  return out;
}

Announcements::Announcements(const Instance& instance, std::int64_t notice, NoticeErrors errors)
    : instance_{instance},
      notice_{notice},
      errors_{std::move(errors)},
      off_(static_cast<std::size_t>(instance.machines), kNever) {}

std::int64_t Announcements::off_after(std::int64_t machine, std::int64_t now) const {
  const auto& alive = instance_.alive;
  const auto after = std::ranges::upper_bound(alive, now, {}, &Step::time);
  const auto step = std::find_if(after, alive.end(),
                                 [machine](const Step& one) { return one.machines <= machine; });
  if (step == alive.end() || step->time >= instance_.end) return kNever;
  const auto number = static_cast<std::size_t>(step - alive.begin());
  return !errors_.missed.empty() && errors_.missed[number] ? kNever : step->time;
}

void Announcements::open(std::int64_t now) {
  for (std::size_t machine = 0; machine < off_.size(); ++machine)
    off_[machine] = off_after(static_cast<std::int64_t>(machine), now);
}

void Announcements::added(std::span<const std::int64_t> machines, std::int64_t now) {
  for (const std::int64_t machine : machines)
    off_[static_cast<std::size_t>(machine)] = off_after(machine, now);
}

bool Announcements::spares(std::int64_t machine, std::int64_t start, std::int64_t length,
                           std::int64_t now) const {
  const auto& alarms = errors_.false_alarms;
  const auto is_said = [&](const NoticeErrors::FalseAlarm& one) {
    return machine >= one.first && machine < one.end && one.time - now <= notice_;
  };
  const auto next = std::ranges::upper_bound(alarms, now, {}, &NoticeErrors::FalseAlarm::time);
  const auto last =
      std::ranges::lower_bound(alarms, start + length, {}, &NoticeErrors::FalseAlarm::time);
  if (next < last && std::any_of(next, last, is_said)) return false;
  const std::int64_t off = off_[static_cast<std::size_t>(machine)];
  if (off == kNever || off - now > notice_ || start + length <= off) return true;
  return instance_.saves_runs() &&
         off - start >= 2 * std::max<std::int64_t>(1, *instance_.checkpoint);
}

std::int64_t Announcements::next_false(std::int64_t now) const {
  const auto& alarms = errors_.false_alarms;
  const auto next = std::ranges::upper_bound(alarms, now, {}, &NoticeErrors::FalseAlarm::time);
  return next == alarms.end() ? kNever : next->time;
}

}  // namespace holdfast::capacity
