#include "holdfast/answers/trace/make.hpp"
#include "holdfast/contract/verb_options.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace holdfast {
namespace {

/// The options of `holdfast trace convert`.
struct ConvertOptions {
  TraceSource source;
  SeriesOptions series;
  std::string to;
};

const Fields<ConvertOptions>& convert_options() {
  static const std::string kTo =
      fmt::format("format to write: csv (the plain table of its kind), {}", writable_names());
  static const auto kRows =
      joined(source_and_series_rows<ConvertOptions>(),
             std::to_array<Field<ConvertOptions>>({{.name = "to",
                                                    .summary = kTo,
                                                    .member = member<&ConvertOptions::to>,
                                                    .is_required = true,
                                                    .value_name = "NAME"}}));
  static const Fields<ConvertOptions> kFields(kRows);
  return kFields;
}

Result<Answer> convert(const ConvertOptions& options, const Request& request) {
  HOLDFAST_TRY(trace, read_trace(options.source, options.series, request));
  auto format = writable_format(options.to, trace.records);
  if (!format) return fail(ErrorCode::usage, "--to", format.error().message);
  Answer out;
  auto made = make_trace(options.source, std::move(trace.records), **format);
  if (!made) {
    const bool is_usage = made.error().code == ErrorCode::usage;
    return fail(is_usage ? Error{ErrorCode::usage, "--to", made.error().message}
                         : in_file(options.source.file, std::move(made).error()));
  }
  out.file = std::move(*made);
  if (!trace.note.empty()) out.notes.push_back(std::move(trace.note));
  return out;
}

}  // namespace

Verb trace_convert_verb() {
  return {
      .name = "convert",
      .summary = "write the same trace in another format",
      .example = "holdfast trace convert examples/data/sample-failures.csv --to avt -o sample.avt",
      .family = "trace",
      .options = convert_options().parameters(),
      .positionals = trace_file<ConvertOptions>().parameters(),
      .takes_instance = false,
      .takes_seed = false,
      .gives = Gives::file,
      .run = with_options<convert, trace_file<ConvertOptions>, convert_options>};
}

}  // namespace holdfast
