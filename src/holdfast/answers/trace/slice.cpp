#include "holdfast/answers/trace/make.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/contract/verb_options.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace holdfast {
namespace {

/// The options of `holdfast trace slice`.
struct SliceOptions {
  TraceSource source;
  SeriesOptions series;
  std::string from;
  std::string to;
  std::string machines;
  std::optional<std::int64_t> sample;
  std::string as;
};

const Fields<SliceOptions>& slice_options() {
  static const auto kRows =
      joined(source_and_series_rows<SliceOptions>(),
             std::to_array<Field<SliceOptions>>(
                 {{.name = "from",
                   .summary = "start of the part, on the trace's clock: seconds or a date",
                   .member = member<&SliceOptions::from>,
                   .value_name = "TIME"},
                  {.name = "to",
                   .summary = "end of the part",
                   .member = member<&SliceOptions::to>,
                   .value_name = "TIME"},
                  {.name = "machines",
                   .summary = "nodes, workers or machines to keep",
                   .member = member<&SliceOptions::machines>,
                   .value_name = "A[,B...]"},
                  {.name = "sample",
                   .summary = "number of machines (or jobs, or lifetimes) to draw at random",
                   .member = member<&SliceOptions::sample>,
                   .range = at_least(1)},
                  {.name = "as",
                   .summary = "format to write (default: the file's own, else the plain table of "
                              "its kind)",
                   .member = member<&SliceOptions::as>,
                   .value_name = "NAME"}}));
  static const Fields<SliceOptions> kFields(kRows);
  return kFields;
}

Result<std::optional<Instant>> read_instant(const std::string& text, const char* option) {
  if (text.empty()) return std::optional<Instant>();
  auto instant = parse_instant(text);
  if (!instant) return fail(ErrorCode::usage, option, instant.error().message);
  return std::optional<Instant>(*instant);
}

Result<SliceQuestion> read_question(const SliceOptions& options, std::uint64_t seed) {
  SliceQuestion out;
  HOLDFAST_TRY(from, read_instant(options.from, "--from"));
  HOLDFAST_TRY(to, read_instant(options.to, "--to"));
  out.from = from;
  out.to = to;
  if (!options.machines.empty()) {
    for (const std::string_view name : split(options.machines, ',')) {
      out.machines.emplace_back(trim(name));
    }
  }
  out.sample = options.sample;
  out.seed = seed;
  if (out.from || out.to || out.sample || !out.machines.empty() || options.source.system) {
    return out;
  }
  return fail(ErrorCode::usage, "",
              "found nothing that makes a part, expected --from, --to, --machines, --sample or "
              "--system");
}

Result<TraceRecords> sliced_as_asked(const SliceOptions& options, TraceRecords records,
                                     const SliceQuestion& question) {
  auto part = sliced(std::move(records), question);
  if (part) return part;
  Error error = std::move(part).error();
  if (error.where.empty()) return fail(in_file(options.source.file, std::move(error)));
  // An error about a part of the question names the option.
  return fail(error.code == ErrorCode::usage ? as_option_error(std::move(error)) : error);
}

Result<Answer> slice(const SliceOptions& options, const Request& request) {
  HOLDFAST_TRY(question, read_question(options, request.seed));
  HOLDFAST_TRY(trace, read_trace(options.source, options.series, request));
  HOLDFAST_TRY(part, sliced_as_asked(options, std::move(trace.records), question));
  Answer out;
  const Format* format = trace.format;
  if (!options.as.empty()) {
    auto asked = writable_format(options.as, part);
    if (!asked) return fail(ErrorCode::usage, "--as", asked.error().message);
    format = *asked;
  } else if (!is_writable(*format)) {
    format = &plain_format(part);
    out.notes.push_back(fmt::format("written as {}", format->name));
  }
  auto made = make_trace(options.source, std::move(part), *format);
  if (!made) return fail(ErrorCode::usage, "--as", made.error().message);
  out.file = std::move(*made);
  if (!trace.note.empty()) out.notes.push_back(std::move(trace.note));
  return out;
}

}  // namespace

Verb trace_slice_verb() {
  return {.name = "slice",
          .summary = "write a part of a trace: a window of time, some machines, or a sample",
          .example = "holdfast trace slice examples/data/sample-failures.csv --sample 10 --seed 7",
          .family = "trace",
          .options = slice_options().parameters(),
          .positionals = trace_file<SliceOptions>().parameters(),
          .takes_instance = false,
          .gives = Gives::file,
          .run = with_options<slice, trace_file<SliceOptions>, slice_options>};
}

}  // namespace holdfast
