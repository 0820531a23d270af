#include "holdfast/domains/moldable/live_rule.hpp"

#include <algorithm>
#include <functional>

namespace holdfast::moldable {
namespace {

/// The batch that is under way. All jobs that are left have used up the attempts of those before.
struct BatchNow {
  std::int64_t before = 0;  ///< attempts of a job in the batches before
  std::int64_t most = 0;    ///< attempts of a job in this one
};

BatchNow batch_of(const Strategy& rule, std::span<const LiveJob> jobs) {
  std::int64_t least = Strategy::kUnlimited;
  for (const LiveJob& job : jobs) {
    if (!job.is_done) least = std::min(least, job.failures);
  }
  BatchNow out{.most = rule.attempts(1)};
  for (int number = 2; least - out.before >= out.most; ++number) {
    out.before += out.most;
    out.most = rule.attempts(number);
  }
  return out;
}

std::int64_t processors_of(std::span<const AttemptRun> runs, std::int64_t attempt) {
  for (const AttemptRun& run : runs) {
    if (attempt < run.attempts) return run.processors;
    attempt -= run.attempts;
  }
  return runs.back().processors;
}

}  // namespace

LiveRule::LiveRule(const PreparedInstance& prepared, const Strategy& strategy)
    : prepared_{prepared}, list_{&strategy} {
  const State all = prepared.state(prepared.all);
  const auto course = strategy.course(all);
  if (!course) return;
  if (course->rolling) rolling_.emplace(all, *course->rolling);
  list_ = course->batches != nullptr ? course->batches : course->fall_back;
}

std::vector<Launch> LiveRule::launches(std::span<const LiveJob> jobs, double now) {
  std::int64_t free = prepared_.instance->processors;
  for (const LiveJob& job : jobs) free -= job.processors;
  const bool waits = std::ranges::any_of(
      jobs, [](const LiveJob& job) { return !job.is_done && job.processors == 0; });
  if (!waits || free <= 0) return {};
  return rolling_ ? rolling_->resume(jobs, now) : listed(jobs);
}

std::vector<Launch> LiveRule::listed(std::span<const LiveJob> jobs) const {
  const BatchNow batch = batch_of(*list_, jobs);
  std::int64_t free = prepared_.instance->processors;
  std::vector<std::uint32_t> members;
  for (const std::uint32_t job : prepared_.all) {
    free -= jobs[job].processors;
    if (jobs[job].failures >= batch.before) members.push_back(job);
  }
  const State state = prepared_.state(members);
  Allotment allotment;
  list_->allot(state, batch.most, allotment);
  struct Waiting {
    double key;
    Launch launch;
  };
  std::vector<Waiting> waiting;
  for (std::size_t at = 0; at < members.size(); ++at) {
    const LiveJob& job = jobs[members[at]];
    const std::int64_t made = job.failures - batch.before;
    if (job.is_done || job.processors > 0 || made >= batch.most) continue;
    const std::int64_t processors = processors_of(allotment.of(at), made);
    const double time = state.jobs[members[at]].time(processors);
    waiting.push_back(
        {priority_key(list_->priority(), time, processors), {members[at], processors}});
  }
  std::ranges::stable_sort(waiting, std::greater<>(), &Waiting::key);
  std::vector<Launch> out;
  for (const Waiting& one : waiting) {
    if (one.launch.processors > free) continue;
    free -= one.launch.processors;
    out.push_back(one.launch);
  }
  return out;
}

}  // namespace holdfast::moldable
