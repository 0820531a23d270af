#include "holdfast/answers/trace/source.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/failures/log_notes.hpp"
#include "holdfast/traces/failures/node_list.hpp"

#include <fmt/format.h>

#include <utility>

namespace holdfast {
namespace {

std::string names_of_formats(bool (*is_taken)(const Format&)) {
  std::vector<std::string_view> names;
  for (const Format& format : formats()) {
    if (is_taken(format)) names.push_back(format.name);
  }
  return join(names, ", ");
}

}  // namespace

Result<OpenTrace> TraceSource::open(const TraceRequest& request) const {
  auto trace = file == "-" && request.input ? open_trace(request.input(), "standard input", format)
                                            : open_trace(file, format);
  if (!trace && trace.error().where == "format") {
    return fail(as_option_error(std::move(trace).error()));
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

Result<FailureLog> TraceSource::read_log(const FormatOf<FailureLog>& of, LineReader lines) const {
  auto log = of.read(std::move(lines), system);
  if (log) {
    HOLDFAST_CHECK(complete(*log));
    return log;
  }
  Error error = std::move(log).error();
  if (error.code == ErrorCode::unknown_name) {
    return fail(ErrorCode::usage, "--system", error.message);
  }
  return fail(placed(std::move(error)));
}

Error TraceSource::placed(Error error) const {
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
                              const TraceRequest& request) {
  HOLDFAST_TRY(question, series.question());
  HOLDFAST_TRY(trace, source.open(request));
  const Format* format = trace.format;
  auto records =
      read_records(std::move(trace), {.system = source.system, .series = std::move(question)});
  if (records) {
    if (auto* log = std::get_if<FailureLog>(&*records)) HOLDFAST_CHECK(source.complete(*log));
    for (const Oddity& oddity : oddities_in(*records).list()) {
      if (request.detail) request.detail(in_one_line(oddity));
    }
    return WholeTrace{.records = std::move(*records), .format = format};
  }
  Error error = std::move(records).error();
  if (error.where == "column") return fail(ErrorCode::usage, "--column", error.message);
  if (error.where == "unit") return fail(ErrorCode::usage, "--time-unit", error.message);
  if (error.code == ErrorCode::unknown_name) {
    return fail(ErrorCode::usage, "--system", error.message);
  }
  return fail(source.placed(std::move(error)));
}

std::string in_one_line(const Oddity& oddity) {
  return fmt::format("{} ({}): {}", oddity.what, oddity.count, oddity.action);
}

Error as_option_error(Error error) {
  error.code = ErrorCode::usage;
  error.where = "--" + error.where.substr(error.where.starts_with('/') ? 1 : 0);
  return error;
}

std::string readable_names() {
  return names_of_formats([](const Format&) { return true; });
}

std::string writable_names() {
  return names_of_formats(is_writable);
}

}  // namespace holdfast
