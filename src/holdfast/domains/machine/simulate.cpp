#include "holdfast/domains/machine/simulate.hpp"

#include "holdfast/contract/rule_run.hpp"
#include "holdfast/domains/machine/job_states.hpp"
#include "holdfast/domains/machine/queue.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace holdfast::machine {
namespace {

/// The number of failures after which a run without a horizon is given up.
constexpr std::int64_t kMostFailures = 20'000'000;

/// A failed node, and the date at which it is back.
struct Repair {
  double date = 0;
  std::int64_t node = 0;
};

// The loop of events: which job has which nodes, and what happens next. What jobs do on their nodes is in JobStates.
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
        transfers_{strategy.sharing->uses_history()},
        book_{instance, rows},
        planner_{instance, strategy.period, realisation, strategy.sharing->uses_targets()},
        states_{instance, strategy, slots_, transfers_, book_, planner_, rows != nullptr},
        rule_{by_rule(*strategy.sharing)},
        mtbf_{instance.node_mtbf()} {}

  Run run() {
    happen();
    states_.decide(now_);
    while (!is_over()) {
      const double next = std::min(next_event(), instance_.horizon);
      if (next == kNever) {  // only endless jobs, and no failures
        completes_ = false;
        break;
      }
      pass_until(next);
      if (now_ >= instance_.horizon) break;
      ++events_;
      happen();
      states_.decide(now_);
    }
    return finish();
  }

 private:
  // ----- time

  bool is_over() {
    if (stop_.wanted()) return true;
    if (rule_ != nullptr && !rule_->status()) return true;
    if (failures_ >= kMostFailures && instance_.horizon == kNever) {
      completes_ = false;
      return true;
    }
    return instance_.horizon == kNever && slots_.taken() == 0 && queue_.size() == 0 &&
           next_job_ >= realisation_.jobs().given();
  }

  double next_arrival() {
    Jobs& jobs = realisation_.jobs();
    return next_job_ < jobs.given() ? jobs.at(next_job_).submit : kNever;
  }

  double next_event() {
    double next = std::min({transfers_.next_end(now_), realisation_.failure_date(next_failure_),
                            next_arrival(), strategy_.sharing->next_date(now_), slots_.next_due()});
    if (instance_.walltime == Walltime::kill) next = std::min(next, slots_.next_end());
    for (const Repair& repair : repairs_) next = std::min(next, repair.date);
    return std::max(next, now_);
  }

  // Lets time pass in which nothing happens. When the measured window begins, what jobs did before it is accounted separately.
  void pass_until(double date) {
    if (now_ < instance_.warmup && date >= instance_.warmup) {
      pass(instance_.warmup);
      states_.account_all(now_);
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

  // Handles everything that happens now, in the order of the model.
  void happen() {
    const double close = few_ulps(now_);
    const double reached = now_ + close;
    end_transfers(close);
    end_work_and_downtimes(reached);
    for (; realisation_.failure_date(next_failure_) <= reached; ++next_failure_) {
      fail_node(realisation_.failed_node(next_failure_));
    }
    std::erase_if(repairs_, [&](const Repair& repair) {
      if (repair.date > reached) return false;
      nodes_.mend(repair.node);
      return true;
    });
    kill(reached);
    arrive();
    schedule();
  }

  void end_transfers(double close) {
    reached_slots_.clear();
    transfers_.take_ended(close, reached_slots_);
    slots_.sort_by_job(reached_slots_);
    for (const std::uint32_t slot : reached_slots_) {
      states_.end_transfer(slot, now_);
      leave_if_ended(slot);
    }
  }

  void end_work_and_downtimes(double reached) {
    reached_slots_.clear();
    slots_.take_due(reached, reached_slots_);
    const auto works = [this](std::uint32_t slot) { return slots_[slot].doing == Doing::work; };
    const auto downtimes =
        std::stable_partition(reached_slots_.begin(), reached_slots_.end(), works);
    for (auto slot = reached_slots_.begin(); slot != reached_slots_.end(); ++slot) {
      slot < downtimes ? states_.end_work(*slot, now_) : states_.recover(*slot, now_);
      leave_if_ended(*slot);
    }
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
      if (queue_.size() == 0 || nodes_.free() == 0) return;
      collect_releases();
    } while (queue_.next(now_, nodes_.free(), releases_, next) && (start(next), true));
  }

  void collect_releases() {
    if (!queue_.needs_releases()) return;
    releases_.clear();
    for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
      if (slots_.is_taken(slot)) releases_.push_back({slots_.end(slot), slots_[slot].job->nodes});
    }
    for (const Repair& repair : repairs_) releases_.push_back({repair.date, 1});
  }

  void start(const Queued& queued) {
    const std::uint32_t slot = slots_.open();
    RunningJob& job = slots_[slot];
    const auto interrupted = interrupted_.find(queued.job);
    const bool is_new = interrupted == interrupted_.end();
    if (is_new) {
      job = fresh(queued.job);
    } else {
      job = std::move(interrupted->second);
      interrupted_.erase(interrupted);
    }
    job.began = job.since = job.row_from = now_;
    job.nodes = nodes_.take(job.job->nodes, slot);
    slots_.set_end(slot, now_ + queued.estimate);
    planner_.start(job);
    if (realisation_.jobs().are_drawn()) arrive();
    is_new ? states_.start(slot, now_) : states_.go_down(slot, now_);
    leave_if_ended(slot);
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

  void leave_if_ended(std::uint32_t slot) {
    RunningJob& job = slots_[slot];
    if (!job.has_ended) return;
    book_.count_completion(job, now_);
    book_.close(job, now_, true);
    release(slot);
  }

  // Frees the nodes of a job, and returns its state.
  RunningJob release(std::uint32_t slot) {
    RunningJob job = std::move(slots_[slot]);
    slots_.close(slot);
    nodes_.give_back(job.nodes);
    planner_.end(job);
    return job;
  }

  // ----- failures

  void fail_node(std::int64_t node) {
    planner_.fail(now_, node);
    const bool requeues = instance_.on_failure == OnFailure::requeue;
    const std::uint32_t slot = nodes_.owner(node);
    if (slot == Nodes::kNobody) {
      if (requeues && instance_.repair > 0 && nodes_.is_free(node)) break_down(node);
      return;
    }
    RunningJob& job = slots_[slot];
    if (job.doing == Doing::downtime) return;  // the node is renewed, and nothing else happens
    book_.count_failure(job);
    ++failures_;
    states_.lose(slot, now_);
    job.cuts.clear();
    job.next_cut = 0;
    job.is_restarted = true;
    job.is_struck = true;
    if (requeues) {
      requeue(slot);
      if (instance_.repair > 0) break_down(node);
    } else {
      states_.go_down(slot, now_);
      leave_if_ended(slot);
    }
  }

  void requeue(std::uint32_t slot) {
    RunningJob job = release(slot);
    job.on_nodes += now_ - job.began;
    queue_.add_first({job.index, job.job->nodes, estimate_of(instance_, *job.job)});
    const std::uint32_t index = job.index;
    interrupted_.emplace(index, std::move(job));
  }

  void break_down(std::int64_t node) {
    nodes_.break_down(node);
    repairs_.push_back({now_ + instance_.repair, node});
  }

  void kill(double reached) {
    if (instance_.walltime != Walltime::kill) return;
    for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
      if (slots_.end(slot) > reached) continue;
      states_.lose(slot, now_);
      book_.close(slots_[slot], now_, false);
      release(slot);
    }
  }

  // Jobs that run when the window ends are open.
  Run finish() {
    states_.close_all(now_);
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
  Slots slots_;
  Transfers transfers_;
  Ledger book_;
  Planner planner_;
  JobStates states_;
  const DecidesByRule* rule_;  // null: a strategy of the table shares the bandwidth
  double mtbf_;
  std::size_t next_job_ = 0;
  std::size_t next_failure_ = 0;

  std::map<std::uint32_t, RunningJob> interrupted_;  // by job
  std::vector<double> arrivals_;                     // by job
  std::vector<Repair> repairs_;
  std::vector<Release> releases_;
  std::vector<std::uint32_t> reached_slots_;  // slots to which something happens now
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
