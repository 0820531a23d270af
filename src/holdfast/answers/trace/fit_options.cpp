#include "holdfast/answers/trace/fit_options.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

namespace holdfast {
namespace {

constexpr std::int64_t kMostReplicates = 1'000'000;

Result<double> read_duration(const char* option, std::string_view text) {
  const auto given = parse_quantity(trim(text), Unit::seconds);
  if (given && *given > 0 && std::isfinite(*given)) return *given;
  return fail(ErrorCode::usage, option,
              fmt::format("found {}, expected a duration greater than 0", in_quotes(text)));
}

}  // namespace

const Fields<TraceFitOptions>& fit_options() {
  static const auto kRows = joined(
      source_rows<TraceFitOptions>(),
      std::to_array<Field<TraceFitOptions>>(
          {{.name = "merge",
            .summary =
                "failures of a system that follow another within this time count as one event",
            .member = member<&TraceFitOptions::lifetimes, &LifetimeOptions::merge>,
            .value_name = "TIME",
            .heading = "Lifetimes"},
           {.name = "since",
            .summary = "whether lifetimes begin at the last failure (default) or at its repair",
            .member = member<&TraceFitOptions::lifetimes, &LifetimeOptions::since>,
            .value_name = "EVENT",
            .heading = "Lifetimes"},
           {.name = "unit",
            .summary = "what fails: single nodes (default), or the system as a whole",
            .member = member<&TraceFitOptions::lifetimes, &LifetimeOptions::unit>,
            .value_name = "UNIT",
            .heading = "Lifetimes"},
           {.name = "from",
            .summary =
                "ignore what happened before this date; lives that it cuts are left-truncated",
            .member = member<&TraceFitOptions::lifetimes, &LifetimeOptions::from>,
            .value_name = "TIME",
            .heading = "Lifetimes"},
           {.name = "to",
            .summary =
                "ignore what happened after this date; lives that it cuts are right-censored",
            .member = member<&TraceFitOptions::lifetimes, &LifetimeOptions::to>,
            .value_name = "TIME",
            .heading = "Lifetimes"},
           {.name = "resolution",
            .summary = "table of lifetimes: step to which its ages were rounded, such as 1d; each "
                       "is then taken as plus or minus half of it (default: ages are exact)",
            .member = member<&TraceFitOptions::resolution>,
            .value_name = "TIME",
            .heading = "Lifetimes"},
           {.name = "at",
            .summary = "also give the survival by the law at these ages, with 95 % intervals, and "
                       "the mean time left",
            .member = member<&TraceFitOptions::at>,
            .value_name = "TIME[,...]",
            .heading = "Lifetimes"},
           {.name = "slot",
            .summary = "length of a slot of the Markov chain (default: 1h)",
            .member = member<&TraceFitOptions::availability, &AvailabilityOptions::slot>,
            .value_name = "TIME",
            .heading = "Availability"},
           {.name = "unavailable",
            .summary = "state of a worker that is not up according to a record that has only two "
                       "states: down (default) or reclaimed",
            .member = member<&TraceFitOptions::availability, &AvailabilityOptions::unavailable>,
            .value_name = "STATE",
            .heading = "Availability"},
           {.name = "series",
            .summary = "program to use, if the table has several",
            .member = member<&TraceFitOptions::series>,
            .value_name = "NAME",
            .heading = "Speedup"},
           {.name = "law",
            .summary = "laws to fit: best (all, default) or some of exponential, weibull, gamma, "
                       "lognormal",
            .member = member<&TraceFitOptions::law>,
            .value_name = "A[,B...]"},
           {.name = "bootstrap",
            .summary = "also give bootstrap intervals from this many resampled sets of nodes",
            .member = member<&TraceFitOptions::bootstrap>,
            .range = at_least(1)}}));
  static const Fields<TraceFitOptions> kFields(kRows);
  return kFields;
}

Result<std::vector<LawFamily>> TraceFitOptions::laws() const {
  std::vector<LawFamily> families;
  if (law.empty() || law == "best") return families;
  for (const std::string_view name : split(law, ',')) {
    auto family = law_family(trim(name));
    if (!family) return fail(ErrorCode::usage, "--law", family.error().message);
    families.push_back(*family);
  }
  return families;
}

Result<int> TraceFitOptions::replicates() const {
  const auto& count = bootstrap;
  if (!count) return 0;
  if (*count < 2 || *count > kMostReplicates) {
    return fail(ErrorCode::usage, "--bootstrap",
                fmt::format("found {}, expected a number from 2 to {}", *count, kMostReplicates));
  }
  return static_cast<int>(*count);
}

Result<double> TraceFitOptions::step() const {
  return resolution.empty() ? 0 : read_duration("--resolution", resolution);
}

/// Quantiles are always in the document; ages are those asked for.
Result<FitOptions> TraceFitOptions::asked() const {
  FitOptions out{.quantiles = {0.1, 0.5, 0.9}};
  if (at.empty()) return out;
  for (const std::string_view age : split(at, ',')) {
    HOLDFAST_TRY(seconds, read_duration("--at", age));
    out.ages.push_back(seconds);
  }
  return out;
}

}  // namespace holdfast
