#include "holdfast/domains/machine/ledger.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace holdfast::machine {

Ledger::Ledger(const Instance& instance, std::vector<ScheduleRow>* rows)
    : instance_{instance}, rows_{rows}, is_measured_{instance.warmup == 0} {
  run_.groups.resize(instance.groups.size());
}

void Ledger::account(RunningJob& job, double now, double remaining) {
  if (job.doing == Doing::work) job.worked_since_operation += now - job.since;
  job.account_until(now, remaining, is_measured_);
}

void Ledger::show(RunningJob& job, double now, double next_rate) {
  if (rows_ != nullptr && now > job.row_from) {
    const bool waits = job.stalls() && job.row_rate == 0;
    if (job.doing == Doing::work) job.unsaved_rows.push_back(rows_->size());
    if (job.stalls()) job.transfer_rows.push_back(rows_->size());
    rows_->push_back({.job = job.job->id,
                      .group = instance_.groups[job.job->group],
                      .kind = waits ? std::string_view("wait") : name(job.doing),
                      .start = job.row_from,
                      .end = now,
                      .rate = job.row_rate,
                      .nodes = job.job->nodes,
                      .struck = job.is_struck});
    job.is_struck = false;
  }
  job.row_from = now;
  job.row_rate = next_rate;
}

void Ledger::mark_lost(RunningJob& job) {
  for (auto* lost : {&job.unsaved_rows, &job.transfer_rows}) {
    for (const std::size_t row : *lost) (*rows_)[row].lost = true;
    lost->clear();
  }
}

void Ledger::count_failure(const RunningJob& job) {
  if (is_measured_) ++tally_of(job).failures;
}

void Ledger::count_checkpoint(const RunningJob& job, double stall) {
  if (!is_measured_) return;
  Tally& tally = tally_of(job);
  ++tally.checkpoints;
  tally.stall += stall / job.checkpoint;
}

void Ledger::count_completion(const RunningJob& job, double now) {
  if (!is_measured_) return;
  constexpr double kShortest = 10;
  Tally& tally = tally_of(job);
  const Job& given = *job.job;
  const double ran = job.on_nodes + now - job.began;
  ++tally.completed;
  tally.dedicated += job.nodes_held() * (given.work + dedicated_time(given.input, job.bandwidth) +
                                         dedicated_time(given.output, job.bandwidth));
  tally.slowdown += std::max(1.0, (now - job.arrival) / std::max(kShortest, ran));
  tally.waiting += job.start - job.arrival;
}

void Ledger::close(const RunningJob& job, double now, bool is_completed) {
  Tally& tally = tally_of(job);
  for (std::size_t i = 0; i < kUses; ++i) {
    const Use use = static_cast<Use>(i);
    tally.account.add(use, job.nodes_held() * job.account[use]);
  }
  const double yield = job.yield_at(now);
  judged_.push_back({job.job->group, now - std::max(job.start, instance_.warmup), yield});
  if (rows_ == nullptr) return;
  run_.jobs.push_back({.job = job.index,
                       .start = job.start,
                       .end = now,
                       .completed = is_completed,
                       .yield = yield,
                       .account = job.account});
}

Run Ledger::finish(double now, double idle, double broken) {
  run_.end = now;
  std::ranges::stable_sort(run_.jobs, {},
                           [](const JobOutcome& job) { return std::pair(job.job, job.start); });
  const double least = (now - instance_.warmup) / 10;
  for (const Judged& one : judged_) {
    if (one.ran < least) continue;
    std::optional<double>& lowest = run_.groups[one.group].least_yield;
    lowest = std::min(lowest.value_or(one.yield), one.yield);
  }
  for (const Tally& group : run_.groups) run_.all += group;
  run_.all.account.add(Use::idle, idle);
  run_.all.account.add(Use::repair, broken);
  return std::move(run_);
}

}  // namespace holdfast::machine
