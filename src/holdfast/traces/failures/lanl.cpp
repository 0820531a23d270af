#include "holdfast/traces/failures/lanl.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/text/csv.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace holdfast {
namespace {

enum Column : std::size_t {
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
constexpr auto kLanlColumns = std::to_array<std::string_view>(
    {"System", "nodes", "nodenumz", "node install", "node prod", "node decom", "Prob Started",
     "Prob Fixed", "Down Time", "Facilities", "Hardware", "Human Error", "Network", "Undetermined",
     "Software", "Same Event"});

struct Counts {
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
  LanlReader(CsvReader rows, std::vector<std::size_t> columns, std::optional<std::string> system)
      : rows_{std::move(rows)}, columns_{std::move(columns)}, builder_{std::move(system)} {}

  Result<FailureLog> read() {
    for (;;) {
      HOLDFAST_TRY(more, rows_.next());
      if (!more) break;
      HOLDFAST_CHECK(read_row());
    }
    auto log = builder_.finish("lanl", 60, true);
    if (log) tell_oddities(log->oddities);
    return log;
  }

 private:
  [[nodiscard]] std::string_view field(Column column) const {
    return trim(rows_[columns_[column]]);
  }
  [[nodiscard]] std::string place(Column column) const { return rows_.place(columns_[column]); }

  Result<double> time(Column column) const {
    const auto date = read_written_date(field(column), DayOrder::month_first);
    if (date && date->instant.resolution == 60) return date->instant.seconds;
    return fail(ErrorCode::bad_value, place(column),
                fmt::format("found {}, expected a date as month/day/year hour:minute",
                            in_quotes(field(column))));
  }

  /// Returns a number, which may be missing.
  Result<std::optional<std::int64_t>> count(Column column) const {
    if (field(column).empty()) return std::optional<std::int64_t>{};
    auto value = parse_integer(field(column));
    if (!value) return fail(in_file(place(column), std::move(value).error()));
    if (*value < 0) {
      return fail(ErrorCode::bad_value, place(column),
                  fmt::format("found {}, expected a number of 0 or more", *value));
    }
    return std::optional<std::int64_t>{*value};
  }

  Status read_row() {
    HOLDFAST_TRY(down, time(kStarted));
    HOLDFAST_TRY(up, time(kFixed));
    HOLDFAST_TRY(minutes, count(kDownTime));
    HOLDFAST_TRY(nodes, count(kNodes));
    HOLDFAST_TRY(node, count(kNode));
    if (field(kSystem).empty()) {
      return fail(ErrorCode::bad_value, place(kSystem),
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
    for (const Column column : {kInstalled, kInService, kRetired}) {
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
    for (const Column column :
         {kFacilities, kHardware, kHumanError, kNetwork, kUndetermined, kSoftware}) {
      if (!field(column).empty()) ++causes;
    }
    if (causes == 0) ++counts_.no_cause;
    if (causes > 1) ++counts_.several_causes;
    if (field(kNode).empty()) ++counts_.no_node;
    if (field(kSameEvent) != "No") ++counts_.same_event;
  }

  void tell_oddities(Oddities& out) const {
    const Counts& n = counts_;
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

  CsvReader rows_;
  std::vector<std::size_t> columns_;
  FailureLogBuilder builder_;
  Counts counts_;
};

}  // namespace

Result<FailureLog> read_lanl(LineReader lines, std::optional<std::string> system) {
  HOLDFAST_TRY(rows, CsvReader::open(std::move(lines)));
  HOLDFAST_TRY(columns, rows.columns(kLanlColumns));
  return LanlReader{std::move(rows), std::move(columns), std::move(system)}.read();
}

bool looks_like_lanl(std::string_view head) {
  const std::string_view first = head.substr(0, head.find('\n'));
  return first.find("nodenumz") != std::string_view::npos &&
         first.find("Prob Started") != std::string_view::npos;
}

FormatOf<FailureLog> lanl_format() {
  return {.facts = {.name = "lanl",
                    .summary = "failure log of Los Alamos, LA-UR-05-7318 (CSV, 26 columns)",
                    .recognise = looks_like_lanl},
          .read = read_lanl};
}

}  // namespace holdfast
