#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/traces/failures/failure_log.hpp"
#include "holdfast/traces/failures/log_notes.hpp"
#include "holdfast/traces/text/table_rows.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace holdfast {
namespace {

enum LanlColumn : std::size_t {
  kSystem,
  kNodes,
  kNode,
  kInstalled,
  kInService,
  kRetired,
  kStarted,
  kFixed,
  kDownTime,
  kFacilities,
  kHardware,
  kHumanError,
  kNetwork,
  kUndetermined,
  kSoftware,
  kSameEvent
};
constexpr auto kLanlFields =
    std::to_array<TableField>({{.name = "System"},
                               {.name = "nodes", .is = CellKind::whole},
                               {.name = "nodenumz", .is = CellKind::whole},
                               {.name = "node install"},
                               {.name = "node prod"},
                               {.name = "node decom"},
                               {.name = "Prob Started"},
                               {.name = "Prob Fixed"},
                               {.name = "Down Time", .is = CellKind::whole},
                               {.name = "Facilities"},
                               {.name = "Hardware"},
                               {.name = "Human Error"},
                               {.name = "Network"},
                               {.name = "Undetermined"},
                               {.name = "Software"},
                               {.name = "Same Event"}});
constexpr TableKind kLanlTable = {.records = "outages", .fields = kLanlFields};
constexpr std::string_view kLanlColumns =
    "System,nodes,nodenumz,node install,node prod,node decom,Prob Started,Prob Fixed,Down Time,"
    "Facilities,Hardware,Human Error,Network,Undetermined,Software,Same Event";

struct LanlCounts {
  std::int64_t down_time_differs = 0;
  std::int64_t by_an_hour = 0;
  std::int64_t several_causes = 0;
  std::int64_t no_cause = 0;
  std::int64_t no_node = 0;
  std::int64_t same_event = 0;
  std::int64_t rows = 0;
  std::int64_t mangled_dates = 0;
  std::int64_t unknown_start = 0;
};

class LanlReader {
 public:
  LanlReader(TableRows rows, std::optional<std::string> system)
      : rows_{std::move(rows)}, builder_{std::move(system)} {}

  Result<FailureLog> read() {
    HOLDFAST_TRY(notes, LogNotes::of(rows_.comments()));
    HOLDFAST_CHECK(rows_.each([&] { return read_row(); }));
    auto log = notes.finish(builder_, "lanl", 60, true);
    if (log) tell_oddities(log->oddities);
    return log;
  }

 private:
  [[nodiscard]] std::string_view field(LanlColumn column) const { return rows_.text(column); }

  Result<double> time(LanlColumn column) const {
    const auto date = read_written_date(field(column), DayOrder::month_first);
    if (date && date->instant.resolution == 60) return date->instant.seconds;
    return fail(ErrorCode::bad_value, rows_.place(column),
                fmt::format("found {}, expected a date as month/day/year hour:minute",
                            in_quotes(field(column))));
  }

  /// Returns a number, which may be missing.
  Result<std::optional<std::int64_t>> count(LanlColumn column) const {
    HOLDFAST_TRY(value, rows_.value(column));
    if (!value) return std::optional<std::int64_t>{};
    if (*value >= 0) return std::optional(static_cast<std::int64_t>(*value));
    return fail(ErrorCode::bad_value, rows_.place(column),
                fmt::format("found {}, expected a number of 0 or more", *value));
  }

  Status read_row() {
    HOLDFAST_TRY(down, time(kStarted));
    HOLDFAST_TRY(up, time(kFixed));
    HOLDFAST_TRY(minutes, count(kDownTime));
    HOLDFAST_TRY(nodes, count(kNodes));
    HOLDFAST_TRY(node, count(kNode));
    if (field(kSystem).empty()) {
      return fail(ErrorCode::bad_value, rows_.place(kSystem),
                  "found nothing, expected the number of a system");
    }
    builder_.add({.system = field(kSystem),
                  .node = field(kNode),
                  .down = down,
                  .up = up,
                  .line = rows_.line()});
    if (!builder_.wants(field(kSystem))) return {};
    if (node) describe_node(nodes.value_or(0));
    count_row(up - down, minutes);
    return {};
  }

  void describe_node(std::int64_t nodes_of_system) {
    LoggedNode& node = builder_.node(field(kSystem), field(kNode));
    node.service.start = parse_mangled_month(field(kInService));
    if (const auto retired = parse_mangled_month(field(kRetired))) node.service.end = *retired;
    LoggedSystem& system = builder_.system(field(kSystem));
    system.nodes = std::max(system.nodes, nodes_of_system);
    if (!node.service.start) ++counts_.unknown_start;
    for (const LanlColumn column : {kInstalled, kInService, kRetired}) {
      const std::string_view text = field(column);
      if (!text.empty() && text[0] >= '0' && text[0] <= '9') {
        ++counts_.mangled_dates;
        break;
      }
    }
  }

  void count_row(double length, std::optional<std::int64_t> minutes) {
    ++counts_.rows;
    if (minutes) {
      const double difference = std::abs(60.0 * static_cast<double>(*minutes) - length);
      if (difference != 0) ++counts_.down_time_differs;
      if (difference == 3600) ++counts_.by_an_hour;
    }
    int causes = 0;
    for (const LanlColumn column :
         {kFacilities, kHardware, kHumanError, kNetwork, kUndetermined, kSoftware}) {
      if (!field(column).empty()) ++causes;
    }
    if (causes == 0) ++counts_.no_cause;
    if (causes > 1) ++counts_.several_causes;
    if (field(kNode).empty()) ++counts_.no_node;
    if (field(kSameEvent) != "No") ++counts_.same_event;
  }

  void tell_oddities(Oddities& out) const {
    const LanlCounts& n = counts_;
    out.add("rows whose Down Time is not Prob Fixed minus Prob Started", n.down_time_differs,
            "the two times are used");
    out.add("of these, rows that differ by exactly 60 minutes (daylight saving)", n.by_an_hour,
            "the two times are used: local times, as the clock on the wall showed them");
    out.add("rows without any cause", n.no_cause, "kept: causes are not used");
    out.add("rows with several causes", n.several_causes, "kept: causes are not used");
    out.add("rows without a node number", n.no_node,
            "failures of the system: used with unit system, left out per node");
    if (n.same_event == 0) {
      out.add("rows whose Same Event says No, which is all of them", n.rows,
              "the column is not used; merging goes by time");
    } else {
      out.add("rows whose Same Event does not say No", n.same_event,
              "the column is not used; merging goes by time");
    }
    out.add("rows with a month that a spreadsheet took for a day (5-Apr)", n.mangled_dates,
            "read as month and year (April 2005)");
    out.add("rows of nodes in service before tracking", n.unknown_start,
            "the first life of such a node has no known start and is left out");
  }

  TableRows rows_;
  FailureLogBuilder builder_;
  LanlCounts counts_;
};

/// Reads the failure log of Los Alamos: a row of 26 columns per outage of a node, with local times to the minute and no time
/// zone. `traces/README.md` lists its oddities and how they are treated.
Result<FailureLog> read_lanl(TraceText text, std::optional<std::string> system) {
  HOLDFAST_TRY(rows, TableRows::open_site(std::move(text), kLanlTable, kLanlColumns));
  return LanlReader{std::move(rows), std::move(system)}.read();
}

}  // namespace

FormatOf<FailureLog> lanl_format() {
  return {.facts = {.name = "lanl",
                    .summary = "failure log of Los Alamos, LA-UR-05-7318 (CSV, 26 columns)",
                    .columns = "nodenumz,Prob Started"},
          .read = read_lanl};
}

}  // namespace holdfast
