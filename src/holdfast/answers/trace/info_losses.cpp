#include "holdfast/answers/trace/info_losses.hpp"

#include "holdfast/answers/trace/facts.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

namespace holdfast {
namespace {

constexpr double kMonth = 30 * 86400.0;
constexpr double kMostMonths = 24;
constexpr double kMostYears = 100;

/// A part of the log, in seconds on its clock, with what outages took from it.
struct LogPart {
  double from = 0;
  double to = 0;
  std::int64_t failures = 0;
  double lost = 0;     ///< node-seconds
  double service = 0;  ///< node-seconds

  [[nodiscard]] double overlap(double begin, double end) const {
    return std::max(0.0, std::min(end, to) - std::max(begin, from));
  }
  [[nodiscard]] double availability() const { return 1 - lost / service; }
};

void add_service(const FailureLog& log, LogPart& period) {
  const auto part = [&](const Service& service) {
    return period.overlap(service.start.value_or(log.from), service.end);
  };
  for (const LoggedNode& node : log.nodes) period.service += part(node.service);
  for (const LoggedSystem& system : log.systems) {
    const std::int64_t others = system.nodes - system.nodes_with_rows;
    if (others > 0) period.service += static_cast<double>(others) * part(system.service);
  }
}

// An outage that overlaps the one before on its node is a part of it.
void add_outages(const FailureLog& log, std::vector<LogPart>& periods) {
  std::map<std::uint32_t, double> up_again;
  const auto at = [&](double time) -> LogPart* {
    const auto after = std::ranges::upper_bound(periods, time, {}, &LogPart::from);
    if (after == periods.begin() || time >= std::prev(after)->to) return nullptr;
    return &*std::prev(after);
  };
  for (const Outage& outage : log.outages) {
    double down = outage.down;
    if (outage.node != Outage::kNoNode) {
      double& before = up_again.try_emplace(outage.node, log.from).first->second;
      down = std::max(down, before);
      before = std::max(before, outage.up);
    }
    if (LogPart* period = at(outage.down)) ++period->failures;
    // Only the periods that it touches: a log may have millions of outages.
    for (LogPart* period = at(std::max(down, log.from)); period != nullptr; ++period) {
      period->lost += period->overlap(down, outage.up);
      if (period->to >= outage.up || period == &periods.back()) break;
    }
  }
}

Value row_of(const FailureLog& log, const LogPart& period) {
  return Value::object({{"from", time_value(log, period.from)},
                        {"failures", period.failures},
                        {"availability", period.availability()},
                        {"node_hours_lost", period.lost / 3600}});
}

}  // namespace

Value time_value(const FailureLog& log, double seconds) {
  return log.is_dated ? Value(format_date(seconds)) : Value(seconds);
}

void describe_losses(const FailureLog& log, Answer& answer) {
  const double length = log.to - log.from;
  const double step =
      length <= kMostMonths * kMonth ? kMonth : std::max(kYear, length / kMostYears);
  std::vector<LogPart> periods;
  for (double from = log.from; from < log.to; from += step)
    periods.push_back({.from = from, .to = std::min(from + step, log.to)});
  add_outages(log, periods);
  LogPart all{.from = log.from, .to = log.to};
  for (LogPart& period : periods) {
    add_service(log, period);
    all.failures += period.failures;
    all.lost += period.lost;
    all.service += period.service;
  }
  if (!(all.lost > 0) || !(all.service > 0)) return;
  add_fact(answer, "availability", "availability", all.availability(),
           fmt::format("{:.4f}", all.availability()));
  add_fact(answer, "node_hours_lost", "node-hours lost", all.lost / 3600,
           fmt::format("{:.0f}", all.lost / 3600));
  Table table{.title = step == kMonth ? "by month of 30 days" : "by year",
              .columns = {{.title = "from"},
                          {.title = "failures"},
                          {.title = "a node fails once in"},
                          {.title = "availability", .digits = 4},
                          {.title = "node-hours lost"}}};
  Value rows = Value::array();
  for (const LogPart& period : periods) {
    if (!(period.service > 0)) continue;
    const auto failures = static_cast<double>(period.failures);
    table.rows.push_back(
        {time_value(log, period.from), period.failures,
         period.failures == 0 ? Value() : Value(format_duration(period.service / failures)),
         period.availability(), std::round(period.lost / 3600)});
    rows.push(row_of(log, period));
  }
  answer.document.set("periods", std::move(rows));
  answer.tables.push_back(std::move(table));
}

}  // namespace holdfast
