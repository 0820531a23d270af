#include "holdfast/field/guard_report.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace holdfast::field {
namespace {

/// The largest number of failures that are listed one by one in the text; the document has all of them.
constexpr std::size_t kShownFailures = 20;

std::string outcome_of(const History& history) {
  if (history.end == "finish") return "finished";
  if (history.end == "stop") return fmt::format("stopped ({})", history.reason);
  if (history.end == "gave-up") return fmt::format("gave up: {}", history.reason);
  return "has not ended";
}

Value failures_of(const History& history) {
  Value out = Value::array();
  for (const PastFailure& failure : history.failures) {
    out.push(Value::object({{"clock", failure.clock},
                            {"cause", failure.cause},
                            {"lost", failure.lost},
                            {"downtime", failure.down},
                            {"quick", failure.is_quick},
                            {"by_request", failure.by_request},
                            {"saving", failure.was_saving}}));
  }
  return out;
}

/// Returns what is estimated now.
Value estimate_of(const History& history) {
  Value out = Value::object();
  const entry::Estimate known = history.estimate.value_or(entry::Estimate{});
  const auto add = [&](std::string_view name, const std::optional<double>& value) {
    if (value) out.set(name, *value);
  };
  add("checkpoint", known.checkpoint);
  add("recovery", known.recovery);
  add("rate", known.rate);
  add("theta", known.theta);
  add("interval", known.interval);
  add("share_before_failure", known.share_before_failure);
  add("young_daly", known.young_daly);
  add("interruptions", known.interruptions);
  add("expected", known.expected);
  return out;
}

/// Returns the estimates over time.
Value over_time(const History& history) {
  Value out = Value::array();
  for (const PastEstimate& one : history.estimates) {
    Value row = Value::object({{"clock", one.clock}});
    if (one.checkpoint) row.set("checkpoint", *one.checkpoint);
    if (one.recovery) row.set("recovery", *one.recovery);
    if (one.theta) row.set("theta", *one.theta);
    out.push(std::move(row));
  }
  return out;
}

void add_replay(const History& history, const Replay& replay, std::vector<std::string>& out) {
  if (replay.strategies.empty()) return;
  out.push_back(fmt::format("{}the same work and failures, simulated with a checkpoint of {}",
                            replay.checkpoints == 0
                                ? std::string()
                                : fmt::format("of the first {} checkpoints, ", replay.checkpoints),
                            format_duration(history.mean_checkpoint())));
  out.push_back(fmt::format("  {:<20} {}, {}", "as it was", format_duration(replay.measured),
                            counted(replay.failures, "failure")));
  for (const Replayed& one : replay.strategies) {
    std::string line = fmt::format("  {:<20} {}, {}", one.strategy, format_duration(one.makespan),
                                   counted(static_cast<std::int64_t>(one.failures), "failure"));
    if (one.outlives_record) line += ", none after the end of the record";
    if (one.continued) {
      line += fmt::format("; {} with those to be expected then (mean of {} draws)",
                          format_duration(*one.continued), one.draws);
    }
    out.push_back(std::move(line));
  }
  // For the guard's own strategy, the simulation can be compared with the measured time.
  constexpr double kAlike = 0.02;
  const double off = replay.strategies.front().makespan / replay.measured - 1;
  if (std::abs(off) <= kAlike) return;
  const auto left_out = std::ranges::count_if(
      history.failures, [](const PastFailure& one) { return !one.is_of_nodes(); });
  out.push_back(fmt::format(
      "  what was simulated for {} is {:.1f} % {} what was measured{}",
      replay.strategies.front().strategy, 100 * std::abs(off), off < 0 ? "below" : "above",
      left_out == 0 ? std::string()
                    : fmt::format(", {} left out: soon after a start, or by a request",
                                  counted(left_out, "failure"))));
}

std::string learned_line(const History& history) {
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
  const entry::Estimate known = history.estimate.value_or(entry::Estimate{});
  if (known.checkpoint)
    add(fmt::format("a checkpoint costs {}", format_duration(*known.checkpoint)));
  if (known.rate.value_or(0) > 0)
    add(fmt::format("a failure every {}", format_duration(1 / *known.rate)));
  if (known.theta) {
    const std::string times = to_text(*known.theta, 3);
    add(times == "1" ? "as often as the law says" : times + " times as often as the law says");
  }
  if (known.interval)
    add(fmt::format("a checkpoint after {} of work", format_duration(*known.interval)));
  if (known.share_before_failure)
    add(fmt::format("{:.2f} % of the time until a failure saved",
                    100 * *known.share_before_failure));
  return out;
}

}  // namespace

Value report_document(const History& history, const Replay& replay) {
  Value out =
      Value::object({{"outcome", history.end.empty() ? std::string("running") : history.end},
                     {"reason", history.reason},
                     {"launches", history.launches},
                     {"checkpoints", history.checkpoints},
                     {"failed_checkpoints", history.failed_checkpoints},
                     {"seconds", Value::object({{"total", history.clock},
                                                {"saved_work", history.saved},
                                                {"lost_work", history.lost},
                                                {"checkpoints", history.saving},
                                                {"copies", history.copying},
                                                {"recoveries", history.recovering},
                                                {"downtime", history.down}})},
                     {"mean_checkpoint", history.mean_checkpoint()},
                     {"longest_answer", history.longest_answer},
                     {"restarts", history.restarts},
                     {"killed_guards", history.killed_guards},
                     {"dropped_output", history.dropped},
                     {"failures", failures_of(history)}});
  if (history.done) out.set("done", *history.done);
  out.set("estimate", estimate_of(history));
  out.set("over_time", over_time(history));
  if (!replay.strategies.empty()) {
    out.set("as_it_was",
            Value::object({{"makespan", replay.measured}, {"failures", replay.failures}}));
    if (replay.checkpoints > 0) out.set("replayed_checkpoints", replay.checkpoints);
  }
  Value same = Value::array();
  for (const Replayed& one : replay.strategies) {
    Value row = Value::object({{"strategy", one.strategy},
                               {"makespan", one.makespan},
                               {"failures", one.failures},
                               {"outlives_record", one.outlives_record}});
    if (one.continued) {
      row.set("continued", *one.continued);
      row.set("draws", one.draws);
    }
    same.push(std::move(row));
  }
  out.set("same_failures", std::move(same));
  return out;
}

std::vector<std::string> report_lines(const History& history, const Replay& replay) {
  std::vector<std::string> out;
  out.push_back(fmt::format("{} after {}, {}", outcome_of(history), format_duration(history.clock),
                            counted(history.launches, "launch", "launches")));
  out.push_back(fmt::format("  saved work    {}", format_duration(history.saved)));
  out.push_back(fmt::format("  lost work     {}, in {}", format_duration(history.lost),
                            counted(history.failures.size(), "failure")));
  out.push_back(fmt::format("  checkpoints   {}, {}{}", format_duration(history.saving),
                            counted(history.checkpoints, "checkpoint"),
                            history.failed_checkpoints == 0
                                ? std::string()
                                : fmt::format(" and {} that failed", history.failed_checkpoints)));
  if (history.copying >= 1) {
    out.push_back(fmt::format("  copies        {}, most of it while the program went on",
                              format_duration(history.copying)));
  }
  if (history.recovering > 0) {
    out.push_back(fmt::format("  recoveries    {}", format_duration(history.recovering)));
  }
  if (history.down > 0) {
    out.push_back(fmt::format("  downtime      {}", format_duration(history.down)));
  }
  if (history.restarts > 0) {
    out.push_back(fmt::format("  it ended {} because it was asked to save, and was started again",
                              counted(history.restarts, "time")));
  }
  if (history.killed_guards > 0) {
    out.push_back(
        fmt::format("  the guard itself was killed {}", counted(history.killed_guards, "time")));
  }
  if (history.longest_answer > 1) {
    out.push_back(
        fmt::format("  the program took up to {} to begin a checkpoint that it was asked for",
                    format_duration(history.longest_answer)));
  }
  const std::size_t first =
      history.failures.size() - std::min(history.failures.size(), kShownFailures);
  for (std::size_t i = first; i < history.failures.size(); ++i) {
    const PastFailure& failure = history.failures[i];
    out.push_back(fmt::format("  failure at {}: {}{}, {} lost", format_duration(failure.clock),
                              failure.cause, failure.was_saving ? ", while it saved" : "",
                              format_duration(failure.lost)));
  }
  if (const std::string learned = learned_line(history); !learned.empty()) out.push_back(learned);
  add_replay(history, replay, out);
  return out;
}

std::vector<std::string> status_lines(const History& history, bool is_guarded, double time) {
  std::vector<std::string> out;
  const double since = std::max(0.0, time - history.time);
  if (!is_guarded || !history.end.empty()) {
    out.push_back(history.end.empty() ? "no guard runs here; the last one was killed"
                                      : outcome_of(history));
  } else {
    out.push_back(fmt::format("running for {}, {}", format_duration(history.clock + since),
                              counted(history.launches, "launch", "launches")));
  }
  if (history.done) {
    out.push_back(history.total > 0 ? fmt::format("done {} of {}", to_text(*history.done, 6),
                                                  to_text(history.total, 6))
                                    : fmt::format("done {}", to_text(*history.done, 6)));
  }
  out.push_back(fmt::format("{} of work saved in {}, {} lost in {}", format_duration(history.saved),
                            counted(history.checkpoints, "checkpoint"),
                            format_duration(history.lost),
                            counted(history.failures.size(), "failure")));
  if (history.due) {
    out.push_back(fmt::format("asked for a checkpoint {} ago",
                              format_duration(history.clock + since - *history.due)));
  }
  if (is_guarded && !history.warning.empty()) {
    out.push_back(fmt::format("warning: {}", history.warning));
  }
  if (!history.due && history.next_due && is_guarded && history.end.empty()) {
    out.push_back(
        fmt::format("next checkpoint in {}",
                    format_duration(std::max(0.0, *history.next_due - history.clock - since))));
  }
  if (const std::string learned = learned_line(history); !learned.empty()) out.push_back(learned);
  return out;
}

}  // namespace holdfast::field
