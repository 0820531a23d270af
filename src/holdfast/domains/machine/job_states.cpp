#include "holdfast/domains/machine/job_states.hpp"

#include <algorithm>

namespace holdfast::machine {
namespace {

// A transfer takes time only if the bandwidth is finite.
bool takes_time(const RunningJob& job, double volume) {
  return volume > 0 && job.bandwidth < kNever;
}

// Set-10 learns the mean length of an iteration: the work before an operation and the time of the operation alone.
void learn_iteration(RunningJob& job, double volume, double now) {
  const double worked =
      job.worked_since_operation + (job.doing == Doing::work ? now - job.since : 0);
  if (job.operations++ > 0) {
    job.iterations += worked + volume / job.bandwidth;
    ++job.iteration_count;
    job.set = bandwidth::set_number(job.iterations / job.iteration_count);
  }
  job.worked_since_operation = 0;
}

void keep_work(RunningJob& job) {
  if (job.at_end) job.saved = job.job->work - job.unsaved;  // so that the sum is exactly the work
  job.settle(Use::kept);
  job.unsaved_rows.clear();
}

}  // namespace

JobStates::JobStates(const Instance& instance, Strategy& strategy, Slots& slots,
                     Transfers& transfers, Ledger& book, Planner& planner, bool shows)
    : instance_{instance},
      strategy_{strategy},
      slots_{slots},
      transfers_{transfers},
      book_{book},
      planner_{planner},
      shows_{shows},
      learns_sets_{strategy.sharing->uses_sets()},
      uses_history_{strategy.sharing->uses_history()},
      uses_targets_{strategy.sharing->uses_targets()} {}

void JobStates::start(std::uint32_t slot, double now) {
  const double input = slots_[slot].job->input;
  if (input > 0) return post(slot, Doing::input, input, now);
  work(slot, now);
}

// Works from the saved state on, until the next checkpoint or the end.
void JobStates::work(std::uint32_t slot, double now) {
  RunningJob& job = slots_[slot];
  begin(slot, Doing::work, now);
  job.asked = false;
  job.is_restarted = false;
  const double left = job.job->work - job.saved;
  const double cut = left > 0 ? planner_.next(job, left, now) : 0;
  job.at_end = cut >= left;
  slots_.set_due(slot, now + std::max(cut, 0.0));
}

void JobStates::end_work(std::uint32_t slot, double now) {
  RunningJob& job = slots_[slot];
  if (job.asked) {  // the request was never served and is no longer needed
    transfers_.remove(slot);
    job.at_end = true;
  }
  if (!job.at_end && strategy_.waiting == Waiting::working &&
      takes_time(job, job.job->checkpoint)) {
    job.asked = true;
    slots_.set_due(slot, job.since + (job.job->work - job.saved) - job.unsaved);
    post_request(slot, job.job->checkpoint, false, now);
    return;
  }
  const bool writes_output = job.at_end && job.job->output > 0;
  job.stalled_from = now;
  post(slot, writes_output ? Doing::output : Doing::checkpoint,
       writes_output ? job.job->output : job.job->checkpoint, now);
}

// Stalls the job for a transfer.
void JobStates::post(std::uint32_t slot, Doing doing, double volume, double now) {
  RunningJob& job = slots_[slot];
  begin(slot, doing, now);
  job.asked = false;
  if (!takes_time(job, volume)) return end_transfer(slot, now);
  job.volume = job.left = volume;
  post_request(slot, volume, true, now);
}

void JobStates::post_request(std::uint32_t slot, double volume, bool is_stalled, double now) {
  RunningJob& job = slots_[slot];
  if (learns_sets_) learn_iteration(job, volume, now);
  const double age = now - job.start;
  // If the job works, `since` may be earlier than now; this does not change the delay, because work is none.
  transfers_.post({.application = job.index,
                   .set = job.set,
                   .bandwidth = job.bandwidth,
                   .remaining = volume,
                   .progress = age - job.delay,
                   .age = age,
                   .posted = now,
                   .nodes = job.nodes_held(),
                   .failure_rate = job.rate,
                   .recovery = job.recovery,
                   .stalled = is_stalled},
                  slot);
}

void JobStates::end_transfer(std::uint32_t slot, double now) {
  RunningJob& job = slots_[slot];
  const Doing done = job.doing;
  book_.account(job, now, 0);
  if (job.volume > 0) book_.show(job, now, 0);
  job.volume = 0;
  job.transfer_rows.clear();
  if (done == Doing::checkpoint) save(job, now);
  if (done == Doing::output) keep_work(job);
  if (done == Doing::output || (done == Doing::checkpoint && job.at_end)) {
    job.has_ended = true;
    return;
  }
  work(slot, now);
}

void JobStates::save(RunningJob& job, double now) {
  keep_work(job);
  ++job.saves;
  if (!(job.checkpoint > 0)) return;
  const double stall = now - job.stalled_from;
  planner_.learn(job, stall);
  book_.count_checkpoint(job, stall);
}

void JobStates::lose(std::uint32_t slot, double now) {
  RunningJob& job = slots_[slot];
  const bool transfers = job.asked || (job.stalls() && job.volume > 0);
  book_.account(job, now, transfers && job.stalls() ? remaining_of(slot) : 0);
  book_.show(job, now, 0);
  if (transfers) transfers_.remove(slot);
  job.asked = false;
  job.at_end = false;
  job.volume = job.left = 0;
  slots_.set_due(slot, kNever);
  if (shows_) book_.mark_lost(job);
  job.settle(Use::lost);
}

void JobStates::go_down(std::uint32_t slot, double now) {
  begin(slot, Doing::downtime, now);
  if (instance_.downtime > 0) {
    slots_.set_due(slot, now + instance_.downtime);
  } else {
    recover(slot, now);
  }
}

void JobStates::recover(std::uint32_t slot, double now) {
  const RunningJob& job = slots_[slot];
  if (job.saves == 0 && job.job->input > 0) return post(slot, Doing::input, job.job->input, now);
  post(slot, Doing::recovery, job.job->recovery, now);
}

void JobStates::decide(double now) {
  bandwidth::Strategy& sharing = *strategy_.sharing;
  if (transfers_.empty() || (transfers_.is_full() && sharing.stands_while_full())) return;
  if (uses_history_) tell_history(now);
  const Situation situation{.now = now,
                            .bandwidth = instance_.bandwidth,
                            .left = instance_.horizon - now,
                            .window = instance_.horizon,
                            .requests = {}};
  transfers_.decide(sharing, situation,
                    [&](std::size_t k, double rate) { change_rate(k, rate, now); });
}

// Updates what strategies read about each job and what grows between its events.
void JobStates::tell_history(double now) {
  for (std::size_t k = 0; k < transfers_.size(); ++k) {
    Pending& request = transfers_.requests()[k];
    const RunningJob& job = slots_[transfers_.slot(k)];
    request.age = now - job.start;
    request.since_save = job.unsaved + (job.doing == Doing::work ? now - job.since : 0);
    if (!request.stalled) request.progress = request.age - job.delay;
    if (uses_targets_) request.target = planner_.target(job);
  }
}

void JobStates::change_rate(std::size_t place, double rate, double now) {
  Pending& request = transfers_.requests()[place];
  const bool begins = rate > 0 && request.begun == kNever;
  if (!begins && !shows_) return;
  const std::uint32_t slot = transfers_.slot(place);
  RunningJob& job = slots_[slot];
  if (begins) {
    request.begun = now;
    if (!request.stalled) {  // from now on the job stalls; the work done until now is saved
      request.stalled = true;
      begin(slot, Doing::checkpoint, now);
      job.asked = false;
      job.stalled_from = now;
      job.volume = job.left = request.remaining;
      slots_.set_due(slot, kNever);
    }
  }
  book_.show(job, now, rate);
}

double JobStates::remaining_of(std::uint32_t slot) {
  return transfers_.requests()[transfers_.place(slot)].remaining;
}

// Ends what the job did so far, and begins another activity.
void JobStates::begin(std::uint32_t slot, Doing doing, double now) {
  RunningJob& job = slots_[slot];
  if (job.since < now && !(job.stalls() && job.volume > 0)) book_.account(job, now, 0);
  book_.show(job, now, 0);
  job.doing = doing;
}

void JobStates::account_all(double now) {
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
    if (!slots_.is_taken(slot)) continue;
    RunningJob& job = slots_[slot];
    book_.account(job, now, job.stalls() && job.volume > 0 ? remaining_of(slot) : 0);
  }
}

void JobStates::close_all(double now) {
  account_all(now);
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
    if (!slots_.is_taken(slot)) continue;
    RunningJob& job = slots_[slot];
    book_.show(job, now, 0);
    job.settle(Use::open);
    book_.close(job, now, false);
  }
}

}  // namespace holdfast::machine
