#include "holdfast/traces/failures/failure_log.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>

namespace holdfast {
namespace {

constexpr double kMonth = 30 * 86400.0;

/// Calls visit(rows of one key) for each run of rows with equal keys. @pre the rows are sorted by that key
template <class Row, class Same, class Visit>
void for_each_run(const std::vector<Row>& rows, const Same& same, const Visit& visit) {
  for (std::size_t begin = 0; begin < rows.size();) {
    std::size_t end = begin + 1;
    while (end < rows.size() && same(rows[begin], rows[end])) ++end;
    visit(begin, end);
    begin = end;
  }
}

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
  key_.assign(system_name);  // a key of its own: millions of rows name few nodes
  key_ += '\n';
  key_ += name;
  const auto known = node_of_.find(key_);
  if (known != node_of_.end()) return log_.nodes[known->second];
  LoggedSystem& owner = system(system_name);
  ++owner.nodes_with_rows;
  node_of_.emplace(key_, static_cast<std::uint32_t>(log_.nodes.size()));
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
  Outage outage{.down = row.down, .up = row.up};
  if (!row.node.empty()) {
    outage.node = static_cast<std::uint32_t>(&node(row.system, row.node) - log_.nodes.data());
  }
  outage.system = static_cast<std::uint32_t>(&system(row.system) - log_.systems.data());
  Row kept{outage, std::hash<std::string_view>{}(row.line)};
  count_disorder(kept);
  if (row.up < row.down) {
    ++reversed_;
  } else {
    rows_.push_back(kept);
  }
}

void FailureLogBuilder::count_disorder(const Row& row) {
  double& before = latest_[row.outage.system];
  if (row.outage.down < before) ++disordered_;
  before = row.outage.down;
}

/// Ends the outages without an end that another outage of the same node follows: they are over, and since when is unknown. If
/// no row of such a log has an end, none was recorded. @pre the rows are sorted by system, node, down, up
std::int64_t FailureLogBuilder::end_open_outages() {
  std::int64_t ended = 0;
  bool has_end = false;
  const auto is_same_node = [](const Outage& a, const Outage& b) {
    return a.node == b.node && a.system == b.system && a.node != Outage::kNoNode;
  };
  std::size_t kept = 0;
  std::int64_t repeated = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    Outage& outage = rows_[i].outage;
    has_end = has_end || std::isfinite(outage.up);
    if (std::isinf(outage.up)) {
      const bool is_known = kept > 0 && is_same_node(rows_[kept - 1].outage, outage) &&
                            rows_[kept - 1].outage.down == outage.down &&
                            std::isfinite(rows_[kept - 1].outage.up);
      if (is_known) {
        ++repeated;
        continue;
      }
      if (i + 1 < rows_.size() && is_same_node(outage, rows_[i + 1].outage) &&
          rows_[i + 1].outage.down > outage.down) {
        outage.up = outage.down;
        ++ended;
      }
    }
    rows_[kept++] = rows_[i];
  }
  rows_.resize(kept);
  log_.oddities.add("outages without an end that another row ends", repeated, "left out");
  for (Row& row : rows_) {
    if (ended == 0 || has_end || std::isfinite(row.outage.up)) continue;
    row.outage.up = row.outage.down;
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
    const double length = row.outage.up - row.outage.down;
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

void FailureLogBuilder::count_simultaneous() {
  std::int64_t simultaneous = 0;
  std::vector<std::pair<std::uint32_t, double>> starts;
  starts.reserve(rows_.size());
  for (const Row& row : rows_) starts.emplace_back(row.outage.system, row.outage.down);
  std::sort(starts.begin(), starts.end());
  for_each_run(starts, std::equal_to<>{}, [&](std::size_t begin, std::size_t end) {
    if (end - begin > 1) simultaneous += static_cast<std::int64_t>(end - begin);
  });
  log_.oddities.add("rows that start at the same time as another of their system", simultaneous,
                    "kept as failures of their own; merging makes them one");
}

/// Drops rows whose whole line is repeated. @pre the rows are sorted by key()
void FailureLogBuilder::drop_duplicates() {
  const auto end = std::unique(rows_.begin(), rows_.end(),
                               [](const Row& a, const Row& b) { return a.key() == b.key(); });
  log_.oddities.add("rows that repeat another row exactly", rows_.end() - end, "left out");
  rows_.erase(end, rows_.end());
}

/// Counts successive outages of one node that overlap. @pre the rows are sorted by system, node, down, up
void FailureLogBuilder::count_overlaps() {
  std::int64_t overlapping = 0;
  std::int64_t same_start = 0;
  for (std::size_t i = 1; i < rows_.size(); ++i) {
    const Outage& before = rows_[i - 1].outage;
    const Outage& after = rows_[i].outage;
    if (before.node != after.node || before.system != after.system) continue;
    if (after.node == Outage::kNoNode) continue;
    if (after.down < before.up) ++overlapping;
    if (after.down == before.down) ++same_start;
  }
  log_.oddities.add("outages that overlap the one before on the same node", overlapping,
                    "joined: a node that is down does not fail");
  log_.oddities.add("outages that start with another one on the same node", same_start,
                    "joined: a node that is down does not fail");
}

/// Extends the service of a node to its last row, and gives nodes without rows the service of most others.
void FailureLogBuilder::settle_services() {
  std::int64_t nodes_older_than_said = 0;
  for (const Row& row : rows_) {
    if (row.outage.node == Outage::kNoNode) continue;
    Service& service = log_.nodes[row.outage.node].service;
    service.end =
        std::max(service.end, std::isinf(row.outage.up) ? row.outage.down : row.outage.up);
    if (service.start && row.outage.down < *service.start) {
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
  // Overlaps are those of the unchanged file, so they are counted before duplicates are dropped.
  // Sorted in place: rows with equal keys are equal.
  std::ranges::sort(rows_, {}, &Row::key);
  count_lengths(end_open_outages());
  count_simultaneous();
  count_overlaps();
  drop_duplicates();

  log_.outages.reserve(rows_.size());
  for (const Row& row : rows_) log_.outages.push_back(row.outage);
  rows_ = {};
  std::ranges::sort(log_.outages, {},
                    [](const Outage& a) { return std::tuple(a.down, a.system, a.node, a.up); });
  return std::move(log_);
}

}  // namespace holdfast
