#include "holdfast/domains/workflow/aged_run.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace holdfast::workflow {
namespace {

constexpr std::int64_t kMostFailures = 1'000'000;  // of one task

/// One task on its processors, from failure to failure. Times are seconds from the start of the workflow.
class TaskOnProcessors {
 public:
  TaskOnProcessors(const Execution& execution, AgedFailures& failures,
                   std::span<const std::uint32_t> processors, double start)
      : execution_{execution}, failures_{failures}, processors_{processors}, now_{start} {}

  [[nodiscard]] double now() const { return now_; }
  [[nodiscard]] std::int64_t failures() const { return count_; }
  [[nodiscard]] bool is_hopeless() const { return count_ > kMostFailures; }
  [[nodiscard]] Ages ages() {
    static_cast<void>(next(now_));  // so that all failures until now are known
    return failures_.ages(processors_, now_);
  }

  /// Does segments of equal length, the last of which ends all the work.
  void do_equal_segments() {
    const double segment = execution_.segment();
    double left = static_cast<double>(execution_.segments);
    double end = now_ + execution_.undisturbed();
    for (double struck = next(end); struck < end && !is_hopeless(); struck = next(end)) {
      const double done = std::min(left - 1, std::floor((struck - now_) / segment));
      left -= std::max(0.0, done);
      recover(struck);
      end = now_ + left * segment;
    }
    now_ = end;
  }
  /// Does one segment and its checkpoint; returns false if a failure comes first.
  bool do_segment(double work) {
    const double end = now_ + work + execution_.checkpoint;
    if (const double struck = next(end); struck < end) {
      recover(struck);
      return false;
    }
    now_ = end;
    return true;
  }

 private:
  // Returns the next failure that has not struck yet, if it comes before that date.
  double next(double until) { return failures_.next(processors_, std::max(now_, after_), until); }

  void recover(double struck) {
    for (bool is_struck = true; is_struck;) {
      ++count_;
      after_ = std::nextafter(struck, std::numeric_limits<double>::infinity());
      now_ = struck + execution_.downtime;
      const double ready = now_ + execution_.recovery;
      struck = next(ready);
      is_struck = struck < ready && !is_hopeless();
      if (!is_struck) now_ = ready;
    }
  }

  Execution execution_;
  AgedFailures& failures_;
  std::span<const std::uint32_t> processors_;
  double now_;
  double after_ = -std::numeric_limits<double>::infinity();
  std::int64_t count_ = 0;
};

/// The processors of the machine that are free, of which tasks get the lowest numbers.
class FreeProcessors {
 public:
  explicit FreeProcessors(std::int64_t processors) : never_used_{processors} {}

  [[nodiscard]] std::int64_t count() const {
    return never_used_ + static_cast<std::int64_t>(returned_.size());
  }
  void give_back(std::span<const std::uint32_t> processors) {
    for (const std::uint32_t processor : processors) returned_.push(processor);
  }
  std::vector<std::uint32_t> take(std::uint32_t width) {
    std::vector<std::uint32_t> out;
    out.reserve(width);
    for (; out.size() < width && !returned_.empty(); returned_.pop()) {
      out.push_back(returned_.top());
    }
    for (; out.size() < width; --never_used_) out.push_back(first_unused_++);
    return out;
  }

 private:
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> returned_;
  std::uint32_t first_unused_ = 0;
  std::int64_t never_used_;
};

}  // namespace

struct AgedSimulator::Running {
  double end = 0;
  std::size_t rank = 0;
  std::vector<std::uint32_t> processors;

  bool operator>(const Running& other) const {
    return end != other.end ? end > other.end : rank > other.rank;
  }
};

AgedSimulator::AgedSimulator(const PreparedInstance& prepared, const Strategy& strategy,
                             std::span<const Cut> cuts)
    : prepared_{&prepared}, cuts_(cuts.begin(), cuts.end()) {
  if (auto weights = strategy.hazard_weights(prepared.situation())) {
    planner_.emplace(*prepared.instance, prepared.law, std::move(*weights));
  }
}

// Runs one task from run.start on; returns false if it will not end.
bool AgedSimulator::work(AgedFailures& failures, std::span<const std::uint32_t> processors,
                         TaskRun& run) {
  const double length = prepared_->instance->lengths[run.task];
  run.segments = cuts_[run.task].segments;
  TaskOnProcessors task(prepared_->execution(run.task, run.segments), failures, processors,
                        run.start);
  if (!planner_ || length == 0) {
    task.do_equal_segments();
  } else {
    double left = length;
    for (run.segments = 0; left > 0 && !task.is_hopeless();) {
      double done = 0;
      for (const double cut : planner_->plan(run.task, task.ages(), left)) {
        if (!task.do_segment(cut - done)) break;
        done = cut;
        ++run.segments;
      }
      left -= done;
    }
  }
  run.end = task.now();
  run.failures = task.failures();
  return !task.is_hopeless();
}

Result<Metrics> AgedSimulator::run(AgedFailures& failures, std::vector<TaskRun>* tasks) {
  const Instance& instance = *prepared_->instance;
  if (tasks != nullptr) tasks->clear();
  std::priority_queue<Running, std::vector<Running>, std::greater<>> running;
  FreeProcessors free(instance.processors);
  std::vector<double> ends(instance.size(), 0.0);
  double start = 0, makespan = 0;
  std::int64_t failed = 0;
  for (std::size_t rank = 0; rank < instance.size(); ++rank) {
    TaskRun run{.task = prepared_->ranked.task_of[rank]};
    for (const TaskIndex parent : instance.graph.parents(run.task)) {
      start = std::max(start, ends[parent]);
    }
    while (!running.empty() &&
           (running.top().end <= start || free.count() < instance.width(run.task))) {
      start = std::max(start, running.top().end);
      free.give_back(running.top().processors);
      running.pop();
    }
    run.start = start;
    Running now{.rank = rank, .processors = free.take(instance.width(run.task))};
    if (!work(failures, now.processors, run)) {
      return fail(ErrorCode::infeasible, fmt::format("/tasks/{}", run.task),
                  fmt::format("task {} failed {} times: it would not end",
                              in_quotes(instance.name(run.task)), kMostFailures));
    }
    now.end = ends[run.task] = run.end;
    makespan = std::max(makespan, run.end);
    failed += run.failures;
    running.push(std::move(now));
    if (tasks != nullptr) tasks->push_back(run);
  }
  return prepared_->metrics(makespan, failed);
}

}  // namespace holdfast::workflow
