#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/traces/capacity/capacity_series.hpp"
#include "holdfast/traces/text/format_of.hpp"
#include "holdfast/traces/text/oddity.hpp"
#include "holdfast/traces/text/slice_question.hpp"

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

/// One outage of one node. Times in seconds on the log's clock.
struct Outage {
  static constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();

  double down = 0;  ///< the failure
  double up = 0;    ///< the repair, >= down; infinity: still down at the end of the log
  std::uint32_t node = kNoNode;  ///< position in FailureLog::nodes; kNoNode: the row names none
  std::uint32_t system = 0;      ///< position in FailureLog::systems
};

/// When a node was part of the machine. It is new at the start of its service.
struct Service {
  std::optional<double> start;  ///< nothing: before the log, nobody knows when
  double end = std::numeric_limits<double>::infinity();  ///< infinity: still in service at the end
  friend bool operator==(const Service&, const Service&) = default;
};

struct LoggedNode {
  std::string name;
  std::uint32_t system = 0;
  Service service;
};

/// Nodes that a log may speak of in all: those without a row become lives too, and a number costs a file nothing.
inline constexpr std::int64_t kMostLoggedNodes = 2'000'000;

/// A machine: the nodes that may stand in for each other.
struct LoggedSystem {
  std::string name;                  ///< empty where the log knows one system only
  std::int64_t nodes = 0;            ///< all of them, those that never failed included; 0: unknown
  std::int64_t nodes_with_rows = 0;  ///< how many of them the log names
  Service service;                   ///< of the nodes that it does not name: that of most others
};

/// A failure log as plain records, whatever file it came from.
struct FailureLog {
  std::string format;     ///< name in the table of formats
  std::int64_t rows = 0;  ///< outages in the file, those of other systems left out
  std::vector<LoggedSystem> systems;
  std::vector<LoggedNode> nodes;
  std::vector<Outage> outages;  ///< in order of time, then of the file; no duplicates
  double from = 0;              ///< the period covered, as stated, else that of the rows
  double to = 0;                ///< also the end of the observation
  /// When failures began to be recorded, where the file says so; nothing: from the start of each
  /// node's service.
  std::optional<double> observed_from;
  bool is_dated = false;  ///< times are seconds since 1970 on the log's own clock
  double resolution = 0;  ///< times are rounded to this many seconds; 0: unknown
  Oddities oddities;
};

/// One row as its reader understood it.
struct FailureRow {
  std::string_view system;
  std::string_view node;  ///< empty: the row names none
  double down = 0;
  double up = 0;
  std::string_view line;  ///< as it stands in the file, to tell exact duplicates
};

/// Collects rows into a log; sorts them, drops duplicates and counts what is odd about them.
class FailureLogBuilder {
 public:
  /// @param system  keep this system's rows; the others only say until when the log was kept
  explicit FailureLogBuilder(std::optional<std::string> system) : wanted_{std::move(system)} {}

  /// True where rows of that system are kept.
  [[nodiscard]] bool wants(std::string_view system) const { return !wanted_ || *wanted_ == system; }
  /// Adds a row; of a system that is not wanted only the times count.
  void add(const FailureRow& row);
  /// The node of that name, made when it is new.
  LoggedNode& node(std::string_view system, std::string_view name);
  LoggedSystem& system(std::string_view name);

  /// The log. @param observed  the period that the file itself states, else that of its rows
  /// Errors (no outage at all, a system that the file does not know) carry an empty place.
  [[nodiscard]] Result<FailureLog> finish(std::string_view format, double resolution, bool is_dated,
                                          std::optional<double> observed_from = {},
                                          std::optional<double> observed_to = {});

 private:
  struct Row {
    Outage outage;
    std::uint64_t line = 0;  ///< a hash of the line
  };

  void count_disorder(const Row& row);
  void count_lengths();
  void count_simultaneous();
  void drop_duplicates();
  void count_overlaps();
  void settle_services();

  std::optional<std::string> wanted_;
  std::vector<std::string> seen_systems_;  ///< also those that are not wanted
  std::unordered_map<std::string, std::uint32_t> system_of_;
  std::unordered_map<std::string, std::uint32_t> node_of_;
  std::vector<double> latest_;  ///< per system: start of the row before
  std::vector<Row> rows_;
  std::int64_t disordered_ = 0;
  std::int64_t reversed_ = 0;
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
  Result<FailureLog> (*read)(LineReader lines, std::optional<std::string> system) = nullptr;
  Result<Oddities> (*write)(const FailureLog& log, const TextSink& sink) = nullptr;
  /// Reads the share in service, where the outages alone do not say how much of the machine was out.
  Result<CapacitySeries> (*read_service)(LineReader lines) = nullptr;

  [[nodiscard]] Result<FailureLog> read_all(LineReader lines,
                                            const RecordsQuestion& question) const {
    return read(std::move(lines), question.system);
  }
};

/// Returns the failures of the nodes named and drawn that begin in the window, as a log that is observed from its start to
/// its end: an outage that goes on at its end has no end. Nodes that the log only counts are drawn like those that it names.
[[nodiscard]] Result<FailureLog> sliced(FailureLog log, const SliceQuestion& question);

}  // namespace holdfast
