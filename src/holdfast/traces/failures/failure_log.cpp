#include "holdfast/traces/failures/failure_log.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/base/word_hash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace holdfast {
namespace {

constexpr double kMonth = 30 * 86400.0;

/// The order of rows: that of time, then of system, node, end and line.
auto key_of(const OutageRow& row) {
  return std::tuple(row.down, row.system, row.node, row.up, row.line);
}

/// Makes the outages of a log of its rows, which come in the order of time: rows that repeat another one are left out, outages
/// that are over have an end, and anything unusual is counted.
class Arranger {
 public:
  explicit Arranger(FailureLog& log) : log_{log}, latest_(log.nodes.size()) {}

  void take(const OutageRow& row) {
    if (!group_.empty() && group_.front().down != row.down) end_group();
    group_.push_back(row);
  }
  /// @param reversed, disordered  rows of these kinds, which the order does not show
  void finish(std::int64_t reversed, std::int64_t disordered) {
    if (!group_.empty()) end_group();
    log_.oddities.add("nodes that failed before their service began", older_than_said_,
                      "the start of their service is treated as unknown");
    log_.oddities.add("outages without an end that another row ends", repeated_, "left out");
    const std::int64_t ended = open_ > 0 ? end_open_outages() : 0;
    log_.oddities.add("outages without an end, though their node failed again or none has an end",
                      ended, "kept: of unknown length, counted as 0");
    log_.oddities.add("outages that end before they start", reversed, "left out");
    log_.oddities.add("outages of length 0", empty_, "kept: the node failed");
    log_.oddities.add("outages longer than 30 days", longer_than_a_month_, "kept");
    log_.oddities.add("outages without an end", open_ - ended,
                      "kept: down until the end of the log");
    log_.oddities.add("rows that start before the row above them (same system)", disordered,
                      "sorted");
    log_.oddities.add("rows that start at the same time as another of their system", simultaneous_,
                      "kept as failures of their own; merging makes them one");
    log_.oddities.add("outages that overlap the one before on the same node", overlapping_,
                      "joined: a node that is down does not fail");
    log_.oddities.add("outages that start with another one on the same node", same_start_,
                      "joined: a node that is down does not fail");
    log_.oddities.add("rows that repeat another row exactly", duplicates_, "left out");
  }

 private:
  /// The row of a node that came last.
  struct Latest {
    double down = -std::numeric_limits<double>::infinity();
    double up = -std::numeric_limits<double>::infinity();
  };

  /// Takes the rows that begin at one instant.
  void end_group() {
    if (group_.size() > 1) std::ranges::sort(group_, {}, key_of);
    std::int64_t together = 0;  // rows of one system
    const OutageRow* before = nullptr;
    for (const OutageRow& row : group_) {
      if (!take_node(row)) continue;
      if (before != nullptr && before->system == row.system) {
        simultaneous_ += together == 1 ? 2 : 1;
        ++together;
      } else {
        together = 1;
      }
      if (before != nullptr && key_of(*before) == key_of(row)) {
        ++duplicates_;
      } else {
        count_length(row);
        log_.outages.push_back(row);
      }
      before = &row;
    }
    group_.clear();
  }

  /// Compares a row with the one before of its node. Returns false for an outage without an end that the other row ends.
  bool take_node(const OutageRow& row) {
    if (row.node == Outage::kNoNode) return true;
    settle_service(row);
    Latest& before = latest_[row.node];
    const bool begins_together = before.down == row.down;
    if (begins_together && std::isinf(row.up) && std::isfinite(before.up)) {
      ++repeated_;
      return false;
    }
    // An outage without an end is over when another begins, so that it overlaps none.
    if (row.down < before.up && (begins_together || std::isfinite(before.up))) ++overlapping_;
    if (begins_together) ++same_start_;
    before = {row.down, row.up};
    return true;
  }

  /// Extends the service of a node to this row.
  void settle_service(const OutageRow& row) {
    Service& service = log_.nodes[row.node].service;
    service.end = std::max(service.end, std::isinf(row.up) ? row.down : row.up);
    if (service.start && row.down < *service.start) {
      service.start.reset();
      ++older_than_said_;
    }
  }

  void count_length(const OutageRow& row) {
    const double length = row.up - row.down;
    if (std::isinf(length)) {
      ++open_;
      return;
    }
    has_end_ = true;
    if (length == 0) ++empty_;
    if (length > kMonth) ++longer_than_a_month_;
  }

  /// Ends the outages without an end that another outage of the same node follows: they are over, and since when is unknown. If
  /// no row of such a log has an end, none was recorded. Returns how many.
  std::int64_t end_open_outages() {
    const auto is_over = [&](const Outage& outage) {
      return std::isinf(outage.up) && outage.node != Outage::kNoNode &&
             outage.down < latest_[outage.node].down;
    };
    std::int64_t ended = std::ranges::count_if(log_.outages, is_over);
    if (ended == 0) return 0;
    const bool has_none = !has_end_;
    ended = 0;
    log_.outages.update([&](Outage& outage) {
      if (std::isinf(outage.up) && (has_none || is_over(outage))) {
        outage.up = outage.down;
        ++ended;
      }
      return true;
    });
    return ended;
  }

  FailureLog& log_;
  std::vector<Latest> latest_;    // of each node
  std::vector<OutageRow> group_;  // rows that begin at one instant
  bool has_end_ = false;          // of a row
  std::int64_t older_than_said_ = 0, repeated_ = 0, open_ = 0, empty_ = 0, longer_than_a_month_ = 0;
  std::int64_t simultaneous_ = 0, overlapping_ = 0, same_start_ = 0, duplicates_ = 0;
};

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
  const std::uint32_t of_node = row.node.empty() ? Outage::kNoNode : last_node_;
  const auto line = static_cast<std::uint16_t>(word_hash(row.line) >> 48U);
  if (row.up < row.down) {
    reversed_.push_back({{row.down, row.up, of_node, of_system}, line});
    return;
  }
  is_ordered_ = is_ordered_ && row.down >= before_;
  before_ = row.down;
  rows_.push_back({{row.down, row.up, of_node, of_system}, line});
}

/// Gives nodes without rows the service of most others.
void FailureLogBuilder::settle_services() {
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

/// Makes the outages of the rows. Most logs are in the order of time: their rows are never all in memory unpacked.
void FailureLogBuilder::arrange_rows() {
  Arranger arranger(log_);
  if (is_ordered_) {
    rows_.drain([&](const OutageRow& row) { arranger.take(row); });
  } else {
    std::vector<OutageRow> rows;
    rows.reserve(rows_.size());
    rows_.drain([&](const OutageRow& row) { rows.push_back(row); });
    std::ranges::sort(rows, {}, key_of);
    for (const OutageRow& row : rows) arranger.take(row);
  }
  arranger.finish(std::ssize(reversed_), disordered_);
}

/// Keeps outages that end less than an hour before they start, in a night in which the clock went back in between.
void FailureLogBuilder::turn_clock_back() {
  const auto is_other = [](const OutageRow& row) {
    constexpr double kNight = 4 * kClockHour;  // clocks are turned then
    return row.up + kClockHour <= row.down ||
           row.down - std::floor(row.up / kClockDay) * kClockDay > kNight;
  };
  const auto turned = std::ranges::partition(reversed_, is_other);
  for (OutageRow& row : turned) {
    row.up += kClockHour;
    rows_.push_back(row);
  }
  log_.oddities.add("outages that end less than an hour before they start, at night",
                    std::ssize(turned), "an hour longer: the clock went back");
  is_ordered_ = is_ordered_ && turned.empty();
  reversed_.erase(turned.begin(), turned.end());
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
  if (is_dated) turn_clock_back();
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
  arrange_rows();
  settle_services();
  return std::move(log_);
}

}  // namespace holdfast
