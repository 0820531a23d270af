#include "holdfast/domains/machine/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace holdfast::machine {
namespace {

// Tolerance of sums: the rounding of many thousand terms stays far below this.
constexpr double kClose = 1e-9;
// A few units in the last place of a date, relative to it.
constexpr double kDateRounding = 1e-14;

tl::unexpected<Error> violation(const std::string& job, std::string what) {
  return fail(ErrorCode::bad_value, "job " + job, std::move(what));
}

bool moves(std::string_view kind) {
  return kind == "input" || kind == "checkpoint" || kind == "recovery" || kind == "output";
}

// Rows of one job that follow each other without a gap, during which it has its nodes.
struct Holding {
  std::size_t job = 0;
  double start = 0;
  double end = 0;
  bool is_struck_out = false;  // true: a failure ended it
  std::vector<const ScheduleRow*> rows;
};

// Seconds of node time by use, summed over all rows.
struct Sums {
  double useful = 0, lost = 0, checkpoint = 0, recovery = 0, regular = 0, wait = 0, downtime = 0;
  [[nodiscard]] double all() const {
    return useful + lost + checkpoint + recovery + regular + wait + downtime;
  }
};

class Validator {
 public:
  Validator(const CheckedRun& run, std::span<const ScheduleRow> rows, const Metrics& metrics)
      : run_{run},
        instance_{run.instance},
        rows_{rows},
        metrics_{metrics},
        close_{kClose * std::max(1.0, metrics.makespan)} {}

  Status check() {
    HOLDFAST_CHECK(sort_rows());
    set_failures();
    HOLDFAST_CHECK(check_rates());
    for (std::size_t job = 0; job < run_.jobs.size(); ++job) HOLDFAST_CHECK(follow(job));
    HOLDFAST_CHECK(check_nodes());
    return check_metrics();
  }

 private:
  [[nodiscard]] double bandwidth_of(const Job& job) const {
    return std::min(static_cast<double>(job.nodes) * instance_.node_bandwidth, instance_.bandwidth);
  }

  Status sort_rows() {
    std::map<std::string_view, std::size_t> numbers;
    for (std::size_t i = 0; i < run_.jobs.size(); ++i) numbers.emplace(run_.jobs[i].id, i);
    by_job_.resize(run_.jobs.size());
    for (const ScheduleRow& row : rows_) {
      const std::string name(row.job);
      const auto found = numbers.find(row.job);
      if (found == numbers.end()) return violation(name, "is not a job of the instance");
      const Job& job = run_.jobs[found->second];
      if (row.nodes != job.nodes) return violation(name, "has another number of nodes");
      // Dates that differ by a few roundings are the same date.
      const double arrival = job.submit - kDateRounding * std::max(1.0, job.submit);
      if (!(row.start < row.end) || !(row.start >= arrival) || row.end > metrics_.makespan) {
        return violation(name, fmt::format("does something from {} to {}", row.start, row.end));
      }
      by_job_[found->second].push_back(&row);
    }
    return {};
  }

  // Dates that differ by a few roundings are the same date: failures get the date of the row.
  void set_failures() {
    std::set<double> dates;
    for (const ScheduleRow& row : rows_) {
      dates.insert(row.start);
      dates.insert(row.end);
    }
    failures_at_.assign(run_.failures.begin(), run_.failures.end());
    for (FailureEvent& failure : failures_at_) {
      const double rounding = kDateRounding * std::max(1.0, failure.date);
      const auto near = dates.lower_bound(failure.date - rounding);
      if (near != dates.end() && *near <= failure.date + rounding) failure.date = *near;
    }
  }

  // Checks that rates never add up to more than the file system's bandwidth, and that only transfers have a rate.
  Status check_rates() const {
    std::vector<std::pair<double, double>> changes;
    for (const ScheduleRow& row : rows_) {
      if (moves(row.kind) != (row.rate > 0)) {
        return violation(std::string(row.job),
                         fmt::format("has rate {} in '{}'", row.rate, row.kind));
      }
      if (row.rate == 0) continue;
      changes.emplace_back(row.start, row.rate);
      changes.emplace_back(row.end, -row.rate);
    }
    if (!run_.shares) return {};
    std::sort(changes.begin(), changes.end());
    double rate = 0;
    std::size_t active = 0;
    for (const auto& [date, change] : changes) {
      rate += change;
      change > 0 ? ++active : --active;
      if (active == 0) rate = 0;  // removes the rounding errors of the differences
      if (rate > instance_.bandwidth * (1 + kClose)) {
        return fail(ErrorCode::bad_value, fmt::format("date {}", date),
                    fmt::format("rates add up to {}", rate));
      }
    }
    return {};
  }

  // Follows one job from its first row to its last, and checks the order of rows, volumes, and what is saved or lost.
  Status follow(std::size_t number) {
    const Job& job = run_.jobs[number];
    if (by_job_[number].empty()) return {};
    const double bandwidth = bandwidth_of(job);
    double saved = 0, unsaved = 0;
    bool has_saved = false, must_recover = false;
    std::string_view operation;  // kind of the operation under way
    double moved = 0;
    std::vector<const ScheduleRow*> work;
    const auto settle = [&](bool is_lost) -> bool {
      const bool as_said = std::all_of(
          work.begin(), work.end(), [&](const ScheduleRow* row) { return row->lost == is_lost; });
      for (const ScheduleRow* row : work) add(is_lost ? sums_.lost : sums_.useful, *row, 1);
      if (!is_lost) saved += unsaved;
      unsaved = 0;
      work.clear();
      return as_said;
    };
    const auto& rows = by_job_[number];
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const ScheduleRow& row = *rows[i];
      const ScheduleRow* next = i + 1 < rows.size() ? rows[i + 1] : nullptr;
      const bool is_cut = next != nullptr ? next->struck : row.lost;
      const bool requeues = instance_.on_failure == OnFailure::requeue;
      if (i == 0 || row.start != rows[i - 1]->end || (requeues && row.struck)) {
        if (i > 0 && !requeues) {
          return violation(job.id, fmt::format("is nowhere before {}", row.start));
        }
        holdings_.push_back({.job = number, .start = row.start, .end = row.end, .rows = {}});
      }
      holdings_.back().end = row.end;
      holdings_.back().rows.push_back(&row);
      if (row.struck) {
        must_recover = true;
        if (instance_.downtime > 0 && row.kind != "downtime") {
          return violation(job.id, fmt::format("is not down after a failure at {}", row.start));
        }
      }
      if (row.rate > bandwidth * (1 + kClose)) {
        return violation(job.id, fmt::format("moves {} bytes/s, more than it can", row.rate));
      }
      if (row.kind == "work") {
        if (must_recover && recovery_volume(job, has_saved) > 0 && bandwidth < kNever) {
          return violation(job.id, fmt::format("works at {} without a recovery", row.start));
        }
        if (i == 0 && job.input > 0 && bandwidth < kNever) {
          return violation(job.id, "works without its input");
        }
        must_recover = false;
        unsaved += row.end - row.start;
        work.push_back(&row);
        // A checkpoint that takes no time has no row: work before more work is saved, and if a failure strikes, only the
        // row itself shows whether a checkpoint was due.
        const bool is_free = job.checkpoint == 0 || bandwidth == kNever;
        const bool works_on = next != nullptr && next->kind == "work" && !is_cut;
        const bool is_over = next == nullptr && !row.lost && row.end < metrics_.makespan;
        if (is_free && (works_on || is_over || (is_cut && !row.lost))) {
          if (!settle(false)) return violation(job.id, "calls work lost that was saved");
          has_saved = true;
        }
      } else if (row.kind == "downtime") {
        add(sums_.downtime, row, 1);
        const double length = row.end - row.start;
        const bool is_whole = std::abs(length - instance_.downtime) <= close_;
        if (!is_whole && next != nullptr) {
          return violation(job.id, fmt::format("is down for {}", length));
        }
        if (!must_recover) return violation(job.id, "is down without a failure");
      } else {
        if (row.kind != "wait") {
          if (!operation.empty() && operation != row.kind) {
            return violation(job.id,
                             fmt::format("does not end its {} at {}", operation, row.start));
          }
          operation = row.kind;
        }
        moved += row.rate * (row.end - row.start);
        const double part = row.kind == "wait" ? 0 : row.rate / bandwidth;
        const bool again = row.kind == "recovery" || (row.kind == "input" && must_recover);
        double& sum = row.kind == "checkpoint" ? sums_.checkpoint
                      : again                  ? sums_.recovery
                                               : sums_.regular;
        add(sum, row, part);
        add(sums_.wait, row, 1 - part);
        if (goes_on(rows, i, operation)) continue;
        const bool is_open = next == nullptr && row.end >= metrics_.makespan - close_;
        if (is_whole(job, operation, moved)) {  // a failure at its end strikes what follows
          if (operation == "recovery" && !must_recover) {
            return violation(job.id, "recovers without a failure");
          }
          if (operation == "recovery" || operation == "input") {
            must_recover = false;
          } else if (!settle(false)) {
            return violation(job.id, "calls work lost that was saved");
          }
          if (operation == "checkpoint") has_saved = true;
        } else if (!is_cut && !is_open) {
          return violation(job.id, fmt::format("moves {} bytes as its {} until {}, expected {}",
                                               moved, operation, row.end, volume(job, operation)));
        }
        moved = 0;
        operation = {};
      }
      if (is_cut) {
        if (!settle(true)) return violation(job.id, "calls work saved that was lost");
        moved = 0;
        operation = {};
        if (next == nullptr || requeues) holdings_.back().is_struck_out = true;
      }
    }
    // The job was struck at the very end of its checkpoint, and is still in the queue.
    if (instance_.on_failure == OnFailure::requeue && work.empty() && !reaches(job, saved) &&
        rows.back()->end < metrics_.makespan) {
      holdings_.back().is_struck_out = true;
    }
    if (!settle(false)) return violation(job.id, "calls open work lost");
    const double done = saved;
    if (!job.is_endless() && done > job.work * (1 + kClose) + close_) {
      return violation(job.id, fmt::format("does {} s of work, expected {}", done, job.work));
    }
    const bool has_ended =
        rows.back()->end < metrics_.makespan - close_ && !holdings_.back().is_struck_out;
    if (has_ended && !reaches(job, done)) {
      return violation(job.id, fmt::format("ends with {} s of work, expected {}", done, job.work));
    }
    return {};
  }

  // Returns true if the transfer of row i continues after it, perhaps after a pause: two transfers of one kind never follow
  // each other.
  static bool goes_on(const std::vector<const ScheduleRow*>& rows, std::size_t i,
                      std::string_view operation) {
    bool waits = false;
    for (++i; i < rows.size(); ++i) {
      const ScheduleRow& row = *rows[i];
      if (row.start != rows[i - 1]->end || row.struck) return waits;
      if (row.kind != "wait")
        return moves(row.kind) && (operation.empty() || row.kind == operation);
      waits = true;
    }
    return waits;
  }

  [[nodiscard]] bool reaches(const Job& job, double work) const {
    return !job.is_endless() && std::abs(work - job.work) <= kClose * job.work + close_;
  }

  static double recovery_volume(const Job& job, bool has_saved) {
    return !has_saved && job.input > 0 ? job.input : job.recovery;
  }
  static double volume(const Job& job, std::string_view operation) {
    if (operation == "input") return job.input;
    if (operation == "output") return job.output;
    return operation == "recovery" ? job.recovery : job.checkpoint;
  }
  bool is_whole(const Job& job, std::string_view operation, double moved) const {
    if (operation.empty()) return false;
    const double wanted = volume(job, operation);
    // Dates are rounded, and the second term is the bytes of such a rounding at bandwidth b_j.
    return std::abs(moved - wanted) <= kClose * wanted + bandwidth_of(job) * close_ * 1e-3;
  }

  // Adds a row's part of the measured window, in node-seconds.
  void add(double& sum, const ScheduleRow& row, double part) const {
    const double from = std::max(row.start, instance_.warmup);
    if (row.end > from) sum += part * (row.end - from) * static_cast<double>(row.nodes);
  }

  // ----- nodes, taken lowest number first: which job had the one that failed?

  struct Event {
    double date = 0;
    int order = 0;  // order of the model: ends, failures, what failures end, repairs, starts
    std::size_t index = 0;
  };
  enum : int { kEnd, kFailure, kStruckOut, kMended, kStart };

  Status check_nodes() {
    std::vector<Event> events;
    for (std::size_t i = 0; i < holdings_.size(); ++i) {
      events.push_back({holdings_[i].start, kStart, i});
      if (holdings_[i].end < metrics_.makespan || holdings_[i].is_struck_out)
        events.push_back({holdings_[i].end, holdings_[i].is_struck_out ? kStruckOut : kEnd, i});
    }
    for (std::size_t i = 0; i < failures_at_.size(); ++i) {
      events.push_back({failures_at_[i].date, kFailure, i});
      if (instance_.on_failure == OnFailure::requeue && instance_.repair > 0) {
        events.push_back({failures_at_[i].date + instance_.repair, kMended, i});
      }
    }
    std::sort(events.begin(), events.end(), [this](const Event& a, const Event& b) {
      return std::tuple(a.date, a.order, rank(a), a.index) <
             std::tuple(b.date, b.order, rank(b), b.index);
    });
    for (std::int64_t node = 0; node < instance_.nodes; ++node) free_.insert(free_.end(), node);
    owner_.assign(static_cast<std::size_t>(instance_.nodes), nullptr);
    held_.resize(holdings_.size());
    double last = 0;
    for (const Event& event : events) {
      pass(last, std::min(event.date, metrics_.makespan));
      last = event.date;
      HOLDFAST_CHECK(happen(event));
    }
    pass(last, metrics_.makespan);
    return {};
  }

  // The rank of a job among those that start at one date, in the order of the queue: interrupted ones, the latest first, then
  // by arrival.
  [[nodiscard]] std::pair<int, double> rank(const Event& event) const {
    if (event.order != kStart) return {0, 0};
    const Holding& holding = holdings_[event.index];
    const bool is_first = event.index == 0 || holdings_[event.index - 1].job != holding.job;
    return is_first ? std::pair(1, static_cast<double>(holding.job))
                    : std::pair(0, -holdings_[event.index - 1].end);
  }

  void pass(double from, double to) {
    from = std::max(from, instance_.warmup);
    if (to > from) {
      idle_ += (to - from) * static_cast<double>(free_.size());
      repair_ += (to - from) * static_cast<double>(broken_.size());
    }
  }

  Status happen(const Event& event) {
    if (event.order == kFailure) return strike(event.index);
    if (event.order == kMended) {
      const auto found = broken_.find(event.index);
      if (found != broken_.end()) {
        free_.insert(failures_at_[event.index].processor);
        broken_.erase(found);
      }
      return {};
    }
    Holding& holding = holdings_[event.index];
    const Job& job = run_.jobs[holding.job];
    if (event.order == kStart) {
      if (static_cast<std::int64_t>(free_.size()) < job.nodes)
        return violation(job.id, fmt::format("starts at {} without nodes", holding.start));
      for (std::int64_t i = 0; i < job.nodes; ++i) {
        const std::int64_t node = *free_.begin();
        free_.erase(free_.begin());
        owner_[static_cast<std::size_t>(node)] = &holding;
        held_[event.index].push_back(node);
      }
      return {};
    }
    for (const std::int64_t node : held_[event.index]) {
      owner_[static_cast<std::size_t>(node)] = nullptr;
      if (std::none_of(broken_.begin(), broken_.end(),
                       [&](std::size_t i) { return failures_at_[i].processor == node; })) {
        free_.insert(node);
      }
    }
    return {};
  }

  Status strike(std::size_t index) {
    const double date = failures_at_[index].date;
    const std::int64_t node = failures_at_[index].processor;
    const bool is_repaired = instance_.on_failure == OnFailure::requeue && instance_.repair > 0;
    const Holding* holding = owner_[static_cast<std::size_t>(node)];
    if (holding == nullptr) {
      if (is_repaired && free_.erase(node) > 0) broken_.insert(index);
      return {};
    }
    const Job& job = run_.jobs[holding->job];
    if (holding->is_struck_out && struck_.contains({holding->job, date})) {  // the job left before
      const bool is_broken = std::any_of(broken_.begin(), broken_.end(), [&](std::size_t i) {
        return failures_at_[i].processor == node;
      });
      if (is_repaired && !is_broken) broken_.insert(index);
      return {};
    }
    const auto at =
        std::find_if(holding->rows.begin(), holding->rows.end(),
                     [date](const auto* row) { return row->start < date && date <= row->end; });
    const bool is_down = [&] {
      const auto next = at == holding->rows.end() ? holding->rows.begin() : at;
      if ((*next)->kind == "downtime" && date < (*next)->end) return true;
      // A second failure at the date of the first.
      return at != holding->rows.end() && at + 1 != holding->rows.end() && (*(at + 1))->struck &&
             struck_.contains({holding->job, date}) && instance_.downtime > 0;
    }();
    if (is_down) return {};
    struck_.insert({holding->job, date});
    if (date >= instance_.warmup) ++struck_count_;
    if (at == holding->rows.end() || (*at)->end != date) {
      return violation(job.id, fmt::format("goes on after a failure at {}", date));
    }
    if (is_repaired) broken_.insert(index);
    return {};
  }

  // ----- metrics, from the rows alone

  Status check_metrics() const {
    const double window = metrics_.makespan - instance_.warmup;
    const double all = static_cast<double>(instance_.nodes) * window;
    if (!(all > 0)) return {};
    const auto compare = [&](std::string_view name, double found, double sum) -> Status {
      if (std::abs(found * all - sum) <= kClose * all) return {};
      return fail(ErrorCode::bad_value, std::string(name),
                  fmt::format("found {}, expected {} from the schedule", found, sum / all));
    };
    HOLDFAST_CHECK(compare("account", (sums_.all() + idle_ + repair_) / all, all));
    HOLDFAST_CHECK(compare("useful_share", metrics_.useful_share, sums_.useful));
    HOLDFAST_CHECK(compare("lost_share", metrics_.lost_share, sums_.lost));
    HOLDFAST_CHECK(compare("checkpoint_share", metrics_.checkpoint_share, sums_.checkpoint));
    HOLDFAST_CHECK(compare("recovery_share", metrics_.recovery_share, sums_.recovery));
    HOLDFAST_CHECK(compare("wait_share", metrics_.wait_share, sums_.wait));
    HOLDFAST_CHECK(compare("idle_share", metrics_.idle_share, idle_));
    if (metrics_.failures != struck_count_) {
      return fail(
          ErrorCode::bad_value, "failures",
          fmt::format("found {}, expected {} from the schedule", metrics_.failures, struck_count_));
    }
    return {};
  }

  const CheckedRun& run_;
  const Instance& instance_;
  std::span<const ScheduleRow> rows_;
  const Metrics& metrics_;
  double close_;
  std::vector<FailureEvent> failures_at_;

  std::vector<std::vector<const ScheduleRow*>> by_job_;
  std::vector<Holding> holdings_;
  Sums sums_;
  std::set<std::int64_t> free_;
  std::set<std::size_t> broken_;  // by failure
  std::vector<const Holding*> owner_;
  std::vector<std::vector<std::int64_t>> held_;  // by holding
  std::set<std::pair<std::size_t, double>> struck_;
  std::int64_t struck_count_ = 0;
  double idle_ = 0, repair_ = 0;
};

}  // namespace

Status validate(const CheckedRun& run, std::span<const ScheduleRow> rows, const Metrics& metrics) {
  return Validator(run, rows, metrics).check();
}

}  // namespace holdfast::machine
