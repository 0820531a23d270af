#include "holdfast/traces/failures/plain_failures.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/failures/log_notes.hpp"
#include "holdfast/traces/text/csv.hpp"
#include "holdfast/traces/text/table_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace holdfast {
namespace {

struct OutageAt {
  enum : std::size_t { node, down, up, length, system, in_service, observed_from, out_of_service };
};
constexpr auto kOutageFields = std::to_array<TableField>({
    {.name = "node",
     .synonyms =
         "host hostname nodename server machine nodeid computer instance device knoten rechner "
         "serveur noeud nœud nodo servidor equipo serial "
         "serialnumber gpu labelsinstance",
     .need = 1},
    {.name = "down",
     .is = CellKind::time,
     .synonyms =
         "failed failedat failure failuretime failuretimestamp startsat failtime downat start "
         "starttime "
         "timestart started startedat begin outagestart eventtime timedown from time "
         "timestamp datetime date opened openedat reported reportedat created createdat datum "
         "ausfall ausfallbeginn ausgefallen beginn von zeitpunkt début debut débutdepanne "
         "panne inicio fecha caída",
     .need = 2},
    {.name = "up",
     .is = CellKind::time,
     .synonyms =
         "repaired repairedat repair repairtime upat uptime end endtime timeend ended "
         "endedat finish outageend resolved resolvedat restored recovered fixed timeup "
         "backat backup closed closedat "
         "until to back endsat wiederherstellung wiederda behoben repariert ende ausfallende bis "
         "finpanne findepanne fin retour"},
    {.name = "length",
     .is = CellKind::duration,
     .synonyms = "duration outage downfor downtime outageduration outagelength timetorepair "
                 "repairtime ttr dauer ausfalldauer durée duración hours minutes"},
    {.name = "system", .synonyms = "cluster clustername"},
    {.name = "in_service",
     .is = CellKind::time,
     .synonyms = "installed installedat inservicesince commissioned"},
    {.name = "observed_from",
     .is = CellKind::time,
     .synonyms = "observedsince watchedfrom watchedsince"},
    {.name = "out_of_service",
     .is = CellKind::time,
     .synonyms = "retired retiredat decommissioned observeduntil watcheduntil"},
});
constexpr TableKind kFailureTable = {
    .records = "outages",
    .fields = kOutageFields,
    .strangers = "job jobid submit submittime user processors procs cores ncpus value power state",
};

class PlainReader {
 public:
  PlainReader(TableRows rows, std::optional<std::string> system)
      : rows_{std::move(rows)}, builder_{std::move(system)} {}

  Result<FailureLog> read() {
    HOLDFAST_TRY(notes, LogNotes::of(rows_.comments()));
    preamble_ = notes;
    for (const auto& stated : {preamble_.from, preamble_.to, preamble_.in_service}) {
      if (stated) HOLDFAST_CHECK(rows_.take_time(*stated, "comment lines"));
    }
    for (;;) {
      HOLDFAST_TRY(more, rows_.next());
      if (!more) break;
      HOLDFAST_CHECK(read_row());
    }
    return finish();
  }

 private:
  Status read_row() {
    const std::string_view node = rows_.text(OutageAt::node);
    if (node.empty()) {
      return fail(ErrorCode::bad_value, rows_.place(OutageAt::node),
                  "found nothing, expected a node's name");
    }
    HOLDFAST_TRY(down, rows_.time(OutageAt::down));
    HOLDFAST_TRY(end, end_of(down));
    const std::string_view system = rows_.text(OutageAt::system);
    if (builder_.wants(system)) {
      HOLDFAST_CHECK(read_service(down, builder_.node(system, node).service));
    }
    if (!down) return {};
    HOLDFAST_CHECK(check_observed(down->seconds, OutageAt::down));
    if (end) HOLDFAST_CHECK(check_observed(*end, end_field()));
    builder_.add({.system = system,
                  .node = node,
                  .down = down->seconds,
                  .up = end.value_or(std::numeric_limits<double>::infinity()),
                  .line = rows_.line()});
    return {};
  }

  /// Reads the window of observation of a node, in which its failures must be.
  Status read_service(const std::optional<Instant>& down, Service& service) {
    HOLDFAST_TRY(start, rows_.time(OutageAt::in_service));
    HOLDFAST_TRY(first, rows_.time(OutageAt::observed_from));
    HOLDFAST_TRY(last, rows_.time(OutageAt::out_of_service));
    if (start) service.start = start->seconds;
    if (first) service.observed_from = first->seconds;
    if (last) service.end = last->seconds;
    earliest_ = std::min(earliest_, first ? first->seconds : earliest_);
    latest_ = std::max(latest_, last ? last->seconds : latest_);
    const auto refuse = [this](std::size_t field, std::string_view expected) {
      return fail(
          ErrorCode::bad_value, rows_.place(field),
          fmt::format("found {}, expected a time {}", in_quotes(rows_.text(field)), expected));
    };
    if (first && first->seconds >= service.end)
      return refuse(OutageAt::observed_from, "before the node is out of service");
    if (down && down->seconds > service.end)
      return refuse(OutageAt::down, "before the node is out of service");
    if (down && down->seconds < service.observed_from)
      return refuse(OutageAt::down, "from which on the node is observed");
    return {};
  }

  /// Returns the end of the outage, as it is stated or as its length says; nothing if the row says neither.
  Result<std::optional<double>> end_of(const std::optional<Instant>& down) {
    HOLDFAST_TRY(up, rows_.time(OutageAt::up));
    if (up && down && is_no_end(*up)) {
      ++no_ends_;
      return std::optional<double>{};
    }
    if (up && !down) {
      return fail(ErrorCode::bad_value, rows_.place(OutageAt::down),
                  "found nothing, expected a time because the row has one under 'up'");
    }
    if (up && rows_.has(OutageAt::length)) {
      constexpr double kMostApart = 60;
      HOLDFAST_TRY(stated, rows_.value(OutageAt::length));
      if (stated && std::abs(up->seconds - down->seconds - *stated) > kMostApart) ++other_lengths_;
    }
    if (up) return std::optional(up->seconds);
    const bool has_ends = rows_.has(OutageAt::up) || rows_.has(OutageAt::length);
    if (!has_ends && down) return std::optional(down->seconds);  // their length is unknown
    HOLDFAST_TRY(length, rows_.value(OutageAt::length));
    if (!length || !down) return std::optional<double>{};
    return std::optional(down->seconds + *length);
  }

  /// Returns true for dates that databases write where an outage has not ended: of 1970, or of the year 9999.
  static bool is_no_end(const Instant& up) {
    constexpr double kYear9999 = 253370764800.0;
    return up.is_date && (up.seconds == 0 || up.seconds >= kYear9999);
  }

  Status check_observed(double time, std::size_t field) const {
    const bool is_inside = (!preamble_.from || time >= preamble_.from->seconds) &&
                           (!preamble_.to || time <= preamble_.to->seconds);
    if (is_inside) return {};
    return fail(
        ErrorCode::bad_value, rows_.place(field),
        fmt::format("found {}, expected a time in the period that the file says was observed",
                    rows_.text(field)));
  }

  /// Returns the field that says when an outage ended.
  [[nodiscard]] std::size_t end_field() const {
    return rows_.has(OutageAt::up)       ? OutageAt::up
           : rows_.has(OutageAt::length) ? OutageAt::length
                                         : OutageAt::down;
  }

  Result<FailureLog> finish() {
    HOLDFAST_TRY(log,
                 preamble_.finish(builder_, "failures-csv", rows_.resolution(), rows_.is_dated()));
    if (!preamble_.from) log.from = std::min(log.from, earliest_);
    if (!preamble_.to) log.to = std::max(log.to, latest_);
    const std::vector<std::string> unused = rows_.reading().unused();
    log.oddities.add("columns of other names: " + join(unused, ", "),
                     static_cast<std::int64_t>(unused.size()), "not used");
    log.oddities.add("ends in 1970 or in the year 9999", no_ends_, "those outages have not ended");
    log.oddities.add("lengths that differ from up minus down by more than a minute", other_lengths_,
                     "the times are used");
    rows_.tell(log.oddities);
    return log;
  }

  TableRows rows_;
  FailureLogBuilder builder_;
  LogNotes preamble_;
  std::int64_t other_lengths_ = 0, no_ends_ = 0;
  double earliest_ = std::numeric_limits<double>::infinity();  ///< start of a node's observation
  double latest_ = -std::numeric_limits<double>::infinity();   ///< end of a node's service
};

/// The columns of a node's window, and their values.
struct WindowColumn {
  std::string_view name;
  std::optional<double> (*of)(const Service&);
};
std::optional<double> finite(double time) {
  return std::isfinite(time) ? std::optional(time) : std::nullopt;
}
constexpr auto kWindow = std::to_array<WindowColumn>(
    {{"in_service", [](const Service& service) { return service.start; }},
     {"observed_from", [](const Service& service) { return finite(service.observed_from); }},
     {"out_of_service", [](const Service& service) { return finite(service.end); }}});

class PlainWriter {
 public:
  explicit PlainWriter(const FailureLog& log)
      : log_{log},
        names_systems_{std::any_of(log.systems.begin(), log.systems.end(),
                                   [](const LoggedSystem& s) { return !s.name.empty(); })} {
    for (const WindowColumn& column : kWindow) {
      const auto knows = [&](const LoggedNode& node) {
        return column.of(node.service).has_value();
      };
      if (std::ranges::any_of(log.nodes, knows)) window_.push_back(column);
    }
  }

  std::string write(std::span<const std::string> notes) {
    for (const std::string& note : notes) out_ += fmt::format("# {}\n", note);
    const double from = log_.observed_from.value_or(earliest_service());
    out_ += fmt::format("# observed: {} to {}\n", time(from), time(log_.to));
    if (log_.systems.size() == 1 && log_.systems[0].nodes > 0) {
      out_ += fmt::format("# nodes: {}\n", log_.systems[0].nodes);
      if (const auto start = log_.systems[0].service.start) {
        out_ += fmt::format("# in service: {}\n", time(*start));
      }
    }
    if (!log_.is_dated)
      out_ += note_of_times(std::max({std::abs(from), std::abs(log_.to), latest_end()}));
    out_ += names_systems_ ? "system,node,down,up" : "node,down,up";
    for (const WindowColumn& column : window_) out_ += fmt::format(",{}", column.name);
    out_ += '\n';
    std::vector<bool> has_failed(log_.nodes.size());
    for (const Outage& outage : log_.outages) {
      if (outage.node == Outage::kNoNode) continue;
      has_failed[outage.node] = true;
      row(outage.node, time(outage.down), std::isinf(outage.up) ? std::string{} : time(outage.up));
    }
    for (std::uint32_t node = 0; node < log_.nodes.size(); ++node) {
      if (!has_failed[node]) row(node, {}, {});
    }
    return std::move(out_);
  }

 private:
  /// Returns a start of the observation that truncates no lifetime.
  [[nodiscard]] double earliest_service() const {
    double out = log_.from;
    for (const LoggedNode& node : log_.nodes) out = std::min(out, node.service.start.value_or(out));
    return out;
  }
  /// Returns the latest finite time of an outage.
  [[nodiscard]] double latest_end() const {
    double out = 0;
    for (const Outage& outage : log_.outages) {
      out = std::max(out, std::isfinite(outage.up) ? outage.up : outage.down);
    }
    return out;
  }
  [[nodiscard]] std::string time(double seconds) const {
    return log_.is_dated ? format_date(seconds) : to_text(seconds);
  }
  void row(std::uint32_t index, const std::string& down, const std::string& up) {
    const LoggedNode& node = log_.nodes[index];
    if (names_systems_) out_ += csv_field(log_.systems[node.system].name) + ',';
    out_ += fmt::format("{},{},{}", csv_field(node.name), down, up);
    for (const WindowColumn& column : window_) {
      out_ += ',';
      if (const auto known = column.of(node.service)) out_ += time(*known);
    }
    out_ += '\n';
  }

  const FailureLog& log_;
  bool names_systems_;
  std::vector<WindowColumn> window_;  ///< of those that are known of a node
  std::string out_;
};

}  // namespace

Result<FailureLog> read_plain_failures(TraceText text, std::optional<std::string> system) {
  HOLDFAST_TRY(rows, TableRows::open(std::move(text), kFailureTable));
  return PlainReader{std::move(rows), std::move(system)}.read();
}

std::string write_plain_failures(const FailureLog& log, std::span<const std::string> notes) {
  return PlainWriter{log}.write(notes);
}

Result<Oddities> write_plain_failures(const FailureLog& log, const TextSink& sink) {
  HOLDFAST_CHECK(sink(write_plain_failures(log)));
  Oddities lost;
  const auto nameless = std::ranges::count(log.outages, Outage::kNoNode, &Outage::node);
  lost.add("outages that name no node", nameless, "left out");
  const bool has_sizes =
      std::ranges::any_of(log.systems, [](const LoggedSystem& s) { return s.nodes > 0; });
  if (has_sizes && log.systems.size() > 1) {
    std::int64_t unnamed = 0;
    for (const LoggedSystem& system : log.systems) {
      unnamed += std::max<std::int64_t>(0, system.nodes - system.nodes_with_rows);
    }
    lost.add("nodes that never failed, of several systems", unnamed,
             "left out: the table has a name for each node");
  }
  return lost;
}

FormatOf<FailureLog> failures_csv_format() {
  return {.facts = {.name = "failures-csv",
                    .summary = "failure log with columns node, down, up",
                    .columns = "node,down,up",
                    .table = &kFailureTable},
          .read = read_plain_failures,
          .write = write_plain_failures};
}

}  // namespace holdfast
