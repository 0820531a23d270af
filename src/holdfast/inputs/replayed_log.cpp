#include "holdfast/inputs/replayed_log.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numeric>

namespace holdfast {
namespace {

/// Returns the place of each node of the log in the order of names.
std::vector<std::int64_t> places_by_name(const FailureLog& log) {
  std::vector<std::size_t> order(log.nodes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {},
                           [&](std::size_t i) -> const std::string& { return log.nodes[i].name; });
  std::vector<std::int64_t> out(log.nodes.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    out[order[place]] = static_cast<std::int64_t>(place);
  }
  return out;
}

/// Returns a number for each node of the log. Names that are numbers are kept.
std::vector<std::int64_t> numbers_of_nodes(const FailureLog& log) {
  std::vector<std::int64_t> out;
  for (const LoggedNode& node : log.nodes) {
    const auto number = parse_integer(node.name);
    if (!number || *number < 0) return places_by_name(log);
    out.push_back(*number);
  }
  return out;
}

/// Returns when the log begins to record these nodes, in seconds on its clock: the start of the observation, or of the service
/// of the first node.
double start_of(const FailureLog& log, const LoggedLifetimes& lives) {
  const double start = std::isfinite(lives.from) ? lives.from : log.from;
  double earliest = std::numeric_limits<double>::infinity();
  for (const LoggedNode& node : log.nodes) {
    if (!node.service.start) return start;
    earliest = std::min(earliest, *node.service.start);
  }
  if (!std::isfinite(earliest) || earliest <= start) return start;
  return lives.outages.empty() ? earliest : std::min(earliest, lives.outages.front().down);
}

}  // namespace

std::vector<FailureEvent> replayed(const FailureLog& log, const LoggedLifetimes& lives,
                                   std::int64_t nodes, const std::string& file,
                                   std::vector<std::string>& notes) {
  const std::vector<std::int64_t> numbers = numbers_of_nodes(log);
  const double start = start_of(log, lives);
  std::vector<FailureEvent> out;
  std::int64_t nameless = 0, beyond = 0;
  for (const Outage& outage : lives.outages) {
    if (outage.node == Outage::kNoNode) {
      ++nameless;
    } else if (numbers[outage.node] >= nodes) {
      ++beyond;
    } else {
      out.push_back({.date = outage.down - start, .processor = numbers[outage.node]});
    }
  }
  notes.push_back(fmt::format("{}: {} of {} are replayed, from {} on; after {} nothing fails", file,
                              out.size(), counted(std::ssize(lives.outages), "failure"),
                              log.is_dated ? format_date(start) : fmt::format("{} s", start),
                              format_quantity(lives.to - start, Unit::seconds)));
  if (nameless > 0) {
    notes.push_back(
        fmt::format("{}: left out {} without a node", file, counted(nameless, "failure")));
  }
  if (beyond > 0) {
    notes.push_back(fmt::format("{}: left out {} of nodes that the machine does not have", file,
                                counted(beyond, "failure")));
  }
  if (lives.units < nodes) {
    notes.push_back(fmt::format("{}: it is of {}, so {} of the machine's nodes never fail", file,
                                counted(lives.units, "node"), nodes - lives.units));
  }
  return out;
}

Result<RecordedOutages> recorded_of(const FailureLog& log, const LoggedLifetimes& lives,
                                    double relapse_within, const std::string& file,
                                    std::vector<std::string>& notes) {
  HOLDFAST_TRY(all,
               lifetimes_of(log, {.relapse_within =
                                      relapse_within}));  // also those that began before the window
  RecordedOutages out{.nodes = lives.units, .length = lives.to - lives.from, .outages = {}};
  const std::vector<std::int64_t> numbers = places_by_name(log);
  std::int64_t nameless = 0;
  bool has_repairs = false;
  for (const Outage& outage : all.outages) {
    const double begin = std::max(outage.down, lives.from);
    const double end = std::min(outage.up, lives.to);
    if (outage.down > lives.to || end < begin) continue;
    if (outage.node == Outage::kNoNode) {
      ++nameless;
      continue;
    }
    has_repairs = has_repairs || end > begin;
    out.outages.push_back(
        {.date = begin - lives.from, .processor = numbers[outage.node], .repair = end - begin});
  }
  if (!has_repairs) {
    return fail(ErrorCode::bad_value, file,
                "found no outage that lasts, expected a log that says when nodes came back");
  }
  notes.push_back(fmt::format("{}: {} of {} in {} are replayed", file,
                              counted(std::ssize(out.outages), "outage"),
                              counted(out.nodes, "node"), format_duration(out.length)));
  if (nameless > 0) {
    notes.push_back(
        fmt::format("{}: left out {} without a node", file, counted(nameless, "failure")));
  }
  return out;
}

}  // namespace holdfast
