#include "holdfast/traces/failures/plain_failures.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/failures/log_notes.hpp"
#include "holdfast/traces/text/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace holdfast {
namespace {

constexpr auto kRequired = std::to_array<std::string_view>({"node", "down"});
constexpr auto kOptional = std::to_array<std::string_view>({"up", "system", "in_service"});

class PlainReader {
 public:
  PlainReader(CsvReader rows, std::optional<std::string> system)
      : rows_{std::move(rows)}, builder_{std::move(system)} {}

  Result<FailureLog> read() {
    for (const std::string& comment : rows_.comments()) {
      HOLDFAST_CHECK(preamble_.read(comment));
    }
    for (const auto& stated : {preamble_.from, preamble_.to, preamble_.in_service}) {
      if (stated) HOLDFAST_CHECK(check_kind(*stated, "comment lines"));
    }
    HOLDFAST_TRY(columns, rows_.columns(kRequired));
    columns_ = std::move(columns);
    up_ = rows_.column("up");
    system_ = rows_.column("system");
    in_service_ = rows_.column("in_service");
    for (;;) {
      HOLDFAST_TRY(more, rows_.next());
      if (!more) break;
      HOLDFAST_CHECK(read_row());
    }
    return finish();
  }

 private:
  /// Returns the time in a column; nothing if the cell is empty.
  Result<std::optional<double>> time(std::size_t column) {
    if (trim(rows_[column]).empty()) return std::optional<double>{};
    auto instant = parse_instant(rows_[column]);
    if (!instant) return fail(in_file(rows_.place(column), std::move(instant).error()));
    HOLDFAST_CHECK(check_kind(*instant, rows_.place(column)));
    return std::optional<double>{instant->seconds};
  }

  /// Checks that a file does not contain both numbers and dates.
  Status check_kind(const Instant& instant, std::string_view place) {
    if (is_dated_ && *is_dated_ != instant.is_date) {
      return fail(ErrorCode::bad_value, std::string(place),
                  instant.is_date ? "found a date, expected seconds as in the rows before"
                                  : "found a number, expected a date as in the rows before");
    }
    is_dated_ = instant.is_date;
    // The finest resolution in a file is that of all its times, even if some entries are coarser.
    if (instant.is_date) resolution_ = std::min(resolution_, instant.resolution);
    return {};
  }

  Status read_row() {
    const std::string_view node = trim(rows_[columns_[0]]);
    if (node.empty()) {
      return fail(ErrorCode::bad_value, rows_.place(columns_[0]),
                  "found nothing, expected a node's name");
    }
    HOLDFAST_TRY(down, time(columns_[1]));
    auto up = down;  // without such a column their length is unknown
    if (up_) {
      HOLDFAST_TRY(known, time(*up_));
      up = known;
    }
    if (up && !down) {
      return fail(ErrorCode::bad_value, rows_.place(columns_[1]),
                  "found nothing, expected a time because the row has one under 'up'");
    }
    const std::string_view system = system_ ? trim(rows_[*system_]) : std::string_view{};
    if (builder_.wants(system)) {
      LoggedNode& known = builder_.node(system, node);
      if (in_service_) {
        HOLDFAST_TRY(start, time(*in_service_));
        if (start) known.service.start = start;
      }
    }
    if (!down) return {};
    HOLDFAST_CHECK(check_observed(*down, columns_[1]));
    if (up) HOLDFAST_CHECK(check_observed(*up, up_.value_or(columns_[1])));
    builder_.add({.system = system,
                  .node = node,
                  .down = *down,
                  .up = up.value_or(std::numeric_limits<double>::infinity()),
                  .line = rows_.line()});
    return {};
  }

  Status check_observed(double time, std::size_t column) const {
    const bool is_inside = (!preamble_.from || time >= preamble_.from->seconds) &&
                           (!preamble_.to || time <= preamble_.to->seconds);
    if (is_inside) return {};
    return fail(
        ErrorCode::bad_value, rows_.place(column),
        fmt::format("found {}, expected a time in the period that the file says was observed",
                    rows_[column]));
  }

  Result<FailureLog> finish() {
    const bool is_dated = is_dated_.value_or(false);
    HOLDFAST_TRY(log,
                 preamble_.finish(builder_, "failures-csv", is_dated ? resolution_ : 0, is_dated));
    tell_unused_columns(log.oddities);
    return log;
  }

  void tell_unused_columns(Oddities& out) const {
    std::vector<std::string> unused;
    for (const std::string& name : rows_.header()) {
      const bool is_known =
          std::find(kRequired.begin(), kRequired.end(), name) != kRequired.end() ||
          std::find(kOptional.begin(), kOptional.end(), name) != kOptional.end();
      if (!is_known) unused.push_back(name);
    }
    out.add("columns of other names: " + join(unused, ", "),
            static_cast<std::int64_t>(unused.size()), "not used");
  }

  CsvReader rows_;
  FailureLogBuilder builder_;
  LogNotes preamble_;
  std::vector<std::size_t> columns_;
  std::optional<std::size_t> up_;
  std::optional<std::size_t> system_;
  std::optional<std::size_t> in_service_;
  std::optional<bool> is_dated_;
  double resolution_ = 86400;
};

class PlainWriter {
 public:
  explicit PlainWriter(const FailureLog& log)
      : log_{log},
        names_systems_{std::any_of(log.systems.begin(), log.systems.end(),
                                   [](const LoggedSystem& s) { return !s.name.empty(); })},
        knows_starts_{std::any_of(log.nodes.begin(), log.nodes.end(), [](const LoggedNode& n) {
          return n.service.start.has_value();
        })} {}

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
    out_ += names_systems_ ? "system,node,down,up" : "node,down,up";
    out_ += knows_starts_ ? ",in_service\n" : "\n";
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
  [[nodiscard]] std::string time(double seconds) const {
    return log_.is_dated ? format_date(seconds) : to_text(seconds);
  }
  void row(std::uint32_t index, const std::string& down, const std::string& up) {
    const LoggedNode& node = log_.nodes[index];
    if (names_systems_) out_ += csv_field(log_.systems[node.system].name) + ',';
    out_ += fmt::format("{},{},{}", csv_field(node.name), down, up);
    if (knows_starts_) {
      out_ += ',';
      if (node.service.start) out_ += time(*node.service.start);
    }
    out_ += '\n';
  }

  const FailureLog& log_;
  bool names_systems_;
  bool knows_starts_;
  std::string out_;
};

}  // namespace

Result<FailureLog> read_plain_failures(LineReader lines, std::optional<std::string> system) {
  HOLDFAST_TRY(rows, CsvReader::open(std::move(lines), {.comments = true}));
  return PlainReader{std::move(rows), std::move(system)}.read();
}

bool looks_like_plain_failures(std::string_view head) {
  return csv_header_has(head, kRequired);
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
  const auto retired = std::ranges::count_if(
      log.nodes, [&](const LoggedNode& node) { return node.service.end < log.to; });
  lost.add("nodes out of service before the end of the log", retired,
           "not written: their last lives seem to go on");
  return lost;
}

FormatOf<FailureLog> failures_csv_format() {
  return {.facts = {.name = "failures-csv",
                    .summary = "failure log with columns node, down, up",
                    .recognise = looks_like_plain_failures},
          .read = read_plain_failures,
          .write = write_plain_failures};
}

}  // namespace holdfast
