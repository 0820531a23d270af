#include "holdfast/domains/checkpoint/fields.hpp"

#include "holdfast/contract/parameter_list.hpp"
#include "holdfast/inputs/failures.hpp"

#include <array>
#include <string_view>
#include <vector>

namespace holdfast::checkpoint {
namespace {

constexpr auto kRejuvenations = std::to_array<std::string_view>({"failed", "all"});

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
      one_list({job_fields().parameters(), failure_options(FailingUnit::processor),
                platform_fields().parameters()});
  return kAll;
}

}  // namespace holdfast::checkpoint
