#include "holdfast/domains/machine/simulate.hpp"

#include "holdfast/domains/machine/planner.hpp"
#include "holdfast/domains/machine/queue.hpp"
#include "holdfast/domains/machine/transfers.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace holdfast::machine {
namespace {

constexpr std::uint32_t kNoSlot = Nodes::kNobody;
/// Failures beyond which a run without a horizon does not end.
constexpr std::int64_t kMostFailures = 20'000'000;

// A date at which something happens that is not of one running job.
struct Timed {
  double date = 0;
  std::int64_t node = 0;
};

class Machine {
 public:
  Machine(const Instance& instance, Strategy& strategy, Realisation& realisation,
          std::vector<ScheduleRow>* rows, Stop stop)
      : instance_{instance},
        strategy_{strategy},
        realisation_{realisation},
        stop_{stop},
        nodes_{instance.nodes},
        queue_{instance.scheduler},
        book_{instance, rows},
        shows_{rows != nullptr},
        planner_{instance, strategy.period, realisation, strategy.sharing->uses_targets()},
        mtbf_{instance.node_mtbf()},
        learners_{strategy.sharing->uses_sets()} {}

  Run run() {
    happen();
    decide();
    while (!is_over()) {
      const double next = std::min(next_event(), instance_.horizon);
      if (next == kNever) {  // jobs without an end, and nothing that fails
        completes_ = false;
        break;
      }
      pass_until(next);
      if (now_ >= instance_.horizon) break;
      ++events_;
      happen();
      decide();
    }
    return finish();
  }

 private:
  // ----- time

  bool is_over() {
    if (stop_.wanted()) return true;
    if (failures_ >= kMostFailures && instance_.horizon == kNever) {
      completes_ = false;
      return true;
    }
    return instance_.horizon == kNever && busy_ == 0 && queue_.size() == 0 &&
           next_job_ >= realisation_.jobs().given();
  }

  double next_arrival() {
    return next_job_ < realisation_.jobs().given() ? realisation_.jobs().at(next_job_).submit
                                                   : kNever;
  }

  double next_event() {
    double next = std::min({transfers_.next_end(now_), realisation_.failure_date(next_failure_),
                            next_arrival(), strategy_.sharing->next_date(now_)});
    for (const double due : due_) next = std::min(next, due);
    if (instance_.walltime == Walltime::kill) {
      for (const double date : kills_) next = std::min(next, date);
    }
    for (const Timed& repair : repairs_) next = std::min(next, repair.date);
    return std::max(next, now_);
  }

  // Lets time pass in which nothing happens. Where the window begins, what was before is put aside.
  void pass_until(double date) {
    if (now_ < instance_.warmup && date >= instance_.warmup) {
      pass(instance_.warmup);
      account_all();
      book_.measure();
    }
    pass(date);
  }
  void pass(double date) {
    if (book_.is_measured()) {
      const double elapsed = date - now_;
      idle_ += elapsed * static_cast<double>(nodes_.free());
      broken_ += elapsed * static_cast<double>(nodes_.broken());
    }
    transfers_.advance(date - now_);
    now_ = date;
  }

  // Everything that happens now, in the order of the model.
  void happen() {
    const double close = few_ulps(now_);
    const double reached = now_ + close;
    take_due_transfers(close);
    take_due(reached, Doing::work);
    take_due(reached, Doing::downtime);
    for (; realisation_.failure_date(next_failure_) <= reached; ++next_failure_) {
      fail_node(realisation_.failed_node(next_failure_));
    }
    std::erase_if(repairs_, [&](const Timed& repair) {
      if (repair.date > reached) return false;
      nodes_.mend(repair.node);
      return true;
    });
    kill(reached);
    arrive();
    schedule();
  }

  void take_due_transfers(double close) {
    due_slots_.clear();
    transfers_.take_ended(close, due_slots_);
    sort_by_job();
    for (const std::uint32_t slot : due_slots_) end_transfer(slot);
  }

  void take_due(double reached, Doing doing) {
    due_slots_.clear();
    for (std::uint32_t slot = 0; slot < due_.size(); ++slot) {
      if (due_[slot] <= reached && running_[slot].doing == doing) due_slots_.push_back(slot);
    }
    sort_by_job();
    for (const std::uint32_t slot : due_slots_) {
      due_[slot] = kNever;
      doing == Doing::work ? end_work(slot) : recover(slot);
    }
  }

  void sort_by_job() {
    if (due_slots_.size() < 2) return;
    std::sort(due_slots_.begin(), due_slots_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return running_[a].index < running_[b].index;
    });
  }

  // ----- jobs

  void arrive() {
    Jobs& jobs = realisation_.jobs();
    if (jobs.are_drawn()) {
      while (queue_.size() < jobs.queued()) enqueue(next_job_++);
      return;
    }
    const double reached = now_ + few_ulps(now_);
    while (next_arrival() <= reached) enqueue(next_job_++);
  }

  void enqueue(std::size_t index) {
    const Job& job = realisation_.jobs().at(index);
    arrivals_.resize(std::max(arrivals_.size(), index + 1));
    arrivals_[index] = now_;
    queue_.add({static_cast<std::uint32_t>(index), job.nodes, estimate_of(instance_, job)});
  }

  void schedule() {
    Queued next;
    do {
      collect_releases();
    } while (queue_.next(now_, nodes_.free(), releases_, next) && (start(next), true));
  }

  void collect_releases() {
    if (!queue_.needs_releases()) return;
    releases_.clear();
    for (std::size_t slot = 0; slot < running_.size(); ++slot) {
      if (is_taken(slot)) releases_.push_back({ends_[slot], running_[slot].job->nodes});
    }
    for (const Timed& repair : repairs_) releases_.push_back({repair.date, 1});
  }

  [[nodiscard]] bool is_taken(std::size_t slot) const { return running_[slot].job != nullptr; }

  std::uint32_t free_slot() {
    if (free_slots_.empty()) {
      running_.emplace_back();
      due_.push_back(kNever);
      kills_.push_back(kNever);
      ends_.push_back(kNever);
      return static_cast<std::uint32_t>(running_.size() - 1);
    }
    const std::uint32_t slot = free_slots_.back();
    free_slots_.pop_back();
    return slot;
  }

  void start(const Queued& queued) {
    const std::uint32_t slot = free_slot();
    RunningJob& job = running_[slot];
    const auto interrupted = interrupted_.find(queued.job);
    const bool is_new = interrupted == interrupted_.end();
    if (is_new) {
      job = fresh(queued.job);
    } else {
      job = std::move(interrupted->second);
      interrupted_.erase(interrupted);
    }
    ++busy_;
    job.began = job.since = job.row_from = now_;
    job.nodes = nodes_.take(job.job->nodes, slot);
    ends_[slot] = now_ + queued.estimate;
    kills_[slot] = instance_.walltime == Walltime::kill ? ends_[slot] : kNever;
    planner_.start(job);
    if (realisation_.jobs().are_drawn()) arrive();
    if (!is_new) return go_down(slot);
    if (job.job->input > 0) return post(slot, Doing::input, job.job->input);
    work(slot);
  }

  RunningJob fresh(std::uint32_t index) {
    const Job& given = realisation_.jobs().at(index);
    RunningJob job{.job = &given, .index = index};
    job.bandwidth = instance_.job_bandwidth(given.nodes);
    job.rate = static_cast<double>(given.nodes) / mtbf_;
    job.checkpoint = dedicated_time(given.checkpoint, job.bandwidth);
    job.recovery = dedicated_time(given.recovery, job.bandwidth);
    job.arrival = arrivals_[index];
    job.start = now_;
    return job;
  }

  // Work from what is saved on, until the next checkpoint or the end.
  void work(std::uint32_t slot) {
    RunningJob& job = running_[slot];
    begin(slot, Doing::work);
    job.asked = false;
    job.is_restarted = false;
    const double left = job.job->work - job.saved;
    const double cut = left > 0 ? planner_.next(job, left, now_) : 0;
    job.at_end = cut >= left;
    due_[slot] = now_ + std::max(cut, 0.0);
  }

  // Work reached the date at which it asks for a checkpoint, or its end.
  void end_work(std::uint32_t slot) {
    RunningJob& job = running_[slot];
    if (job.asked) {  // nobody served it: what it asked for is not needed any more
      transfers_.remove(slot);
      job.at_end = true;
    }
    if (!job.at_end && strategy_.waiting == Waiting::working && moves(job, job.job->checkpoint)) {
      job.asked = true;
      due_[slot] = job.since + (job.job->work - job.saved) - job.unsaved;
      post_request(slot, job.job->checkpoint, false);
      return;
    }
    const bool writes_output = job.at_end && job.job->output > 0;
    job.stalled_from = now_;
    post(slot, writes_output ? Doing::output : Doing::checkpoint,
         writes_output ? job.job->output : job.job->checkpoint);
  }

  // A volume takes time only where bandwidth is finite.
  static bool moves(const RunningJob& job, double volume) {
    return volume > 0 && job.bandwidth < kNever;
  }

  // The job stalls for a transfer.
  void post(std::uint32_t slot, Doing doing, double volume) {
    RunningJob& job = running_[slot];
    begin(slot, doing);
    job.asked = false;
    if (!moves(job, volume)) return end_transfer(slot);
    job.volume = job.left = volume;
    post_request(slot, volume, true);
  }

  void post_request(std::uint32_t slot, double volume, bool is_stalled) {
    RunningJob& job = running_[slot];
    if (learners_) learn_iteration(job, volume);
    const double age = now_ - job.start;
    // Of a job that works, `since` may lie behind: work is no delay.
    transfers_.post({.application = job.index,
                     .set = job.set,
                     .bandwidth = job.bandwidth,
                     .remaining = volume,
                     .progress = age - job.delay,
                     .age = age,
                     .posted = now_,
                     .nodes = job.nodes_held(),
                     .failure_rate = job.rate,
                     .recovery = job.recovery,
                     .stalled = is_stalled},
                    slot);
  }

  // Set-10 learns the mean length of an iteration: the work before an operation and the operation alone.
  void learn_iteration(RunningJob& job, double volume) const {
    const double worked =
        job.worked_since_operation + (job.doing == Doing::work ? now_ - job.since : 0);
    if (job.operations++ > 0) {
      job.iterations += worked + volume / job.bandwidth;
      ++job.iteration_count;
      job.set = bandwidth::set_number(job.iterations / job.iteration_count);
    }
    job.worked_since_operation = 0;
  }

  void end_transfer(std::uint32_t slot) {
    RunningJob& job = running_[slot];
    const Doing done = job.doing;
    book_.account(job, now_, 0);
    if (job.volume > 0) book_.show(job, now_, 0);
    job.volume = 0;
    job.transfer_rows.clear();
    switch (done) {
      case Doing::checkpoint:
        save(job);
        if (job.at_end) return complete(slot);
        break;
      case Doing::output:
        save_work(job);
        return complete(slot);
      default:
        break;
    }
    work(slot);
  }

  void save(RunningJob& job) {
    save_work(job);
    ++job.saves;
    if (!(job.checkpoint > 0)) return;
    const double stall = now_ - job.stalled_from;
    planner_.learn(job, stall);
    book_.count_checkpoint(job, stall);
  }

  void save_work(RunningJob& job) {
    if (job.at_end) job.saved = job.job->work - job.unsaved;  // exactly all of it
    job.settle(Use::kept);
    job.unsaved_rows.clear();
  }

  void complete(std::uint32_t slot) {
    book_.count_completion(running_[slot], now_);
    leave(slot, true);
  }

  // The job is gone for good.
  void leave(std::uint32_t slot, bool is_completed) {
    RunningJob& job = running_[slot];
    book_.close(job, now_, is_completed);
    release(slot);
    job = {};
  }

  void release(std::uint32_t slot) {
    RunningJob& job = running_[slot];
    nodes_.give_back(job.nodes);
    planner_.end(job);
    due_[slot] = kills_[slot] = kNever;
    free_slots_.push_back(slot);
    --busy_;
  }

  // ----- failures

  void fail_node(std::int64_t node) {
    planner_.fail(now_, node);
    const bool requeues = instance_.on_failure == OnFailure::requeue;
    const std::uint32_t slot = nodes_.owner(node);
    if (slot == kNoSlot) {
      if (requeues && instance_.repair > 0 && nodes_.is_free(node)) break_down(node);
      return;
    }
    RunningJob& job = running_[slot];
    if (job.doing == Doing::downtime) return;  // renewed, and nothing else
    book_.count_failure(job);
    ++failures_;
    cut(slot);
    job.settle(Use::lost);
    job.cuts.clear();
    job.next_cut = 0;
    job.is_restarted = true;
    job.is_struck = true;
    if (requeues) {
      job.on_nodes += now_ - job.began;
      release(slot);
      if (instance_.repair > 0) break_down(node);
      queue_.add_first({job.index, job.job->nodes, estimate_of(instance_, *job.job)});
      const std::uint32_t index = job.index;
      interrupted_.emplace(index, std::move(job));
      running_[slot] = {};
      return;
    }
    go_down(slot);
  }

  void break_down(std::int64_t node) {
    nodes_.break_down(node);
    repairs_.push_back({now_ + instance_.repair, node});
  }

  // What the job does ends here, and what was not saved is lost.
  void cut(std::uint32_t slot) {
    RunningJob& job = running_[slot];
    const bool transfers = job.asked || (job.stalls() && job.volume > 0);
    book_.account(job, now_, transfers && job.stalls() ? remaining_of(slot) : 0);
    book_.show(job, now_, 0);
    if (transfers) transfers_.remove(slot);
    job.asked = false;
    job.at_end = false;
    job.volume = job.left = 0;
    due_[slot] = kNever;
    if (shows_) book_.mark_lost(job);
  }

  void go_down(std::uint32_t slot) {
    begin(slot, Doing::downtime);
    if (instance_.downtime > 0) {
      due_[slot] = now_ + instance_.downtime;
    } else {
      recover(slot);
    }
  }

  void recover(std::uint32_t slot) {
    const RunningJob& job = running_[slot];
    if (job.saves == 0 && job.job->input > 0) return post(slot, Doing::input, job.job->input);
    post(slot, Doing::recovery, job.job->recovery);
  }

  void kill(double reached) {
    if (instance_.walltime != Walltime::kill) return;
    for (std::uint32_t slot = 0; slot < kills_.size(); ++slot) {
      if (kills_[slot] > reached) continue;
      cut(slot);
      running_[slot].settle(Use::lost);
      leave(slot, false);
    }
  }

  // ----- bandwidth

  void decide() {
    if (transfers_.empty()) return;
    for (std::size_t k = 0; k < transfers_.size(); ++k) {
      Pending& request = transfers_.requests()[k];
      const RunningJob& job = running_[transfers_.slot(k)];
      request.age = now_ - job.start;
      request.since_save = job.unsaved + (job.doing == Doing::work ? now_ - job.since : 0);
      if (!request.stalled) request.progress = request.age - job.delay;
      if (strategy_.sharing->uses_targets()) request.target = planner_.target(job);
    }
    const Situation situation{.now = now_,
                              .bandwidth = instance_.bandwidth,
                              .left = instance_.horizon - now_,
                              .window = instance_.horizon,
                              .requests = {}};
    transfers_.decide(*strategy_.sharing, situation,
                      [&](std::size_t k, double rate) { change_rate(k, rate); });
  }

  void change_rate(std::size_t k, double rate) {
    const std::uint32_t slot = transfers_.slot(k);
    RunningJob& job = running_[slot];
    Pending& request = transfers_.requests()[k];
    if (rate > 0 && request.begun == kNever) {
      request.begun = now_;
      if (!request.stalled) {  // from here on it stalls; what it has done is what is saved
        request.stalled = true;
        begin(slot, Doing::checkpoint);
        job.asked = false;
        job.stalled_from = now_;
        job.volume = job.left = request.remaining;
        due_[slot] = kNever;
      }
    }
    book_.show(job, now_, rate);
  }

  double remaining_of(std::uint32_t slot) {
    return transfers_.requests()[transfers_.place(slot)].remaining;
  }

  // ----- account and schedule

  void account_all() {
    for (std::uint32_t slot = 0; slot < running_.size(); ++slot) {
      if (!is_taken(slot)) continue;
      RunningJob& job = running_[slot];
      book_.account(job, now_, job.stalls() && job.volume > 0 ? remaining_of(slot) : 0);
    }
  }

  // What the job did so far ends, and it does something else.
  void begin(std::uint32_t slot, Doing doing) {
    RunningJob& job = running_[slot];
    if (job.since < now_ && !(job.stalls() && job.volume > 0)) book_.account(job, now_, 0);
    book_.show(job, now_, 0);
    job.doing = doing;
  }

  // What runs when the window ends is open.
  Run finish() {
    account_all();
    for (std::uint32_t slot = 0; slot < running_.size(); ++slot) {
      if (!is_taken(slot)) continue;
      book_.show(running_[slot], now_, 0);
      running_[slot].settle(Use::open);
      book_.close(running_[slot], now_, false);
    }
    for (const auto& [index, job] : interrupted_) book_.close(job, now_, false);
    Run out = book_.finish(now_, idle_, broken_);
    out.events = events_;
    out.completed = completes_;
    return out;
  }

  const Instance& instance_;
  Strategy& strategy_;
  Realisation& realisation_;
  Stop stop_;

  double now_ = 0;
  Nodes nodes_;
  Queue queue_;
  Book book_;
  bool shows_;  // somebody wants the schedule
  Planner planner_;
  Transfers transfers_;
  double mtbf_;
  bool learners_;
  std::size_t next_job_ = 0;
  std::size_t next_failure_ = 0;
  std::int64_t busy_ = 0;

  // By slot: a job that runs.
  std::vector<RunningJob> running_;
  std::vector<double> due_;    // when its work or its downtime ends
  std::vector<double> kills_;  // when it has used up its estimate
  std::vector<double> ends_;   // by its estimate
  std::vector<std::uint32_t> free_slots_;

  std::map<std::uint32_t, RunningJob> interrupted_;  // by job
  std::vector<double> arrivals_;                     // by job
  std::vector<Timed> repairs_;
  std::vector<Release> releases_;
  std::vector<std::uint32_t> due_slots_;
  double idle_ = 0, broken_ = 0;
  std::int64_t events_ = 0;
  std::int64_t failures_ = 0;
  bool completes_ = true;
};

}  // namespace

Run simulate(const Instance& instance, Strategy& strategy, Realisation& realisation,
             std::vector<ScheduleRow>* rows, Stop stop) {
  return Machine(instance, strategy, realisation, rows, stop).run();
}

}  // namespace holdfast::machine
