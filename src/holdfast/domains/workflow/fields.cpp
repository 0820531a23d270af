#include "holdfast/domains/workflow/fields.hpp"

#include "holdfast/contract/parameter_list.hpp"

#include <array>
#include <string_view>
#include <type_traits>
#include <vector>

namespace holdfast::workflow {
namespace {

constexpr auto kProfiles = std::to_array<std::string_view>({"default", "author"});
constexpr auto kBases = std::to_array<std::string_view>({"bare", "one-checkpoint"});
constexpr auto kLucks = std::to_array<std::string_view>({"paired", "independent"});
constexpr auto kScales = std::to_array<std::string_view>({"large", "small", "author", "none"});

constexpr auto kMeasuredRows = std::to_array<Field<MeasuredOptions>>({
    {.name = "workflow",
     .summary = "workflow: WfFormat (WfCommons), DAX, STG, DAGMan or a trace of Nextflow",
     .kind = Kind::file,
     .reads = "workflow"},
    {.name = "use_cores",
     .summary = "WfFormat: a task takes as many processors as it had cores",
     .member = member<&MeasuredOptions::use_cores>},
    {.name = "default_runtime",
     .summary = "WfFormat: run time of tasks without one",
     .member = member<&MeasuredOptions::default_runtime>,
     .unit = Unit::seconds,
     .range = non_negative()},
});

// The fields that listed and random workflows have in common, in the order in which documents are written.
template <class S>
constexpr auto machine_rows() {
  return std::to_array<Field<S>>({
      {.name = "processors",
       .summary = "identical processors of the machine; default for a given workflow: as many as "
                  "its tasks can use at once; required for listed tasks",
       .member = member<&S::processors>,
       .range = between(1, static_cast<double>(kMostProcessors)),
       .fallback = std::is_same_v<S, Machine> ? "-" : ""},
      {.name = "mtbf",
       .summary =
           "mean time between failures of one processor; default for a given workflow: no failures",
       .member = member<&S::mtbf>,
       .unit = Unit::seconds,
       .range = positive()},
      {.name = "platform_mtbf",
       .summary = "mean time between failures of the whole machine, instead of the mtbf: for one "
                  "processor it is 'processors' times as long",
       .unit = Unit::seconds,
       .range = positive()},
      {.name = "distribution",
       .summary =
           "law of the time between failures of one processor, whose ages then count; default: "
           "exponential, without ages",
       .kind = Kind::choice,
       .choices = kLaws},
      {.name = "shape", .summary = "weibull, gamma: shape", .range = positive()},
      {.name = "log_sd",
       .summary = "lognormal: standard deviation of the logarithm",
       .range = positive()},
      {.name = "platform_age",
       .summary = "with a distribution: time since all processors were new",
       .member = member<&S::platform_age>,
       .unit = Unit::seconds,
       .range = non_negative(),
       .written = Written::unless_default},
      {.name = "downtime",
       .summary = "time between a failure and the recovery",
       .member = member<&S::downtime>,
       .unit = Unit::seconds,
       .range = non_negative()},
      {.name = "profile",
       .summary = "rules of the thesis, or of its author's simulator",
       .member = choice<&S::profile, kProfiles>,
       .written = Written::unless_default},
      {.name = "base",
       .summary =
           "divisor of the ratios: the makespan of tasks without checkpoints, or with one each",
       .member = choice<&S::base, kBases>,
       .written = Written::unless_default},
      {.name = "luck",
       .summary = "whether all strategies see the same failures; profile author: independent",
       .member = choice<&S::luck, kLucks>,
       .fallback = "-"},
      {.name = "priority",
       .summary = "which ready task starts first: the longest, the first in the list, the one with "
                  "the longest path to the end, or the shortest",
       .member = choice<&S::priority, kPriorityNames>,
       .written = Written::unless_default},
      {.name = "strict",
       .summary = "no task starts before one that precedes it in the list",
       .member = member<&S::strict>},
  });
}

template <class S>
constexpr auto cost_rows() {
  return std::to_array<Field<S>>({
      {.name = "checkpoint",
       .summary = "time of one checkpoint; default for a given workflow: 0",
       .member = member<&S::all_checkpoints>,
       .unit = Unit::seconds,
       .range = non_negative()},
      {.name = "recovery",
       .summary = "time of a recovery after a failure; default: that of the checkpoint",
       .member = member<&S::all_recoveries>,
       .unit = Unit::seconds,
       .range = non_negative()},
  });
}

constexpr auto kMachineRows = machine_rows<Machine>();
constexpr auto kCostRows = cost_rows<Costs>();
constexpr auto kExperimentRows =
    joined(joined(machine_rows<Experiment>(), cost_rows<Experiment>()),
           std::to_array<Field<Experiment>>({
               {.name = "family",
                .summary = "random workflow: which application",
                .member = choice<&Experiment::family, kFamilyNames>},
               {.name = "tasks",
                .summary = "random workflow: approximate number of tasks",
                .member = member<&Experiment::tasks>,
                .range = between(3, 1e8)},
               {.name = "scale",
                .summary = "random workflow: scale run times to a makespan of 3-5 d or of 15-24 h, "
                           "by the author's factor, or not",
                .member = choice<&Experiment::scale, kScales>},
               {.name = "runtime_factor",
                .summary = "random workflow: factor on run times, instead of the scale",
                .member = member<&Experiment::factor>,
                .range = positive()},
           }));

}  // namespace

const Fields<MeasuredOptions>& measured_fields() {
  return fields_of<kMeasuredRows>();
}

const Fields<Machine>& machine_fields() {
  return fields_of<kMachineRows>();
}

const Fields<Costs>& cost_fields() {
  return fields_of<kCostRows>();
}

const Fields<Experiment>& experiment_fields() {
  return fields_of<kExperimentRows>();
}

std::span<const Parameter> fields() {
  static const std::vector<Parameter> kAll =
      one_list({measured_fields().parameters(), experiment_fields().parameters()});
  return kAll;
}

}  // namespace holdfast::workflow
