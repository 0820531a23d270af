#include "holdfast/trace_read.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/console.hpp"
#include "holdfast/trace_output.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <utility>

namespace holdfast::cli {

SeriesOptions::SeriesOptions(CLI::App& command) {
  command
      .add_option("--column", column_,
                  "of a series of capacity with several columns: one, A+B for their sum, * for all")
      ->type_name("NAME")
      ->group("Options");
  command
      .add_option("--time-unit", time_unit_,
                  "of a series of capacity that does not say its unit of time: 1s, 1h, 1ms")
      ->type_name("DURATION")
      ->group("Options");
}

Result<SeriesQuestion> SeriesOptions::read() const {
  SeriesQuestion out{.column = column_, .time_unit = {}};
  if (time_unit_.empty()) return out;
  const auto unit = parse_quantity(time_unit_, Unit::seconds);
  if (!unit || !(*unit > 0)) {
    return fail(
        ErrorCode::usage, "--time-unit",
        fmt::format("found {}, expected a duration such as 1s, 1h or 1ms", in_quotes(time_unit_)));
  }
  out.time_unit = *unit;
  return out;
}

Result<TraceRecords> read_trace(const TraceFileOption& file, const SeriesOptions& series,
                                Console& console, const Format*& format) {
  HOLDFAST_TRY(question, series.read());
  HOLDFAST_TRY(trace, file.open(console));
  format = trace.format;
  auto records =
      read_records(std::move(trace), {.system = file.system(), .series = std::move(question)});
  if (records) {
    detail_oddities(*records, console);
    return records;
  }
  Error error = std::move(records).error();
  if (error.where == "column") return fail(ErrorCode::usage, "--column", error.message);
  if (error.where == "unit") return fail(ErrorCode::usage, "--time-unit", error.message);
  if (error.code == ErrorCode::unknown_name) {
    return fail(ErrorCode::usage, "--system", error.message);
  }
  if (error.where.find(file.file()) == std::string::npos) {
    return fail(in_file(file.file(), std::move(error)));
  }
  return fail(std::move(error));
}

}  // namespace holdfast::cli
