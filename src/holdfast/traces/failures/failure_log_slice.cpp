#include "holdfast/traces/failures/failure_log.hpp"
#include "holdfast/traces/text/slicing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace holdfast {
namespace {

/// Keeps the nodes that are named and drawn. Nodes that the log only counts are drawn like the others; if names are given, none
/// of them is kept.
Status keep_nodes(const SliceQuestion& question, FailureLog& log) {
  if (question.machines.empty() && !question.sample) return {};
  std::vector<std::string> names;
  names.reserve(log.nodes.size());
  for (const LoggedNode& node : log.nodes) names.push_back(node.name);
  std::int64_t unnamed = 0;
  for (LoggedSystem& system : log.systems) {
    if (!question.machines.empty()) system.nodes = 0;
    unnamed += std::max<std::int64_t>(0, system.nodes - system.nodes_with_rows);
  }
  if (unnamed > 0 && log.systems.size() > 1) {
    return slicing::refuse("sample",
                           fmt::format("found {} systems with {} nodes that never failed, "
                                       "expected one: choose it with --system",
                                       log.systems.size(), unnamed));
  }
  HOLDFAST_TRY(is_kept, slicing::chosen(names, question, unnamed));
  std::vector<std::uint32_t> place(log.nodes.size(), Outage::kNoNode);
  std::uint32_t kept = 0;
  for (LoggedSystem& system : log.systems) system.nodes_with_rows = 0;
  for (std::size_t i = 0; i < log.nodes.size(); ++i) {
    if (!is_kept[i]) continue;
    place[i] = kept++;
    ++log.systems[log.nodes[i].system].nodes_with_rows;
  }
  slicing::keep(log.nodes, is_kept);
  log.outages.update([&](Outage& outage) {
    if (outage.node != Outage::kNoNode) outage.node = place[outage.node];
    return outage.node != Outage::kNoNode;
  });
  for (LoggedSystem& system : log.systems) {
    if (system.nodes > 0) system.nodes = system.nodes_with_rows;
  }
  if (unnamed > 0) log.systems.front().nodes += *question.sample - kept;
  return {};
}

}  // namespace

Result<FailureLog> sliced(FailureLog log, const SliceQuestion& question) {
  if (!log.exposure.empty())
    return slicing::refuse(
        "sample", "found failures that only jobs show, expected a log of nodes: slice the jobs");
  HOLDFAST_TRY(window, slicing::window_of(question, log.is_dated, std::nullopt));
  HOLDFAST_CHECK(keep_nodes(question, log));
  constexpr double kForever = std::numeric_limits<double>::infinity();
  const bool has_window = question.from || question.to;
  const double end = has_window ? std::min(log.to, window.to) : kForever;
  log.outages.update([&](Outage& outage) {
    if (outage.up > end) outage.up = kForever;
    return window.holds(outage.down);
  });
  if (log.outages.empty()) return slicing::nothing_left(question, "failure");
  log.rows = static_cast<std::int64_t>(log.outages.size());
  if (!has_window) return log;
  log.to = end;
  log.from = std::max(log.from, window.from);
  if (question.from) log.observed_from = log.from;
  return log;
}

}  // namespace holdfast
