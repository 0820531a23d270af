#include "holdfast/traces/failures/log_notes.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace holdfast {
namespace {

constexpr const char* kNotesPlace = "comment lines";

/// Returns the value of a comment "key: value"; nothing for other comments.
std::optional<std::string_view> note_of(std::string_view comment, std::string_view key) {
  if (!comment.starts_with(key)) return std::nullopt;
  comment.remove_prefix(key.size());
  if (!comment.starts_with(':')) return std::nullopt;
  return trim(comment.substr(1));
}

Status read_note(std::string_view comment, LogNotes& out) {
  if (const auto value = note_of(comment, "observed")) {
    auto period = parse_period(*value);
    if (!period) return fail(in_file("observed", std::move(period).error()));
    out.from = period->from;
    out.to = period->to;
  } else if (const auto start = note_of(comment, "in service")) {
    HOLDFAST_TRY(instant, parse_instant(*start));
    out.in_service = instant;
  } else if (const auto number = note_of(comment, "nodes")) {
    HOLDFAST_TRY(nodes, parse_integer(*number));
    if (nodes < 1 || nodes > kMostLoggedNodes) {
      return fail(ErrorCode::bad_value, "nodes",
                  fmt::format("found {}, expected a number from 1 to {}", nodes, kMostLoggedNodes));
    }
    out.nodes = nodes;
  }
  return {};
}

std::string time_in_log(const FailureLog& log, double time) {
  return log.is_dated ? format_date(time) : to_text(time);
}

}  // namespace

Result<LogNotes> LogNotes::of(std::span<const std::string> comments) {
  LogNotes out;
  for (const std::string& comment : comments) HOLDFAST_CHECK(out.read(comment));
  return out;
}

Status LogNotes::read(std::string_view comment) {
  auto status = read_note(trim(comment), *this);
  return status ? Status{} : fail(in_file(kNotesPlace, std::move(status).error()));
}

Result<FailureLog> LogNotes::finish(FailureLogBuilder& builder, std::string_view format,
                                    double resolution, bool is_dated) const {
  for (const auto& stated : {from, to, in_service}) {
    if (!stated || stated->is_date == is_dated) continue;
    return fail(ErrorCode::bad_value, kNotesPlace,
                is_dated ? "found a number, expected a date as in the rows"
                         : "found a date, expected seconds as in the rows");
  }
  if (in_service) builder.begin_service(in_service->seconds);
  HOLDFAST_TRY(log, builder.finish(format, resolution, is_dated));
  if (from && to) {
    if (auto status = set_observed(log, {*from, *to}); !status)
      return fail(in_file(fmt::format("{}: observed", kNotesPlace), std::move(status).error()));
  }
  if (nodes == 0) return log;
  LoggedSystem& system = log.systems.front();
  if (log.systems.size() != 1 || nodes < system.nodes_with_rows) {
    return fail(
        ErrorCode::bad_value, fmt::format("{}: nodes", kNotesPlace),
        log.systems.size() != 1
            ? fmt::format("found {} systems, expected one: name every node in a row instead",
                          log.systems.size())
            : fmt::format("found {}, expected at least the {} that the rows name", nodes,
                          system.nodes_with_rows));
  }
  system.nodes = nodes;
  if (in_service) system.service.start = in_service->seconds;
  return log;
}

Result<Period> parse_period(std::string_view text) {
  std::size_t middle = text.find(" to ");
  std::size_t length = 4;
  if (middle == std::string_view::npos) {
    middle = text.find(',');
    length = 1;
  }
  if (middle == std::string_view::npos) {
    return fail(ErrorCode::bad_value, {},
                fmt::format("found {}, expected two times, FROM to TO", in_quotes(text)));
  }
  HOLDFAST_TRY(from, parse_instant(text.substr(0, middle)));
  HOLDFAST_TRY(to, parse_instant(text.substr(middle + length)));
  if (from.is_date != to.is_date || !(from.seconds < to.seconds)) {
    return fail(ErrorCode::bad_value, {},
                fmt::format("found {}, expected {}", in_quotes(text),
                            from.is_date == to.is_date ? "the earlier time first"
                                                       : "two dates or two numbers"));
  }
  return Period{from, to};
}

Status set_observed(FailureLog& log, const Period& period) {
  if (log.observed_from) {
    return fail(ErrorCode::bad_value, {},
                fmt::format("found a period, expected none: the log states its own, {} to {}",
                            time_in_log(log, *log.observed_from), time_in_log(log, log.to)));
  }
  if (period.from.is_date != log.is_dated) {
    return fail(ErrorCode::bad_value, {},
                log.is_dated ? "found numbers, expected dates as in the log"
                             : "found dates, expected seconds as in the log");
  }
  std::int64_t before = 0;
  bool goes_on = false;
  for (const Outage& outage : log.outages) {
    if (outage.down < period.from.seconds) ++before;
    if (outage.down > period.to.seconds) {
      return fail(
          ErrorCode::bad_value, {},
          fmt::format("found an end at {}, expected {} or later, when the log has a failure",
                      time_in_log(log, period.to.seconds), time_in_log(log, outage.down)));
    }
    goes_on = goes_on || (outage.up > period.to.seconds && std::isfinite(outage.up));
  }
  if (goes_on) {
    log.outages.update([&](Outage& outage) {
      if (outage.up > period.to.seconds) outage.up = std::numeric_limits<double>::infinity();
      return true;
    });
  }
  log.oddities.add("outages that began before the observation", before,
                   "kept for the ages of their nodes, not counted as failures");
  log.from = period.from.seconds;
  log.observed_from = period.from.seconds;
  log.to = period.to.seconds;
  return {};
}

bool names_failed_alone(const FailureLog& log) {
  std::vector<bool> has_failed(log.nodes.size());
  for (const Outage& outage : log.outages) {
    if (outage.node != Outage::kNoNode) has_failed[outage.node] = true;
  }
  const bool says_number =
      std::ranges::any_of(log.systems, [](const LoggedSystem& system) { return system.nodes > 0; });
  const bool is_machine =
      log.nodes.size() == 1 && std::ranges::count(kWholeMachines, log.nodes.front().name) > 0;
  return !says_number && !log.nodes.empty() && !is_machine &&
         std::ranges::all_of(has_failed, [](bool failed) { return failed; });
}

std::vector<std::string> doubts_about(const FailureLog& log) {
  std::vector<std::string> out;
  if (names_failed_alone(log)) {
    out.push_back(fmt::format(
        "it names only nodes that failed ({}): nodes that never failed are not counted, and make "
        "failures rarer; a list of all nodes says which there are",
        log.nodes.size()));
  }
  const bool has_service = std::ranges::all_of(
      log.nodes, [](const LoggedNode& node) { return node.service.start.has_value(); });
  if (!log.observed_from && (!has_service || log.nodes.empty())) {
    out.push_back(
        fmt::format("observed from the first to the last event, {} to {}: quiet time before or "
                    "after would make "
                    "failures rarer; 'observed' says FROM,TO",
                    time_in_log(log, log.from), time_in_log(log, log.to)));
  }
  return out;
}

}  // namespace holdfast
