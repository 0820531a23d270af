#include "holdfast/answers/trace/source.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/failure_causes.hpp"
#include "holdfast/traces/failures/log_notes.hpp"
#include "holdfast/traces/failures/node_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace holdfast {
namespace {

/// The fields of a question to which an error of opening can belong.
constexpr auto kQuestionFields = std::to_array<std::string_view>(
    {"read_as", "columns", "column_unit", "where", "cause", "dates", "header"});

}  // namespace

Result<OpenTrace> TraceSource::open(const Request& request) const {
  const ReadAs as(read_as, asked_table());
  auto trace = file == "-" && request.input ? open_trace(request.input(), "standard input", as)
                                            : open_trace(file, as);
  if (!trace) return fail(placed(std::move(trace).error()));
  const bool takes_table = trace->reading() != nullptr || trace->format->takes_columns;
  if (!takes_table && !asked_table().is_empty()) {
    return fail(ErrorCode::usage, option_name(table_options().front().first),
                fmt::format("is of no use for {}: {}", file, trace->format->summary));
  }
  if (trace && system && trace->format->as<FailureLog>() == nullptr) {
    return fail(ErrorCode::usage, "--system",
                fmt::format("found {}, expected none: format {} has no systems", in_quotes(*system),
                            trace->format->name));
  }
  for (const auto& [option, text] : {std::pair("--nodes", &nodes), {"--observed", &observed}}) {
    if (!trace || text->empty() || trace->format->as<FailureLog>() != nullptr) continue;
    return fail(ErrorCode::usage, option,
                fmt::format("found {}, expected none: format {} is no log of failures",
                            in_quotes(*text), trace->format->name));
  }
  return trace;
}

TableQuestion TraceSource::asked_table() const {
  TableQuestion out = table;
  if (!cause.empty()) out.where = with_cause(table.where, cause);
  return out;
}

Status TraceSource::complete(FailureLog& log) const {
  if (!nodes.empty()) {
    auto counted = count_given_nodes(log, std::filesystem::path(nodes));
    if (!counted && counted.error().where.empty())
      return fail(ErrorCode::usage, "--nodes", counted.error().message);
    if (!counted) return counted;
  }
  if (observed.empty()) return {};
  const auto period = parse_period(observed);
  const Status set = period ? set_observed(log, *period) : fail(period.error());
  return set ? Status{} : fail(ErrorCode::usage, "--observed", set.error().message);
}

Result<FailureLog> TraceSource::read_log(const FormatOf<FailureLog>& of, TraceText lines) const {
  auto log = of.read(std::move(lines), system);
  if (log) {
    HOLDFAST_CHECK(complete(*log));
    return log;
  }
  Error error = std::move(log).error();
  if (error.code == ErrorCode::unknown_name) {
    return fail(ErrorCode::usage, "--system", error.message);
  }
  return fail(placed(without_cause(std::move(error), cause)));
}

std::vector<std::pair<std::string, std::string>> TraceSource::table_options() const {
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& [name, text] : {std::pair{"columns", &table.columns},
                                   {"column_unit", &table.column_unit},
                                   {"where", &table.where},
                                   {"cause", &cause},
                                   {"dates", &table.dates},
                                   {"header", &table.header}}) {
    if (!text->empty()) out.emplace_back(name, *text);
  }
  return out;
}

Error TraceSource::placed(Error error) const {
  if (!error.remedy.field.empty() && !error.remedy.field.starts_with("--")) {
    error.remedy.field = option_name(error.remedy.field);
  }
  if (error.where == "format") error.where = "read_as";
  if (error.where == "where" && !cause.empty()) error.where = "cause";
  if (std::ranges::find(kQuestionFields, error.where) != kQuestionFields.end()) {
    error.code = ErrorCode::usage;
    error.where = option_name(error.where);
    return error;
  }
  return error.where.find(file) == std::string::npos ? in_file(file, std::move(error)) : error;
}

Result<SeriesQuestion> SeriesOptions::question() const {
  SeriesQuestion out{.column = column, .time_unit = {}};
  if (time_unit.empty()) return out;
  const auto unit = parse_quantity(time_unit, Unit::seconds);
  if (!unit || !(*unit > 0)) {
    return fail(
        ErrorCode::usage, "--time-unit",
        fmt::format("found {}, expected a duration such as 1s, 1h or 1ms", in_quotes(time_unit)));
  }
  out.time_unit = *unit;
  return out;
}

Result<LifetimeQuery> LifetimeOptions::query() const {
  Value document = Value::object();
  for (const auto& [name, text] : options()) {
    if (!text->empty()) document.set(name, *text);
  }
  ObjectReader read(document, "");
  const LifetimeQuery query = read_lifetime_query(read);
  if (auto status = read.finish(); !status) return fail(as_option_error(std::move(status).error()));
  return query;
}

std::array<std::pair<const char*, const std::string*>, 5> LifetimeOptions::options() const {
  return {{{"merge", &merge}, {"since", &since}, {"unit", &unit}, {"from", &from}, {"to", &to}}};
}

Result<WholeTrace> read_trace(const TraceSource& source, const SeriesOptions& series,
                              const Request& request) {
  HOLDFAST_TRY(question, series.question());
  HOLDFAST_TRY(trace, source.open(request));
  const Format* format = trace.format;
  std::string note;
  if (trace.reading() != nullptr && !trace.reading()->is_plain()) {
    note = fmt::format("{}: read as {}", source.file, trace.reading()->head_line());
  }
  auto records =
      read_records(std::move(trace), {.system = source.system, .series = std::move(question)});
  if (records) {
    if (auto* log = std::get_if<FailureLog>(&*records)) HOLDFAST_CHECK(source.complete(*log));
    for (const Oddity& oddity : oddities_in(*records).list()) {
      if (request.voice.detail) request.voice.detail(in_one_line(oddity));
    }
    return WholeTrace{.records = std::move(*records), .format = format, .note = std::move(note)};
  }
  Error error = std::move(records).error();
  if (error.where == "column") return fail(ErrorCode::usage, "--column", error.message);
  if (error.where == "unit") return fail(ErrorCode::usage, "--time-unit", error.message);
  if (error.code == ErrorCode::unknown_name) {
    return fail(ErrorCode::usage, "--system", error.message);
  }
  return fail(source.placed(std::move(error)));
}

void say_reading(const std::string& file, const TableReading* reading, Answer& answer) {
  if (reading == nullptr || reading->is_plain()) return;
  answer.headline = fmt::format("{}: {}", file, reading->head_line());
  answer.document.set("read_as", reading->document());
}

std::string in_one_line(const Oddity& oddity) {
  return fmt::format("{} ({}): {}", oddity.what, oddity.count, oddity.action);
}

Error as_option_error(Error error) {
  error.code = ErrorCode::usage;
  error.where = "--" + error.where.substr(error.where.starts_with('/') ? 1 : 0);
  return error;
}

std::string kind_names() {
  std::vector<std::string_view> names;
  for (const Format& format : formats()) {
    if (std::ranges::find(names, format.kind()) == names.end()) names.push_back(format.kind());
  }
  return join(names, ", ");
}

std::string writable_names() {
  std::vector<std::string_view> names;
  for (const Format& format : formats()) {
    if (is_writable(format)) names.push_back(format.name);
  }
  return join(names, ", ");
}

}  // namespace holdfast
