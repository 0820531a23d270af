#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/kernel/lifetime.hpp"
#include "holdfast/traces/capacity/capacity_series.hpp"
#include "holdfast/traces/failures/outage_list.hpp"
#include "holdfast/traces/text/format_of.hpp"
#include "holdfast/traces/text/oddity.hpp"
#include "holdfast/traces/text/slice_question.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace holdfast {

/// The time in which a node was part of the machine, in seconds on the log's clock. A node is new at the start of this time.
struct Service {
  std::optional<double> start;  ///< nothing: it began before the log, at an unknown time
  /// When its failures began to be recorded. Minus infinity: with the log, or with the service.
  double observed_from = -std::numeric_limits<double>::infinity();
  /// Infinity: the node is still in service when the log ends.
  double end = std::numeric_limits<double>::infinity();
  friend auto operator<=>(const Service&, const Service&) = default;
};

/// A node that has a row in the log.
struct LoggedNode {
  std::string name;
  std::uint32_t system = 0;  ///< its position in FailureLog::systems
  Service service;
};

/// Names of the only node of a log of a machine as a whole.
inline constexpr auto kWholeMachines = std::to_array<std::string_view>({"machine", "cluster"});

/// The largest number of nodes that a log may have. Nodes without a row also become lifetimes, and a short file can claim any
/// number of them.
inline constexpr std::int64_t kMostLoggedNodes = 2'000'000;

/// A machine, that is, a set of interchangeable nodes.
struct LoggedSystem {
  std::string name;                  ///< empty if the log has only one system
  std::int64_t nodes = 0;            ///< all nodes, including those that never failed; 0: unknown
  std::int64_t nodes_with_rows = 0;  ///< nodes that have a row in the log
  Service service;  ///< service of the nodes without a row: that of most other nodes
};

/// A failure log in a form that does not depend on the file format. Times are in seconds.
struct FailureLog {
  std::string format;     ///< the format's name in the table of formats
  std::int64_t rows = 0;  ///< outages in the file, without those of other systems
  std::vector<LoggedSystem> systems;
  std::vector<LoggedNode> nodes;
  OutageList outages;  ///< in order of time, then of the file, without duplicates
  /// Start of the covered period as the file states it, otherwise time of the first row.
  double from = 0;
  double to = 0;  ///< end of that period and of the observation
  /// When the recording of failures began, if the file says so. Nothing: each node was observed from the start of its service.
  std::optional<double> observed_from;
  /// For failures that only jobs show: node-seconds from one failure to the next, the last of them censored. Then the log names
  /// no nodes, and these lives are all that it says about their age. Empty for other logs.
  std::vector<Lifetime> exposure;
  bool is_dated = false;  ///< times count from 1970-01-01 on the log's own clock
  double resolution = 0;  ///< seconds to which times are rounded; 0: unknown
  Oddities oddities;      ///< anything unusual about the file, and how it was treated
};

/// One row as its reader interpreted it. Times are in seconds on the log's clock.
struct FailureRow {
  std::string_view system;
  std::string_view node;  ///< empty: the row names no node
  double down = 0;
  double up = 0;
  std::string_view line;  ///< the text of the row, used to find exact duplicates
};

/// A builder that collects rows into a log: it sorts them, removes duplicates and counts anything unusual about them.
class FailureLogBuilder {
 public:
  /// @param system  keep only the rows of this system; other rows only show until when the log was kept
  explicit FailureLogBuilder(std::optional<std::string> system) : wanted_{std::move(system)} {}

  /// Returns true if rows of that system are kept.
  [[nodiscard]] bool wants(std::string_view system) const { return !wanted_ || *wanted_ == system; }
  /// Adds a row. If its system is not wanted, only the times count.
  void add(const FailureRow& row);
  /// Returns the node of that name, and adds it if it is new.
  LoggedNode& node(std::string_view system, std::string_view name);
  /// Gives all nodes this start of service, except those that have one.
  void begin_service(double start);
  /// Returns the system of that name, and adds it if it is new.
  LoggedSystem& system(std::string_view name);

  /// Returns the log. It is an error if the log has no outages or if the file does not contain the system; both errors have an
  /// empty place.
  /// @param resolution     seconds to which times are rounded; 0: unknown
  /// @param is_dated       times count from 1970-01-01
  /// @param observed_from  start of the period that the file states; nothing: start of its rows
  /// @param observed_to    end of that period
  [[nodiscard]] Result<FailureLog> finish(std::string_view format, double resolution, bool is_dated,
                                          std::optional<double> observed_from = {},
                                          std::optional<double> observed_to = {});

 private:
  void settle_services();
  void turn_clock_back();
  void arrange_rows();

  std::optional<std::string> wanted_;
  std::vector<std::string> seen_systems_;  ///< also those that are not wanted
  std::unordered_map<std::string, std::uint32_t> system_of_;
  std::unordered_map<std::string, std::uint32_t> node_of_;
  std::string key_;                            ///< of a node: system and name
  std::uint32_t last_node_ = 0;                ///< that node() returned
  std::size_t last_system_ = ~std::size_t{0};  ///< of the row before
  std::vector<double> latest_;                 ///< per system: start of the previous row
  PackedOutages<OutageRow> rows_;
  double before_ = -std::numeric_limits<double>::infinity();  ///< start of the row before
  bool is_ordered_ = true;  ///< no row starts before the one before
  std::int64_t disordered_ = 0;
  std::vector<OutageRow> reversed_;  ///< rows that end before they start
  double first_ = std::numeric_limits<double>::infinity();
  double last_ = -std::numeric_limits<double>::infinity();
  FailureLog log_;
};

/// The names of failure logs.
template <>
struct KindOf<FailureLog> {
  static constexpr std::string_view kName = "failures";
  static constexpr std::string_view kRecords = "failures";
  static constexpr std::string_view kFile = "a failure log";
  static constexpr std::string_view kPlain = "failures-csv";
};

/// A format of failure logs.
template <>
struct FormatOf<FailureLog> {
  FormatFacts facts;
  /// Reads a log. @param system  keep one system; nothing: all
  std::function<Result<FailureLog>(TraceText text, std::optional<std::string> system)> read = {};
  Result<Oddities> (*write)(const FailureLog& log, const TextSink& sink) = nullptr;
  /// Reads the share in service, for formats whose outages alone do not say how much of the machine was out of service.
  Result<CapacitySeries> (*read_service)(LineReader lines) = nullptr;

  [[nodiscard]] Result<FailureLog> read_all(TraceText text, const RecordsQuestion& question) const {
    return read(std::move(text), question.system);
  }
};

/// Returns the failures in the window of the nodes that were named and drawn, as a log that is observed from its start to its
/// end. An outage that is still going on at its end has no end. Nodes that are only counted are drawn like named ones.
[[nodiscard]] Result<FailureLog> sliced(FailureLog log, const SliceQuestion& question);

}  // namespace holdfast
