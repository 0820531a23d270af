#include "holdfast/domains/taskgraph/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace holdfast::taskgraph {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

class Validator {
 public:
  Validator(const Instance& instance, std::span<const std::int64_t> failures,
            const Schedule& schedule, const Strikes* strikes)
      : instance_{instance}, failures_{failures}, schedule_{schedule} {
    if (strikes != nullptr) strikes_ = *strikes;
  }

  Status run(Idling idling) {
    HOLDFAST_CHECK(check_attempts());
    HOLDFAST_CHECK(check_precedence());
    HOLDFAST_CHECK(check_capacity());
    return idling == Idling::forbidden ? check_idling() : Status{};
  }

 private:
  template <class... Args>
  Status refuse(std::size_t row, fmt::format_string<Args...> text, Args&&... args) const {
    return fail(ErrorCode::infeasible, fmt::format("/schedule/{}", row),
                fmt::format("task {}: {}", instance_.name(schedule_[row].task),
                            fmt::format(text, std::forward<Args>(args)...)));
  }

  [[nodiscard]] std::int64_t failures_of(std::size_t task) const {
    return failures_.empty() ? 0 : failures_[task];
  }

  /// What must become of an attempt.
  struct Expected {
    double time = 0;  ///< seconds
    bool fails = false;
  };
  // Attempts of a task must be asked about in their order.
  Expected expected_of(const Attempt& attempt) {
    Expected out{instance_.tasks[attempt.task].time(attempt.processors),
                 attempt.number <= failures_of(attempt.task)};
    if (!strikes_) return out;
    if (strikes_->law().saves()) return {out.time, false};
    const auto processors = static_cast<double>(attempt.processors);
    const double strike = strikes_->next(attempt.task);
    strikes_->advance(attempt.task);
    out.fails = processors * out.time > strike;
    if (out.fails && instance_.error_model == ErrorModel::fail_stop) {
      out.time = std::min(out.time, strike / processors);
    }
    return out;
  }

  [[nodiscard]] bool lasts(const Attempt& attempt, double time) const {
    if (!strikes_ || !strikes_->law().saves()) return attempt.end == attempt.start + time;
    return lasts_with_saves(*strikes_, attempt.task, static_cast<double>(attempt.processors), time,
                            attempt.end - attempt.start);
  }

  Status check_attempts() {
    last_.assign(instance_.size(), kNone);
    available_.assign(schedule_.size(), 0.0);
    for (std::size_t row = 0; row < schedule_.size(); ++row) {
      const Attempt& attempt = schedule_[row];
      if (attempt.task >= instance_.size()) {
        return fail(ErrorCode::infeasible, fmt::format("/schedule/{}", row), "no such task");
      }
      const Speedup& speedup = instance_.tasks[attempt.task];
      if (attempt.processors < 1 || attempt.processors > speedup.limit(instance_.processors)) {
        return refuse(row, "runs on {} processors", attempt.processors);
      }
      const Expected expected = expected_of(attempt);
      if (!lasts(attempt, expected.time)) {
        return refuse(row, "does not last as long as it takes on {} processors",
                      attempt.processors);
      }
      if (row > 0 && attempt.start < schedule_[row - 1].start) {
        return refuse(row, "starts before the row above");
      }
      const std::size_t before = last_[attempt.task];
      const std::int64_t number = before == kNone ? 1 : schedule_[before].number + std::int64_t{1};
      if (attempt.number != number) return refuse(row, "attempt {} is missing", number);
      if (attempt.failed != expected.fails) {
        return refuse(row, "attempt {} ends with the wrong outcome", number);
      }
      available_[row] = instance_.release(attempt.task);
      if (attempt.start < available_[row]) {
        return refuse(row, "starts at {}, before its release at {}", attempt.start,
                      available_[row]);
      }
      if (before != kNone) {
        if (!schedule_[before].failed) return refuse(row, "runs again after its success");
        if (attempt.start < schedule_[before].end) return refuse(row, "runs twice at a time");
        available_[row] = schedule_[before].end;
      }
      last_[attempt.task] = row;
    }
    for (std::size_t task = 0; task < instance_.size(); ++task) {
      if (last_[task] == kNone || schedule_[last_[task]].failed) {
        return fail(ErrorCode::infeasible, "/schedule",
                    fmt::format("task {} never completes", instance_.name(task)));
      }
    }
    return {};
  }

  Status check_precedence() {
    for (std::size_t row = 0; row < schedule_.size(); ++row) {
      const Attempt& attempt = schedule_[row];
      for (const TaskIndex parent : instance_.graph.parents(attempt.task)) {
        const double end = schedule_[last_[parent]].end;
        if (attempt.start < end) {
          return refuse(row, "starts at {}, before its parent {} completes at {}", attempt.start,
                        instance_.name(parent), end);
        }
        available_[row] = std::max(available_[row], end);
      }
    }
    return {};
  }

  // Attempts hold their processors on [start, end): at each instant, attempts that complete give
  // theirs back first.
  Status check_capacity() const {
    std::multimap<double, std::int64_t> ends;
    std::int64_t busy = 0;
    for (std::size_t row = 0; row < schedule_.size(); ++row) {
      const Attempt& attempt = schedule_[row];
      while (!ends.empty() && ends.begin()->first <= attempt.start) {
        busy -= ends.begin()->second;
        ends.erase(ends.begin());
      }
      busy += attempt.processors;
      ends.emplace(attempt.end, attempt.processors);
      if (busy > instance_.processors) {
        return refuse(row, "makes {} processors busy, of {}", busy, instance_.processors);
      }
    }
    return {};
  }

  // Goes over all instants; at each, after everything that happens then, the smallest waiting
  // attempt must not fit.
  Status check_idling() const {
    struct Change {
      std::vector<std::size_t> available, started, ended;
    };
    std::map<double, Change> instants;
    for (std::size_t row = 0; row < schedule_.size(); ++row) {
      instants[available_[row]].available.push_back(row);
      instants[schedule_[row].start].started.push_back(row);
      instants[schedule_[row].end].ended.push_back(row);
    }
    std::set<std::pair<std::int64_t, std::size_t>> waiting;
    std::int64_t free = instance_.processors;
    for (const auto& [time, change] : instants) {
      for (const std::size_t row : change.ended) free += schedule_[row].processors;
      for (const std::size_t row : change.started) free -= schedule_[row].processors;
      for (const std::size_t row : change.available) {
        waiting.emplace(schedule_[row].processors, row);
      }
      for (const std::size_t row : change.started) {
        waiting.erase({schedule_[row].processors, row});
      }
      if (!waiting.empty() && waiting.begin()->first <= free) {
        return refuse(waiting.begin()->second, "waits at {} although {} processors are free", time,
                      free);
      }
    }
    return {};
  }

  const Instance& instance_;
  std::span<const std::int64_t> failures_;
  const Schedule& schedule_;
  std::optional<Strikes> strikes_;
  std::vector<std::size_t> last_;  ///< [n] row of each task's last attempt
  std::vector<double> available_;  ///< [rows] time from which the attempt could have started
};

}  // namespace

Status validate(const Instance& instance, std::span<const std::int64_t> failures,
                const Schedule& schedule, Idling idling, const Strikes* strikes) {
  return Validator(instance, failures, schedule, strikes).run(idling);
}

}  // namespace holdfast::taskgraph
