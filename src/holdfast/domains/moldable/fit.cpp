#include "holdfast/domains/moldable/fit.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/contract/document_members.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/inputs/table_options.hpp"
#include "holdfast/models/speedup/fit_report.hpp"
#include "holdfast/models/speedup/profile.hpp"
#include "holdfast/models/speedup/speedup_io.hpp"
#include "holdfast/traces/formats.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::moldable {
namespace {

struct FitOptions {
  std::filesystem::path file;
  std::string series;
  std::optional<std::int64_t> table;
  ReadAs as;
};
constexpr auto kFitFile = std::to_array<Field<FitOptions>>({
    {.name = "file",
     .summary = "run times: a table with columns of processors and seconds, a text of Extra-P",
     .member = member<&FitOptions::file>},
});
constexpr auto kFitOptions = std::to_array<Field<FitOptions>>({
    {.name = "series",
     .summary = "program to use, if the file has several",
     .member = member<&FitOptions::series>},
    {.name = "table",
     .summary = "also give the profile itself, as a table for this many processors",
     .member = member<&FitOptions::table>,
     .range = between(1, 1e6)},
    {.name = "read_as",
     .summary = "format of the file (default: recognised from its contents)",
     .member = member<&FitOptions::as, &ReadAs::name>,
     .value_name = "NAME"},
    {.name = "columns",
     .summary = "columns of the fields, by name or number, such as processors=N,seconds=Wall",
     .member = member<&FitOptions::as, &ReadAs::table, &TableQuestion::columns>,
     .value_name = "FIELD=COLUMN,..."},
    {.name = "column_unit",
     .summary = "unit of times that are numbers, such as seconds=ms",
     .member = member<&FitOptions::as, &ReadAs::table, &TableQuestion::column_unit>,
     .value_name = "FIELD=UNIT,..."},
    {.name = "where",
     .summary = "read the rows with this text in a column, such as solver=cg",
     .member = member<&FitOptions::as, &ReadAs::table, &TableQuestion::where>,
     .value_name = "COLUMN=TEXT,..."},
    {.name = "header",
     .summary = "number of the line with the names of the columns, or none",
     .member = member<&FitOptions::as, &ReadAs::table, &TableQuestion::header>,
     .value_name = "LINE|none"},
});

Value flaw_value(const SpeedupProfile& profile, const ProfileFlaw& flaw) {
  return Value::object({{"kind", flaw.kind == ProfileFlaw::Kind::slower ? "slower" : "superlinear"},
                        {"from", profile.processors[flaw.step]},
                        {"to", profile.processors[flaw.step + 1]},
                        {"change", flaw.change}});
}

// "2 of 5 steps take longer: 16 to 32 (+22.2 %)"
std::string flaw_line(const SpeedupProfile& profile, const std::vector<ProfileFlaw>& flaws,
                      ProfileFlaw::Kind kind, std::string_view what) {
  std::string steps;
  std::size_t count = 0;
  for (const ProfileFlaw& flaw : flaws) {
    if (flaw.kind != kind) continue;
    ++count;
    steps +=
        fmt::format("{}{} to {} ({:+.1f} %)", count == 1 ? "" : ", ", profile.processors[flaw.step],
                    profile.processors[flaw.step + 1], 100 * flaw.change);
  }
  if (count == 0) return {};
  return fmt::format("{} of {} {}: {}", count, counted(profile.size() - 1, "step"), what, steps);
}

Result<Value> describe(const SpeedupRuns& runs, std::optional<std::int64_t> table_size,
                       Answer& answer) {
  HOLDFAST_TRY(profile, make_profile(runs.processors, runs.seconds));
  SpeedupReport report = report_speedup(runs.name, profile);
  const std::string& title = report.title;
  Value& out = report.document;
  const auto flaws = profile_flaws(profile);
  Value flaw_rows = Value::array();
  for (const ProfileFlaw& flaw : flaws) flaw_rows.push(flaw_value(profile, flaw));
  out.set("not_monotone", std::move(flaw_rows));
  if (report.fits.empty()) {
    answer.warnings.push_back(too_few_for_fit(report));
  } else {
    answer.verdict.push_back(best_in_words(report));
    answer.tables.push_back({.title = title,
                             .columns = {{.title = "model"},
                                         {.title = "parameters, with standard errors"},
                                         {.title = "rms error (%)", .digits = 3},
                                         {.title = "largest (%)", .digits = 3},
                                         {.title = ""}},
                             .rows = std::move(report.rows)});
  }
  for (const auto& [kind, what] : {std::pair{ProfileFlaw::Kind::slower, "take longer"},
                                   {ProfileFlaw::Kind::superlinear, "are superlinear"}}) {
    const std::string line = flaw_line(profile, flaws, kind, what);
    if (!line.empty()) answer.lines.push_back(title + ": " + line);
  }
  if (table_size) {
    const ProfileTable table = profile_table(profile, *table_size);
    out.set("table", to_value(table.speedup));
    if (table.assumed > 0) {
      answer.warnings.push_back(
          fmt::format("{}: nothing was measured below {} processors; linear speedup is assumed "
                      "there",
                      title, profile.processors.front()));
    }
  }
  return std::move(out);
}

Result<Answer> run_fit(const FitOptions& options, const Request& request) {
  if (options.file.empty()) {
    return fail(ErrorCode::usage, "FILE", "is missing: a table of processors and seconds");
  }
  std::filesystem::path path = options.file;
  if (path.is_relative() && path != "-") path = request.directory / path;
  auto read = read_run_times(path, options.as);
  if (!read) {
    Error error = std::move(read).error();
    if (is_about_reading(error.where)) {
      const bool is_form = error.where == "format";
      return fail(ErrorCode::usage, pointer_to("", is_form ? "read_as" : error.where),
                  std::move(error.message));
    }
    return fail(std::move(error));
  }
  const SpeedupTable& all = *read;
  Answer answer;
  Value::Array series;
  std::vector<std::string_view> names;
  for (const SpeedupRuns& runs : all) {
    names.push_back(runs.name);
    if (!options.series.empty() && runs.name != options.series) continue;
    HOLDFAST_TRY(described, describe(runs, options.table, answer));
    series.push_back(std::move(described));
  }
  if (series.empty()) {
    return fail(ErrorCode::usage, "/series",
                fmt::format("found no series {}; {}", in_quotes(options.series),
                            suggestion(options.series, names)));
  }
  answer.document.set("series", Value(std::move(series)));
  return answer;
}

constexpr auto kFitResults = std::to_array<ResultField>(
    {{"series[].name", "name of a series of measurements", Holds::text},
     {"series[].processors[]", "processors of its measurements", Holds::integer},
     {"series[].seconds[]", "run time of each", Unit::seconds},
     {"series[].fits?[]", "the fitted models, the best one first", kSpeedupFit},
     {"series[].preferred?", "model with the fewest parameters among those that fit", Holds::text},
     {"series[].not_monotone[].kind", "slower or superlinear", Holds::text},
     {"series[].not_monotone[].from", "processors before that step", Holds::integer},
     {"series[].not_monotone[].to", "processors after it", Holds::integer},
     {"series[].not_monotone[].change", "relative change of time or area"},
     {"series[].table?", "the measurements as a table model, with --table", kSpeedup}});

}  // namespace

Verb fit_verb() {
  return {.name = "fit",
          .summary = "speedup models for measured run times",
          .example = "holdfast moldable fit examples/data/speedup.csv",
          .options = fields_of<kFitOptions>().parameters(),
          .positionals = fields_of<kFitFile>().parameters(),
          .results = kFitResults,
          .takes_instance = false,
          .takes_seed = false,
          .run = with_options<run_fit, fields_of<kFitFile>, fields_of<kFitOptions>>};
}

}  // namespace holdfast::moldable
