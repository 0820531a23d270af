#include "holdfast/traces/failures/failure_log.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

namespace holdfast {
namespace {

constexpr double kMonth = 30 * 86400.0;

}  // namespace

LoggedSystem& FailureLogBuilder::system(std::string_view name) {
  if (last_system_ < log_.systems.size() && log_.systems[last_system_].name == name) {
    return log_.systems[last_system_];
  }
  const auto [place, is_new] =
      system_of_.try_emplace(std::string(name), static_cast<std::uint32_t>(log_.systems.size()));
  if (is_new) {
    log_.systems.push_back({.name = std::string(name), .service = {}});
    latest_.push_back(-std::numeric_limits<double>::infinity());
  }
  last_system_ = place->second;
  return log_.systems[place->second];
}

LoggedNode& FailureLogBuilder::node(std::string_view system_name, std::string_view name) {
  if (last_node_ < log_.nodes.size() && log_.nodes[last_node_].name == name &&
      log_.systems[log_.nodes[last_node_].system].name == system_name) {
    return log_.nodes[last_node_];
  }
  key_.assign(system_name);  // a key of its own: millions of rows name few nodes
  key_ += '\n';
  key_ += name;
  const auto known = node_of_.find(key_);
  if (known != node_of_.end()) return log_.nodes[last_node_ = known->second];
  LoggedSystem& owner = system(system_name);
  ++owner.nodes_with_rows;
  last_node_ = static_cast<std::uint32_t>(log_.nodes.size());
  node_of_.emplace(key_, last_node_);
  log_.nodes.push_back({.name = std::string(name),
                        .system = static_cast<std::uint32_t>(&owner - log_.systems.data()),
                        .service = {}});
  return log_.nodes.back();
}

void FailureLogBuilder::begin_service(double start) {
  for (LoggedNode& node : log_.nodes) {
    if (!node.service.start) node.service.start = start;
  }
}

void FailureLogBuilder::add(const FailureRow& row) {
  first_ = std::min(first_, row.down);
  last_ = std::max(last_, std::isinf(row.up) ? row.down : std::max(row.down, row.up));
  if (!wants(row.system)) {
    if (std::find(seen_systems_.begin(), seen_systems_.end(), row.system) == seen_systems_.end()) {
      seen_systems_.emplace_back(row.system);
    }
    return;
  }
  ++log_.rows;
  if (!row.node.empty()) node(row.system, row.node);
  const auto of_system = static_cast<std::uint32_t>(&system(row.system) - log_.systems.data());
  double& before = latest_[of_system];
  if (row.down < before) ++disordered_;
  before = row.down;
  if (row.up < row.down) {
    ++reversed_;
    return;
  }
  const std::uint32_t of_node = row.node.empty() ? Outage::kNoNode : last_node_;
  rows_.push_back({.down = row.down,
                   .up = row.up,
                   .node = of_node,
                   .system = of_system,
                   .line = std::hash<std::string_view>{}(row.line)});
}

/// Puts the rows in order of time, then of system, node, end and line. Most logs are in order of time already.
void FailureLogBuilder::sort_rows() {
  if (!std::ranges::is_sorted(rows_, {}, &Row::down)) {
    std::ranges::sort(rows_, {}, &Row::key);
    return;
  }
  for (auto begin = rows_.begin(); begin != rows_.end();) {
    auto end = begin + 1;
    while (end != rows_.end() && end->down == begin->down) ++end;
    if (end - begin > 1) std::ranges::sort(begin, end, {}, &Row::key);
    begin = end;
  }
}

/// Ends the outages without an end that another outage of the same node follows: they are over, and since when is unknown. If
/// no row of such a log has an end, none was recorded. @pre the rows are sorted
std::int64_t FailureLogBuilder::end_open_outages() {
  std::int64_t ended = 0, repeated = 0;
  bool has_end = false;
  std::vector<Row*> latest(log_.nodes.size());  // of each node, among the rows that are kept
  auto kept = rows_.begin();
  for (const Row& row : rows_) {
    has_end = has_end || std::isfinite(row.up);
    Row* const before = row.node == Outage::kNoNode ? nullptr : latest[row.node];
    const bool is_with = before != nullptr && before->down == row.down;
    if (std::isinf(row.up) && is_with && std::isfinite(before->up)) {
      ++repeated;
      continue;
    }
    if (before != nullptr && std::isinf(before->up) && !is_with) {
      before->up = before->down;
      ++ended;
    }
    *kept = row;
    if (row.node != Outage::kNoNode) latest[row.node] = &*kept;
    ++kept;
  }
  rows_.erase(kept, rows_.end());
  log_.oddities.add("outages without an end that another row ends", repeated, "left out");
  for (Row& row : rows_) {
    if (ended == 0 || has_end || std::isfinite(row.up)) continue;
    row.up = row.down;
    ++ended;
  }
  log_.oddities.add("outages without an end, though their node failed again or none has an end",
                    ended, "kept: of unknown length, counted as 0");
  return ended;
}

void FailureLogBuilder::count_lengths(std::int64_t ended) {
  std::int64_t empty = -ended;
  std::int64_t unfinished = 0;
  std::int64_t longer_than_a_month = 0;
  for (const Row& row : rows_) {
    const double length = row.up - row.down;
    if (length == 0) ++empty;
    if (std::isinf(length)) ++unfinished;
    if (std::isfinite(length) && length > kMonth) ++longer_than_a_month;
  }
  log_.oddities.add("outages that end before they start", reversed_, "left out");
  log_.oddities.add("outages of length 0", empty, "kept: the node failed");
  log_.oddities.add("outages longer than 30 days", longer_than_a_month, "kept");
  log_.oddities.add("outages without an end", unfinished, "kept: down until the end of the log");
  log_.oddities.add("rows that start before the row above them (same system)", disordered_,
                    "sorted");
}

/// Counts rows that begin together, and successive outages of one node that overlap, and drops rows whose whole line is repeated.
/// Overlaps are those of the unchanged file. @pre the rows are sorted
void FailureLogBuilder::count_runs() {
  std::int64_t simultaneous = 0, overlapping = 0, same_start = 0;
  std::vector<const Row*> latest(log_.nodes.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    const auto begins_with = [&](const Row& other) {
      return other.down == row.down && other.system == row.system;
    };
    const bool has_other =
        (i > 0 && begins_with(rows_[i - 1])) || (i + 1 < rows_.size() && begins_with(rows_[i + 1]));
    if (has_other) ++simultaneous;
    if (row.node == Outage::kNoNode) continue;
    const Row* const before = std::exchange(latest[row.node], &row);
    if (before == nullptr) continue;
    if (row.down < before->up) ++overlapping;
    if (row.down == before->down) ++same_start;
  }
  log_.oddities.add("rows that start at the same time as another of their system", simultaneous,
                    "kept as failures of their own; merging makes them one");
  log_.oddities.add("outages that overlap the one before on the same node", overlapping,
                    "joined: a node that is down does not fail");
  log_.oddities.add("outages that start with another one on the same node", same_start,
                    "joined: a node that is down does not fail");
  const auto end = std::unique(rows_.begin(), rows_.end(),
                               [](const Row& a, const Row& b) { return a.key() == b.key(); });
  log_.oddities.add("rows that repeat another row exactly", rows_.end() - end, "left out");
  rows_.erase(end, rows_.end());
}

/// Extends the service of a node to its last row, and gives nodes without rows the service of most others.
void FailureLogBuilder::settle_services() {
  std::int64_t nodes_older_than_said = 0;
  for (const Row& row : rows_) {
    if (row.node == Outage::kNoNode) continue;
    Service& service = log_.nodes[row.node].service;
    service.end = std::max(service.end, std::isinf(row.up) ? row.down : row.up);
    if (service.start && row.down < *service.start) {
      service.start.reset();
      ++nodes_older_than_said;
    }
  }
  log_.oddities.add("nodes that failed before their service began", nodes_older_than_said,
                    "the start of their service is treated as unknown");
  for (std::uint32_t i = 0; i < log_.systems.size(); ++i) {
    std::map<Service, std::int64_t> nodes_of;
    for (const LoggedNode& node : log_.nodes) {
      if (node.system == i) ++nodes_of[node.service];
    }
    if (nodes_of.empty()) continue;
    const auto most =
        std::max_element(nodes_of.begin(), nodes_of.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    log_.systems[i].service = most->first;
  }
}

Result<FailureLog> FailureLogBuilder::finish(std::string_view format, double resolution,
                                             bool is_dated, std::optional<double> observed_from,
                                             std::optional<double> observed_to) {
  if (wanted_ && log_.systems.empty() && !seen_systems_.empty()) {
    const bool has_names = seen_systems_ != std::vector<std::string>{""};
    const std::vector<std::string_view> known(seen_systems_.begin(), seen_systems_.end());
    return fail(ErrorCode::unknown_name, {},
                fmt::format("found no system {}, {}", in_quotes(*wanted_),
                            has_names ? suggestion(*wanted_, known)
                                      : "expected none: the log names no systems"));
  }
  if (rows_.empty()) {
    return fail(ErrorCode::bad_format, {}, "found no outage, expected at least one");
  }
  double nodes = 0;
  for (const LoggedSystem& system : log_.systems) nodes += static_cast<double>(system.nodes);
  if (nodes > static_cast<double>(kMostLoggedNodes)) {
    return fail(ErrorCode::bad_value, {},
                fmt::format("found {} nodes in all, expected at most {}", nodes, kMostLoggedNodes));
  }
  log_.format = format;
  log_.resolution = resolution;
  log_.is_dated = is_dated;
  log_.from = observed_from.value_or(first_);
  log_.observed_from = observed_from;
  log_.to = observed_to.value_or(last_);
  settle_services();
  sort_rows();
  count_lengths(end_open_outages());
  count_runs();
  log_.outages.reserve(rows_.size());
  for (; !rows_.empty(); rows_.pop_back()) {  // from the end, so that its memory is free at once
    const Row& row = rows_.back();
    log_.outages.push_back(
        {.down = row.down, .up = row.up, .node = row.node, .system = row.system});
  }
  std::ranges::reverse(log_.outages);
  return std::move(log_);
}

}  // namespace holdfast
