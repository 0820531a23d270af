#include "holdfast/domains/capacity/fields.hpp"

#include "holdfast/contract/parameter_list.hpp"
#include "holdfast/domains/capacity/inputs.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace holdfast::capacity {
namespace {

constexpr auto kProfiles = std::to_array<std::string_view>({"default", "author"});
constexpr Range kMachines{.minimum = 1, .maximum = kMostMachines};
constexpr Range kCores{.minimum = 1, .maximum = std::numeric_limits<std::int32_t>::max()};

constexpr auto kProfileRows = std::to_array<Field<Instance>>({
    {.name = "profile",
     .summary = "rules of the published text, or of its author's simulator",
     .member = choice<&Instance::profile, kProfiles>,
     .written = Written::unless_default},
});

constexpr auto kMachineRows = std::to_array<Field<Instance>>({
    {.name = "machines",
     .summary = "largest number of machines that are ever alive; default: the largest step, or by "
                "the load of the log",
     .member = member<&Instance::machines>,
     .range = kMachines},
    {.name = "safe_machines",
     .summary = "smallest number of machines that are ever alive; default: the smallest step",
     .member = member<&Instance::safe_machines>,
     .range = non_negative(),
     .fallback = "-"},
});

constexpr auto kCoreRows = std::to_array<Field<Instance>>({
    {.name = "cores",
     .summary =
         "cores of one machine; default: enough for jobs with 95 % of the work of a log, else 24",
     .member = member<&Instance::cores>,
     .range = kCores,
     .fallback = "-"},
    {.name = "distance",
     .summary = "largest distance between the target machine and the chosen one",
     .member = member<&Instance::distance>,
     .range = non_negative()},
});

constexpr auto kFamilyRows = std::to_array<Field<GeneratorParameters>>({
    {.name = "family",
     .summary = "family of the generated jobs",
     .member = choice<&GeneratorParameters::family, kFamilies>},
    {.name = "job_count",
     .summary = "number of generated jobs in [0, end); profile author: per week",
     .member = member<&GeneratorParameters::jobs>,
     .range = between(1, 1e7)},
});

constexpr auto kWalkRows = std::to_array<Field<GeneratorParameters>>({
    {.name = "mean_machines",
     .summary = "mean number of machines alive, generated capacity; default: as many as a log "
                "keeps busy, else 24",
     .member = member<&GeneratorParameters::mean_machines>,
     .range = kMachines,
     .fallback = "-"},
    {.name = "machine_range",
     .summary = "largest distance of the generated capacity from its mean; default: a third of it",
     .member = member<&GeneratorParameters::machine_range>,
     .range = non_negative(),
     .fallback = "-"},
    {.name = "period",
     .summary = "time between two changes of the generated capacity",
     .unit = Unit::seconds,
     .range = kPeriod,
     .fallback = "1200s"},
});

// Announcements, and the checkpoints that they allow: whole seconds, read by hand.
constexpr auto kNoticeRows = std::to_array<Parameter>({
    {.name = "notice",
     .summary = "time by which changes of the capacity are announced in advance",
     .unit = Unit::seconds,
     .range = kInstants,
     .fallback = "0s"},
    {.name = "checkpoint",
     .summary = "time that a run needs to save itself when a shutdown is announced early enough",
     .unit = Unit::seconds,
     .range = kInstants},
});

// Files, and which part of them is used.
constexpr auto kInputs = std::to_array<Parameter>({
    {.name = "window",
     .summary = "begin and end of the simulated time; default 7d,21d, or earlier if a series ends",
     .kind = Kind::numbers,
     .unit = Unit::seconds,
     .range = kInstants},
    {.name = "jobs",
     .summary = "batch log with the jobs (SWF, tables of release, cores, length)",
     .kind = Kind::file,
     .pointer = "/jobs/file"},
    {.name = "jobs_format",
     .summary = "format of the file (default: recognised from its contents)",
     .kind = Kind::text,
     .pointer = "/jobs/format"},
    {.name = "compress",
     .summary = "divide the times between submissions of the log by this",
     .range = positive(),
     .fallback = "1",
     .pointer = "/jobs/compress"},
    {.name = "longest",
     .summary = "leave out longer jobs of the log",
     .unit = Unit::seconds,
     .range = positive(),
     .pointer = "/jobs/longest"},
    {.name = "reference",
     .summary =
         "batch log from which job categories are computed; default: the week before the window",
     .kind = Kind::file,
     .pointer = "/reference/file"},
    {.name = "alive",
     .summary = "series of the capacity (instances alive, power, carbon intensity, outages)",
     .kind = Kind::file,
     .pointer = "/alive/file"},
    {.name = "alive_rule",
     .summary = "how values become machines; default: by the kind of series (outages: share only)",
     .kind = Kind::choice,
     .choices = kRules,
     .pointer = "/alive/rule"},
    {.name = "alive_column",
     .summary = "column of the series; A+B adds columns",
     .kind = Kind::text,
     .pointer = "/alive/column"},
    {.name = "alive_unit",
     .summary = "unit of time of a series that does not say it: 1h, 1s, 1ms",
     .unit = Unit::seconds,
     .range = positive(),
     .pointer = "/alive/unit"},
    {.name = "alive_from",
     .summary = "instant of the series at which the window begins: a date, or a time since its "
                "first entry",
     .kind = Kind::text,
     .pointer = "/alive/from"},
});

}  // namespace

const Fields<Instance>& profile_fields() {
  return fields_of<kProfileRows>();
}

const Fields<Instance>& machine_fields() {
  return fields_of<kMachineRows>();
}

const Fields<Instance>& core_fields() {
  return fields_of<kCoreRows>();
}

const Fields<GeneratorParameters>& family_fields() {
  return fields_of<kFamilyRows>();
}

const Fields<GeneratorParameters>& walk_fields() {
  return fields_of<kWalkRows>();
}

std::span<const Parameter> fields() {
  static const std::vector<Parameter> kFields = one_list(
      {profile_fields().parameters(), core_fields().parameters(), machine_fields().parameters(),
       kNoticeRows, kInputs, family_fields().parameters(), walk_fields().parameters()});
  return kFields;
}

}  // namespace holdfast::capacity
