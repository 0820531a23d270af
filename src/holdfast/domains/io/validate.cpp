#include "holdfast/domains/io/validate.hpp"

#include "holdfast/domains/io/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <vector>

namespace holdfast::io {
namespace {

tl::unexpected<Error> broken(const Application& application, double date, std::string_view what) {
  return fail(ErrorCode::bad_value, fmt::format("application {}, at {} s", application.id, date),
              std::string(what));
}

constexpr double kRounding = 1e-9;

// A walk through one application's rows and phases that adds up the progress.
class Walk {
 public:
  Walk(const Instance& instance, const Application& application)
      : instance_{instance}, application_{application}, now_{instance.begin} {
    pass_empty();
  }

  Status follow(const ScheduleRow& row) {
    if (std::abs(row.start - now_) > tolerance()) return broken(application_, now_, "a gap");
    if (!(row.end > row.start)) return broken(application_, now_, "a row without length");
    const bool is_transfer = row.kind != Doing::work;
    if (is_transfer && is_tail(row)) return {};
    if (exhausted()) return broken(application_, now_, "more than its phases");
    const Phase& phase = current();
    if (is_transfer != (phase.kind == Phase::Kind::io)) {
      return broken(application_, now_, "not the next phase");
    }
    if (row.rate > application_.bandwidth * (1 + kRounding)) {
      return broken(application_, now_, "faster than its nodes can");
    }
    const double length = row.end - row.start;
    done_ += is_transfer ? row.rate * length : length;
    progress_ += is_transfer ? row.rate / application_.bandwidth * length : length;
    now_ = row.end;
    if (done_ > phase.amount + slack(phase))
      return broken(application_, now_, "more than its phase");
    if (done_ >= phase.amount - slack(phase) && (!is_transfer || row.rate > 0)) {
      tail_ = is_transfer ? phase.amount + slack(phase) - done_ : -1;
      done_ = 0;
      ++position_;
      pass_empty();
    } else if (!is_transfer && now_ < instance_.end) {
      return broken(application_, now_, "work that is cut short");
    }
    return {};
  }

  Status end(double yield) {
    if (now_ < instance_.end - tolerance() && !exhausted()) {
      return broken(application_, now_, "it stops before the window does");
    }
    const double found =
        (application_.progress + progress_) / (instance_.end - application_.release);
    if (std::abs(found - yield) > kRounding) {
      return broken(application_, now_,
                    fmt::format("its rows give a yield of {}, the result says {}", found, yield));
    }
    return {};
  }

 private:
  [[nodiscard]] double tolerance() const { return kRounding * (1 + std::abs(instance_.end)); }
  [[nodiscard]] double slack(const Phase& phase) const {
    const double rate = phase.kind == Phase::Kind::io ? application_.bandwidth : 1;
    return kRounding * phase.amount + 1e-13 * (1 + std::abs(now_)) * rate;
  }
  [[nodiscard]] const Phase& current() const {
    return application_.phases[position_ % application_.phases.size()];
  }
  [[nodiscard]] bool exhausted() const {
    return application_.phases.empty() ||
           (!application_.repeat && position_ >= application_.phases.size());
  }
  // Returns true for the last bytes of an operation that was complete within rounding: a row that moves no more than these
  // while the next phase is of another kind.
  bool is_tail(const ScheduleRow& row) {
    if (tail_ < 0 || (!exhausted() && current().kind == Phase::Kind::io)) return false;
    const double moved = row.rate * (row.end - row.start);
    if (moved > tail_) return false;
    tail_ -= moved;
    progress_ += moved / application_.bandwidth;
    now_ = row.end;
    return true;
  }
  void pass_empty() {
    for (std::size_t tries = 0; tries <= application_.phases.size(); ++tries) {
      if (exhausted() || current().amount > 0) return;
      ++position_;
    }
  }

  const Instance& instance_;
  const Application& application_;
  double now_;
  double done_ = 0;
  double progress_ = 0;
  double tail_ = -1;
  std::size_t position_ = 0;
};

Status check_total(const Instance& instance, const std::map<double, double>& changes) {
  double total = 0;
  for (const auto& [date, change] : changes) {
    total += change;
    if (total > instance.bandwidth * (1 + kRounding)) {
      return fail(
          ErrorCode::bad_value, fmt::format("at {} s", date),
          fmt::format("{} B/s are given, the file system has {}", total, instance.bandwidth));
    }
  }
  return {};
}

}  // namespace

Status validate(const Instance& instance, const Timeline& timeline,
                std::span<const double> yields) {
  std::map<std::string_view, std::size_t> places;
  std::vector<Walk> walks;
  for (const Application& application : instance.applications) {
    places.emplace(application.id, walks.size());
    walks.emplace_back(instance, application);
  }
  std::map<double, double> changes;
  HOLDFAST_TRY(rows, rows_from<ScheduleRow>(kSchedule, timeline));
  for (const ScheduleRow& row : rows) {
    HOLDFAST_CHECK(walks[places.at(row.application)].follow(row));
    if (row.kind != Doing::io) continue;
    changes[row.start] += row.rate;
    changes[row.end] -= row.rate;
  }
  for (std::size_t i = 0; i < walks.size(); ++i) HOLDFAST_CHECK(walks[i].end(yields[i]));
  return check_total(instance, changes);
}

}  // namespace holdfast::io
