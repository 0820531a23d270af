#include "holdfast/domains/capacity/fields.hpp"

#include "holdfast/contract/parameter_list.hpp"
#include "holdfast/domains/capacity/inputs.hpp"
#include "holdfast/inputs/table_options.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace holdfast::capacity {
namespace {

constexpr auto kProfiles = std::to_array<std::string_view>({"default", "author"});
constexpr auto kProfileRows = std::to_array<Field<Instance>>({
    {.name = "profile",
     .summary = "rules of the published text, or of its author's simulator",
     .member = choice<&Instance::profile, kProfiles>,
     .written = Written::unless_default},
});

constexpr auto kObjectiveRows = std::to_array<Field<Instance>>({
    {.name = "objective",
     .summary = "what strategies are compared by: goodput, or the money or the grams of carbon "
                "dioxide of a useful core-hour",
     .member = choice<&Instance::objective, kObjectives>,
     .written = Written::unless_default},
});

constexpr auto kMachineRows = std::to_array<Field<Instance>>({
    {.name = "machines",
     .summary = "largest number of machines that are alive at any time; default: the largest "
                "number that occurs; with the rules share and inverse: enough on average for the "
                "jobs of a log, or 32 without a log",
     .member = member<&Instance::machines>,
     .range = kMachines},
    {.name = "safe_machines",
     .summary = "smallest number of machines that are alive at any time; default: the smallest "
                "number that occurs; with the rule inverse: half of the largest number",
     .member = member<&Instance::safe_machines>,
     .range = non_negative(),
     .fallback = "-"},
});

constexpr auto kCoreRows = std::to_array<Field<Instance>>({
    {.name = "cores",
     .summary = "cores of one machine; default: 24; with a job log: the smallest number for which "
                "jobs with 95 % of its work fit on one machine; listed jobs: required",
     .member = member<&Instance::cores>,
     .range = kCores,
     .fallback = "-"},
    {.name = "machine_sizes",
     .summary =
         "machines that differ in size, safest first: 80x24,40x8 are 80 machines of 24 cores "
         "and 40 of 8, 120 in all, which is then the largest number alive",
     .kind = Kind::text,
     .fallback = "-",
     .value_name = "MACHINESxCORES,..."},
    {.name = "distance",
     .summary = "how far the number of the chosen machine may be from that of the target machine; "
                "default: 5/12 of the mean number of machines; profile author: 11",
     .member = member<&Instance::distance>,
     .range = non_negative()},
});

constexpr auto kFamilyRows = std::to_array<Field<GeneratorParameters>>({
    {.name = "family",
     .summary = "family of the generated jobs",
     .member = choice<&GeneratorParameters::family, kFamilies>},
    {.name = "job_count",
     .summary = "number of generated jobs from time 0 to the end of the window; profile author: "
                "number per week",
     .member = member<&GeneratorParameters::jobs>,
     .range = between(1, 1e7)},
});

constexpr auto kWalkRows = std::to_array<Field<GeneratorParameters>>({
    {.name = "mean_machines",
     .summary = "generated capacity: mean number of machines that are alive; default: 24; with a "
                "job log: as many as its jobs keep busy",
     .member = member<&GeneratorParameters::mean_machines>,
     .range = kMachines,
     .fallback = "-"},
    {.name = "machine_range",
     .summary = "generated capacity: largest difference from the mean number of machines; default: "
                "8; if that mean follows from a job log: a third of it, but at least 4; in no case "
                "more than the mean",
     .member = member<&GeneratorParameters::machine_range>,
     .range = non_negative(),
     .fallback = "-"},
    {.name = "walk_step",
     .summary =
         "generated capacity: by how many machines it changes at once; default: a quarter of "
         "the range, rounded down",
     .member = member<&GeneratorParameters::walk_step>,
     .range = at_least(1)},
    {.name = "period",
     .summary = "generated capacity: time between two changes",
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
    {.name = "notice_recall",
     .summary = "probability that a fall of the capacity is announced",
     .range = kRecall,
     .fallback = "1"},
    {.name = "notice_precision",
     .summary = "expected share of the announcements that come true; the others are false alarms",
     .range = kPrecision,
     .fallback = "1"},
    {.name = "requeue_delay",
     .summary = "time after a kill before which the job does not start again (Slurm: 120s)",
     .unit = Unit::seconds,
     .range = kInstants,
     .fallback = "0s"},
    {.name = "boot",
     .summary = "time from power to the first job on a machine that comes on",
     .unit = Unit::seconds,
     .range = kInstants,
     .fallback = "0s"},
    {.name = "shutdown",
     .summary = "time for which a machine that goes off still draws power",
     .unit = Unit::seconds,
     .range = kInstants,
     .fallback = "0s"},
    {.name = "checkpoint",
     .summary = "time that a run needs to save itself when a shutdown is announced early enough; "
                "default: runs cannot be saved",
     .unit = Unit::seconds,
     .range = kInstants},
});

// Files, and which part of them is used.
constexpr auto kInputs = std::to_array<Parameter>({
    {.name = "window",
     .summary = "begin and end of the simulated time; default: 7d,21d; profile author with "
                "generated jobs: 14d,21d; it ends earlier if the series of the capacity does",
     .kind = Kind::numbers,
     .unit = Unit::seconds,
     .range = kInstants},
    {.name = "jobs",
     .summary = "batch log with the jobs (SWF, or a table of release, cores and length)",
     .kind = Kind::file,
     .pointer = "/jobs/file",
     .reads = "jobs"},
    {.name = "jobs_format",
     .summary = "another name of --jobs-read-as",
     .kind = Kind::text,
     .pointer = "/jobs/format"},
    {.name = "compress",
     .summary = "number by which the times between submissions of the log are divided",
     .range = positive(),
     .fallback = "1",
     .pointer = "/jobs/compress"},
    {.name = "longest",
     .summary = "leave out jobs of the log that take longer than this",
     .unit = Unit::seconds,
     .range = positive(),
     .pointer = "/jobs/longest"},
    {.name = "reference",
     .summary = "batch log from which the categories of jobs are computed; default: the jobs of "
                "the week before the window, or all jobs if there are none in that week",
     .kind = Kind::file,
     .pointer = "/reference/file"},
    {.name = "alive",
     .summary = "series of the capacity (instances alive, power, carbon intensity, outages)",
     .kind = Kind::file,
     .pointer = "/alive/file",
     .reads = "capacity"},
    {.name = "alive_rule",
     .summary = "how values of the series become numbers of machines; default: count for "
                "instances, share for power and outages, inverse for carbon intensity",
     .kind = Kind::choice,
     .choices = kRules,
     .pointer = "/alive/rule"},
    {.name = "alive_column",
     .summary = "column of the series with the values; A+B is the sum of two columns",
     .kind = Kind::text,
     .pointer = "/alive/column"},
    {.name = "alive_unit",
     .summary = "unit of time of a series that does not state it: 1h, 1s, 1ms",
     .unit = Unit::seconds,
     .range = positive(),
     .pointer = "/alive/unit"},
    {.name = "alive_nodes",
     .summary = "outages of a log that names only some nodes: file that lists all, or their number",
     .kind = Kind::file,
     .pointer = "/alive/nodes"},
    {.name = "alive_from",
     .summary = "instant of the series at which the window begins: a date, or a time since its "
                "first entry; default: its first entry",
     .kind = Kind::text,
     .pointer = "/alive/from"},
    {.name = "price",
     .summary = "series of the money that a machine costs in an hour",
     .kind = Kind::file,
     .pointer = "/price/file",
     .reads = "capacity"},
    {.name = "price_column",
     .summary = "column of that series with the prices",
     .kind = Kind::text,
     .pointer = "/price/column"},
    {.name = "price_from",
     .summary = "instant of that series at which the window begins; default: its first entry",
     .kind = Kind::text,
     .pointer = "/price/from"},
    {.name = "price_scale",
     .summary = "number by which its values are multiplied, such as the kilowatts of a machine if "
                "they are per kWh",
     .range = positive(),
     .fallback = "1",
     .pointer = "/price/scale"},
    {.name = "carbon",
     .summary = "series of the grams of carbon dioxide that a machine causes in an hour",
     .kind = Kind::file,
     .pointer = "/carbon/file",
     .reads = "capacity"},
    {.name = "carbon_column",
     .summary = "column of that series with the grams",
     .kind = Kind::text,
     .pointer = "/carbon/column"},
    {.name = "carbon_from",
     .summary = "instant of that series at which the window begins; default: its first entry",
     .kind = Kind::text,
     .pointer = "/carbon/from"},
    {.name = "carbon_scale",
     .summary = "number by which its values are multiplied, such as the kilowatts of a machine if "
                "they are per kWh",
     .range = positive(),
     .fallback = "1",
     .pointer = "/carbon/scale"},
});

}  // namespace

const Fields<Instance>& profile_fields() {
  return fields_of<kProfileRows>();
}

const Fields<Instance>& objective_fields() {
  return fields_of<kObjectiveRows>();
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

std::vector<std::string_view> not_live(std::initializer_list<std::string_view> more) {
  std::vector<std::string_view> out = {"notice", "notice_recall", "notice_precision", "boot",
                                       "shutdown"};
  out.insert(out.end(), more);
  for (const Parameter& one :
       one_list({objective_fields().parameters(), kInputs, table_options("jobs_", "/jobs"),
                 table_options("alive_", "/alive"), table_options("price_", "/price"),
                 table_options("carbon_", "/carbon"), family_fields().parameters(),
                 walk_fields().parameters()})) {
    out.push_back(one.name);
  }
  return out;
}

std::span<const Parameter> fields() {
  static const std::vector<Parameter> kFields =
      one_list({profile_fields().parameters(), core_fields().parameters(),
                machine_fields().parameters(), kNoticeRows, objective_fields().parameters(),
                kInputs, table_options("jobs_", "/jobs"), table_options("alive_", "/alive"),
                table_options("price_", "/price"), table_options("carbon_", "/carbon"),
                family_fields().parameters(), walk_fields().parameters()});
  return kFields;
}

}  // namespace holdfast::capacity
