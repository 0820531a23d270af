#include "holdfast/domains/moldable/validate.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <vector>

namespace holdfast::moldable {
namespace {

tl::unexpected<Error> broken(std::size_t row, std::string message) {
  return fail(ErrorCode::infeasible, fmt::format("/schedule/{}", row), std::move(message));
}

std::size_t batch_of(std::int64_t number) {
  return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(number)));
}

/// The number of busy processors after each instant at which an attempt starts or ends, or a job is released.
class Load {
 public:
  Load(std::span<const Attempt> attempts, std::span<const double> releases) {
    std::map<double, std::int64_t> changes;
    for (const double release : releases) changes[release] = 0;
    for (const Attempt& attempt : attempts) {
      changes[attempt.start] += attempt.processors;
      changes[attempt.end] -= attempt.processors;
    }
    std::vector<std::int64_t> busy;
    for (const auto& [time, change] : changes) {
      times_.push_back(time);
      busy.push_back(change + (busy.empty() ? 0 : busy.back()));
    }
    // least_[k][i]: fewest busy processors in the 2^k intervals from i on.
    least_.push_back(std::move(busy));
    for (std::size_t width = 1; 2 * width <= times_.size(); width *= 2) {
      const auto& below = least_.back();
      std::vector<std::int64_t> level(below.size() - width);
      for (std::size_t i = 0; i < level.size(); ++i) {
        level[i] = std::min(below[i], below[i + width]);
      }
      least_.push_back(std::move(level));
    }
  }

  [[nodiscard]] std::int64_t most() const { return *std::ranges::max_element(least_.front()); }

  /// Returns the fewest busy processors at any time from `from` until just before `to`. @pre from <
  /// to, and both are instants of the load
  [[nodiscard]] std::int64_t least(double from, double to) const {
    const std::size_t first = index(from);
    const std::size_t count = index(to) - first;
    const auto level = static_cast<std::size_t>(std::bit_width(count) - 1);
    return std::min(least_[level][first], least_[level][first + count - (std::size_t{1} << level)]);
  }

 private:
  [[nodiscard]] std::size_t index(double time) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(times_, time) - times_.begin());
  }

  std::vector<double> times_;
  std::vector<std::vector<std::int64_t>> least_;
};

/// Returns the rows of each job's attempts, by number, and checks that they are the right ones.
Result<std::vector<std::vector<std::size_t>>> rows_by_job(const Instance& instance,
                                                          std::span<const std::int64_t> failures,
                                                          std::span<const Attempt> attempts) {
  constexpr std::size_t kMissing = std::numeric_limits<std::size_t>::max();
  std::vector<std::vector<std::size_t>> rows(instance.size());
  for (std::size_t job = 0; job < instance.size(); ++job) {
    rows[job].assign(static_cast<std::size_t>(failures[job] + 1), kMissing);
  }
  for (std::size_t row = 0; row < attempts.size(); ++row) {
    const Attempt& attempt = attempts[row];
    if (attempt.job >= instance.size()) return broken(row, "is of a job that does not exist");
    const auto number = static_cast<std::size_t>(attempt.number - 1);
    if (number >= rows[attempt.job].size() || rows[attempt.job][number] != kMissing) {
      return broken(
          row, fmt::format("is attempt {} of job {}, which makes each of {} once", attempt.number,
                           in_quotes(instance.name(attempt.job)), rows[attempt.job].size()));
    }
    rows[attempt.job][number] = row;
  }
  for (std::size_t job = 0; job < instance.size(); ++job) {
    for (std::size_t number = 0; number < rows[job].size(); ++number) {
      if (rows[job][number] != kMissing) continue;
      return broken(attempts.size(), fmt::format("attempt {} of job {} is missing", number + 1,
                                                 in_quotes(instance.name(job))));
    }
  }
  return rows;
}

// After how many processor-seconds each row is struck.
std::vector<double> struck_after(const std::vector<std::vector<std::size_t>>& rows,
                                 std::size_t attempts, Strikes strikes) {
  std::vector<double> out(attempts);
  for (std::size_t job = 0; job < rows.size(); ++job) {
    for (const std::size_t row : rows[job]) {
      out[row] = strikes.next(job);
      strikes.advance(job);
    }
  }
  return out;
}

// @param strike  processor-seconds after which it is struck; absent if `failures` says which attempts fail
Status check_attempt(const Instance& instance, std::span<const std::int64_t> failures,
                     const Attempt& attempt, std::size_t row, std::optional<double> strike) {
  const Speedup& job = instance.jobs[attempt.job];
  if (attempt.processors < 1 || attempt.processors > job.limit(instance.processors)) {
    return broken(row, fmt::format("is on {} processors of {}", attempt.processors,
                                   job.limit(instance.processors)));
  }
  double time = job.time(attempt.processors);
  bool fails = attempt.number <= failures[attempt.job];
  if (strike) {
    const auto processors = static_cast<double>(attempt.processors);
    fails = processors * time > *strike;
    if (fails && instance.error_model == ErrorModel::fail_stop) {
      time = std::min(time, *strike / processors);
    }
  }
  if (attempt.end != attempt.start + time) {
    return broken(row, fmt::format("lasts {} s, expected {} s on {} processors",
                                   attempt.end - attempt.start, time, attempt.processors));
  }
  if (attempt.has_failed != fails) {
    return broken(row, attempt.has_failed ? "has failed, expected success"
                                          : "has succeeded, expected a failure");
  }
  return {};
}

// A job that is saved runs once, through all its errors.
Status check_saved(const Instance& instance, const Strikes& strikes, const Attempt& attempt,
                   std::size_t row) {
  const Speedup& job = instance.jobs[attempt.job];
  const bool fits = attempt.processors >= 1 && attempt.processors <= job.limit(instance.processors);
  if (fits && !attempt.has_failed &&
      lasts_with_saves(strikes, attempt.job, static_cast<double>(attempt.processors),
                       job.time(attempt.processors), attempt.end - attempt.start)) {
    return {};
  }
  return broken(row, fmt::format("does not last on {} processors as long as its errors and saves "
                                 "make it last",
                                 attempt.processors));
}

// The start of each batch, which is the last end of the batches before.
std::vector<double> batch_starts(std::span<const Attempt> attempts) {
  std::vector<double> ends(66, 0.0);
  for (const Attempt& attempt : attempts) {
    double& end = ends[batch_of(attempt.number)];
    end = std::max(end, attempt.end);
  }
  std::vector<double> starts(67, 0.0);
  for (std::size_t batch = 1; batch + 1 < starts.size(); ++batch) {
    starts[batch + 1] = std::max(starts[batch], ends[batch]);
  }
  return starts;
}

}  // namespace

Status validate(const Instance& instance, std::span<const std::int64_t> failures,
                std::span<const Attempt> attempts, bool is_batched, bool may_wait,
                const std::optional<Strikes>& strikes) {
  HOLDFAST_TRY(rows, rows_by_job(instance, failures, attempts));
  std::vector<double> struck;
  if (strikes) struck = struck_after(rows, attempts.size(), *strikes);
  const bool are_saved = strikes && strikes->law().saves();
  for (std::size_t row = 0; row < attempts.size() && are_saved; ++row) {
    HOLDFAST_CHECK(check_saved(instance, *strikes, attempts[row], row));
  }
  for (std::size_t row = 0; row < attempts.size() && !are_saved; ++row) {
    const auto strike = strikes ? std::optional(struck[row]) : std::nullopt;
    HOLDFAST_CHECK(check_attempt(instance, failures, attempts[row], row, strike));
  }
  const Load load(attempts, instance.releases);
  if (load.most() > instance.processors) {
    return broken(0, fmt::format("uses {} processors at some time, expected at most {}",
                                 load.most(), instance.processors));
  }
  const std::vector<double> starts = batch_starts(attempts);
  for (std::size_t job = 0; job < rows.size(); ++job) {
    double before = instance.releases.empty() ? 0 : instance.releases[job];  // or end of the last
    for (const std::size_t row : rows[job]) {
      const Attempt& attempt = attempts[row];
      const double opens = is_batched ? starts[batch_of(attempt.number)] : 0.0;
      const double ready = std::max(before, opens);
      if (attempt.start < ready) {
        return broken(row,
                      fmt::format("starts at {} s, before it may, at {} s", attempt.start, ready));
      }
      if (!may_wait && attempt.start > ready &&
          load.least(ready, attempt.start) + attempt.processors <= instance.processors) {
        return broken(row, fmt::format("starts at {} s, although it has waited since {} s and "
                                       "there was room",
                                       attempt.start, ready));
      }
      before = attempt.end;
    }
  }
  return {};
}

}  // namespace holdfast::moldable
