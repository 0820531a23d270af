#include "holdfast/domains/checkpoint/fields.hpp"

#include "holdfast/contract/parameter_list.hpp"
#include "holdfast/traces/failures/lifetimes.hpp"

#include <array>
#include <string_view>
#include <vector>

namespace holdfast::checkpoint {
namespace {

constexpr auto kRejuvenations = std::to_array<std::string_view>({"failed", "all"});
constexpr auto kDistributions = std::to_array<std::string_view>(
    {"exponential", "weibull", "gamma", "lognormal", "empirical", "best"});

constexpr auto kJobRows = std::to_array<Field<Instance>>({
    {.name = "work",
     .summary = "failure-free seconds of work; absent: a job without end",
     .member = member<&Instance::work>,
     .unit = Unit::seconds,
     .range = positive()},
    {.name = "processors",
     .summary = "failure units of the job",
     .member = member<&Instance::processors>,
     .range = between(1, static_cast<double>(kMostProcessors))},
    {.name = "checkpoint",
     .summary = "time to write a checkpoint",
     .member = member<&Instance::checkpoint>,
     .unit = Unit::seconds,
     .range = positive()},
    {.name = "recovery",
     .summary = "time to read it back; default: as long as the checkpoint",
     .member = member<&Instance::recovery>,
     .unit = Unit::seconds,
     .range = non_negative(),
     .fallback = "-"},
    {.name = "downtime",
     .summary = "from a failure to the start of the recovery",
     .member = member<&Instance::downtime>,
     .unit = Unit::seconds,
     .range = non_negative()},
    {.name = "relative_downtime",
     .summary = "the downtime as a part of the checkpoint, in its place",
     .range = non_negative()},
    {.name = "no_final_checkpoint",
     .summary = "the last segment is not followed by a checkpoint",
     .kind = Kind::flag},
    {.name = "no_initial_recovery",
     .summary = "a failure in the first segment pays no recovery",
     .kind = Kind::flag},
});

constexpr auto kFailureOptions = std::to_array<Parameter>({
    {.name = "distribution",
     .summary =
         "law of the time between failures of one processor; with --log fitted, best by default",
     .kind = Kind::choice,
     .fallback = "exponential",
     .choices = kDistributions,
     .pointer = "/failures/distribution"},
    {.name = "mtbf",
     .summary = "mean time between failures of one processor",
     .unit = Unit::seconds,
     .range = positive(),
     .pointer = "/failures/mtbf"},
    {.name = "platform_mtbf",
     .summary =
         "of the whole machine, in place of the mtbf: one processor's is 'processors' times that",
     .unit = Unit::seconds,
     .range = positive(),
     .pointer = "/failures/platform_mtbf"},
    {.name = "shape",
     .summary = "weibull, gamma: shape",
     .range = positive(),
     .pointer = "/failures/shape"},
    {.name = "scale",
     .summary = "weibull, gamma: scale, in place of the mtbf",
     .unit = Unit::seconds,
     .range = positive(),
     .pointer = "/failures/scale"},
    {.name = "log_mean",
     .summary = "lognormal: mean of the logarithm, in place of the mtbf",
     .pointer = "/failures/log_mean"},
    {.name = "log_sd",
     .summary = "lognormal: standard deviation of the logarithm",
     .range = positive(),
     .pointer = "/failures/log_sd"},
    {.name = "k",
     .summary = "lognormal: ratio log_mean / log_sd^2, in place of log_sd",
     .range = positive(),
     .pointer = "/failures/k"},
    {.name = "file",
     .summary = "empirical: file of lifetimes",
     .kind = Kind::file,
     .pointer = "/failures/file"},
    {.name = "log",
     .summary = "failure log that gives the law and the ages of the processors",
     .kind = Kind::file,
     .pointer = "/failures/log"},
    {.name = "system",
     .summary = "the log's system, where it has several",
     .kind = Kind::text,
     .pointer = "/failures/system"},
    {.name = "merge",
     .summary = "failures of the log this close to the one before are one event",
     .unit = Unit::seconds,
     .range = non_negative(),
     .pointer = "/failures/merge"},
    {.name = "unit",
     .summary = "what fails in the log: node, or system for the machine as a whole, one processor",
     .kind = Kind::choice,
     .fallback = "node",
     .choices = kUnitNames,
     .pointer = "/failures/unit"},
    {.name = "since",
     .summary = "count a life of the log from the last failure or its repair",
     .kind = Kind::choice,
     .fallback = "failure",
     .choices = kSinceNames,
     .pointer = "/failures/since"},
    {.name = "from",
     .summary = "leave out what the log says of before",
     .kind = Kind::text,
     .pointer = "/failures/from"},
    {.name = "to",
     .summary = "leave out what the log says of after",
     .kind = Kind::text,
     .pointer = "/failures/to"},
    {.name = "log_format",
     .summary = "read the log as this in place of what it looks like",
     .kind = Kind::text,
     .pointer = "/failures/format"},
});

constexpr auto kPlatformRows = std::to_array<Field<Instance>>({
    {.name = "rejuvenation",
     .summary = "which processors are new after a failure",
     .member = choice<&Instance::rejuvenation, kRejuvenations>,
     .written = Written::unless_default},
    {.name = "platform_age",
     .summary = "age of the platform when the job starts",
     .member = member<&Instance::platform_age>,
     .unit = Unit::seconds,
     .range = non_negative()},
    {.name = "horizon",
     .summary = "age of the platform at which a run has failed; default: none",
     .member = member<&Instance::horizon>,
     .unit = Unit::seconds,
     .range = positive(),
     .written = Written::never},  // behind the ages, which are no plain field
    {.name = "planning_time",
     .summary =
         "added to each recovery of a strategy that plans again: none, measured or a duration",
     .kind = Kind::text,
     .fallback = "none"},
});

}  // namespace

const Fields<Instance>& job_fields() {
  return fields_of<kJobRows>();
}

const Fields<Instance>& platform_fields() {
  return fields_of<kPlatformRows>();
}

std::span<const Parameter> fields() {
  static const std::vector<Parameter> kAll =
      one_list({job_fields().parameters(), kFailureOptions, platform_fields().parameters()});
  return kAll;
}

}  // namespace holdfast::checkpoint
