#include "holdfast/domains/capacity/live/registry.hpp"

#include <algorithm>

namespace holdfast::capacity {

Registry::Registry(World& world)
    : patience_{std::max<std::int64_t>(1, world.patience)},
      has_reference_{!world.rules.reference.empty()} {
  records_.reserve(world.jobs.size());
  for (auto job = world.jobs.begin(); job != world.jobs.end(); ++job) {
    Record& record = records_[job->id];
    record.job = job;
    record.number = count_++;
    note(record);
  }
}

Registry::Record* Registry::find(std::string_view id) {
  const auto found = records_.find(id);
  return found == records_.end() ? nullptr : &found->second;
}

Registry::Record& Registry::add(World& world, LiveJob job) {
  const auto place = world.jobs.insert(world.jobs.end(), std::move(job));
  Record& record = records_[place->id];
  record.job = place;
  record.number = count_++;
  note(record);
  return record;
}

void Registry::erase(World& world, Record& record) {
  if (record.due != kNever) due_.erase({record.due, &record});
  count(record.length, -record.cores);
  const auto job = record.job;
  records_.erase(job->id);
  world.jobs.erase(job);
}

void Registry::note(Record& record) {
  const LiveJob& job = *record.job;
  std::int64_t due = kNever;
  if (job.phase == LiveJob::Phase::held) due = job.since;
  if (job.phase == LiveJob::Phase::starting) due = job.since + patience_;
  if (due != record.due) {
    if (record.due != kNever) due_.erase({record.due, &record});
    if (due != kNever) due_.insert({due, &record});
    record.due = due;
  }
  const std::int64_t cores = job.cores * job.width;
  if (record.length == job.length && record.cores == cores) return;
  count(record.length, -record.cores);
  count(job.length, cores);
  record.length = job.length;
  record.cores = cores;
}

void Registry::count(std::int64_t length, std::int64_t cores) {
  if (cores == 0) return;
  const auto at = cores_of_.try_emplace(length, 0).first;
  at->second += cores;
  if (at->second == 0) cores_of_.erase(at);
  if (!has_reference_) categories_.reset();
}

std::vector<Registry::Record*> Registry::due(std::int64_t now) const {
  std::vector<Record*> out;
  for (auto one = due_.begin(); one != due_.end() && one->first <= now; ++one) {
    out.push_back(one->second);
  }
  std::ranges::sort(out, {}, &Record::number);
  return out;
}

std::optional<std::int64_t> Registry::next_due(std::int64_t now) const {
  const auto one = std::ranges::upper_bound(due_, now, {}, [](const auto& d) { return d.first; });
  return one == due_.end() ? std::nullopt : std::optional(one->first);
}

const Categories& Registry::categories(const World& world) {
  if (categories_) return *categories_;
  std::vector<ReferenceJob> jobs;
  for (const auto& [length, cores] : cores_of_) jobs.push_back({length, cores});
  categories_ = std::make_unique<const Categories>(
      has_reference_ ? std::span<const ReferenceJob>(world.rules.reference) : jobs,
      Profile::standard, kNoEnd);
  return *categories_;
}

}  // namespace holdfast::capacity
