#include "holdfast/domains/io/fields.hpp"

#include "holdfast/contract/parameter_list.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace holdfast::io {
namespace {

constexpr auto kProfiles = std::to_array<std::string_view>({"default", "author"});
constexpr auto kTies = std::to_array<std::string_view>({"posting", "index"});
constexpr auto kHorizons = std::to_array<std::string_view>({"completion", "window"});
constexpr auto kTimers = std::to_array<std::string_view>({"grid", "rolling"});
constexpr auto kLearning = std::to_array<std::string_view>({"post", "complete"});
constexpr auto kWindows = std::to_array<std::string_view>({"rest", "whole"});
constexpr auto kLaws = std::to_array<std::string_view>({"io_first", "work_first"});
constexpr auto kOutputs = std::to_array<std::string_view>({"end", "never"});
constexpr auto kLongest = std::to_array<std::string_view>({"window", "gap"});
constexpr auto kHistories = std::to_array<std::string_view>({"window", "full"});

// The defaults of readings are those of the profile.
constexpr auto kReadingRows = std::to_array<Field<Reading>>({
    {.name = "profile",
     .summary = "default rules, or those of the authors' simulator",
     .kind = Kind::choice,
     .choices = kProfiles,
     .fallback = "default"},
    {.name = "ties",
     .summary = "order of operations with equal keys: by posting, if keys within 1e-12 count as "
                "equal; or by index, if only identical keys do (profile author)",
     .member = choice<&Reading::ties_by_index, kTies>,
     .fallback = "-"},
    {.name = "lookahead_horizon",
     .summary = "how far look-ahead-greedy-yield looks: to the first completion, or at most to the "
                "window's end (profile author)",
     .member = choice<&Reading::lookahead_in_window, kHorizons>,
     .fallback = "-"},
    {.name = "periodic_timer",
     .summary = "when periodic-greedy-yield decides: at the dates of a grid, or one period after "
                "its last decision (profile author)",
     .member = choice<&Reading::rolling_timer, kTimers>,
     .fallback = "-"},
    {.name = "set10_learning",
     .summary = "set-10 learns iteration times when an operation is posted, or when it is complete",
     .member = choice<&Reading::learn_at_completion, kLearning>},
    {.name = "best_next_event_horizon",
     .summary = "time over which best-next-event counts yields: the rest of the window, or its "
                "whole length (profile author)",
     .member = choice<&Reading::whole_window, kWindows>,
     .fallback = "-"},
});
constexpr auto kWindowRows = std::to_array<Field<Reading>>({
    {.name = "cut_phases",
     .summary = "cut phases at the end of the window, so that the volume of the last one looks "
                "smaller (profile author)",
     .member = member<&Reading::cut_phases>,
     .written = Written::never},  // written by code of its own, because false is written too
    {.name = "warmup",
     .summary = "fraction of the window at its start in which bandwidth is shared equally; only "
                "the rest is measured",
     .member = member<&Reading::warmup>,
     .range = {.minimum = 0, .maximum = 1, .below_maximum = true},
     .written = Written::unless_default},
    {.name = "lookahead_floor",
     .summary = "look-ahead-greedy-yield serves the lowest yield first if it is below this "
                "fraction of the median; 0: never",
     .member = member<&Reading::lookahead_floor>,
     .range = between(0, 1),
     .written = Written::unless_default},
});

// A row that listed windows and those of a workload have in common.
template <class S>
constexpr Field<S> nodes_row(FieldMember<S> nodes) {
  return {.name = "nodes",
          .summary = "nodes of the machine; workload: default by 'machine'",
          .member = nodes,
          .range = positive()};
}
constexpr auto kInstanceRows = std::to_array<Field<Instance>>({
    {.name = "allow_completion",
     .summary =
         "allow applications that have no phases left before the window ends; they are then idle",
     .member = member<&Instance::allow_completion>},
    nodes_row<Instance>(member<&Instance::nodes>),
});

constexpr auto kGeneratorRows = std::to_array<Field<GeneratorParameters>>({
    {.name = "applications",
     .summary = "generated: number of applications",
     .member = member<&GeneratorParameters::applications>,
     .range = between(1, 1e6)},
    {.name = "small",
     .summary = "generated: number of applications with iterations of about 1000 s",
     .member = member<&GeneratorParameters::small>,
     .range = non_negative()},
    {.name = "load",
     .summary = "generated: sum over all applications of the fraction of time that each would "
                "spend on I/O alone",
     .member = member<&GeneratorParameters::load>,
     .range = positive()},
    {.name = "spread",
     .summary = "generated: standard deviation of an iteration's length divided by its mean",
     .member = member<&GeneratorParameters::spread>,
     .range = non_negative()},
    {.name = "noise",
     .summary = "generated: each phase is its mean times 1 + U(-noise, noise)",
     .member = member<&GeneratorParameters::noise>,
     .range = between(0, 1)},
    {.name = "length",
     .summary = "generated: seconds of work and I/O of each application",
     .member = member<&GeneratorParameters::length>,
     .unit = Unit::seconds,
     .range = positive(),
     .fallback = "2e6"},
    {.name = "law",
     .summary = "generated: the kind of phase after the first, partial work phase",
     .member = choice<&GeneratorParameters::work_first, kLaws>},
    {.name = "ranks",
     .summary = "generated: also give the mean yield of each sixth of the applications, ordered by "
                "iteration length and by fraction of I/O",
     .member = member<&GeneratorParameters::ranks>},
});

constexpr auto kWorkloadRows = std::to_array<Field<WorkloadParameters>>({
    {.name = "classes",
     .summary =
         "workload: classes of applications (CSV); draws windows of a machine that runs them",
     .kind = Kind::file},
    {.name = "machine",
     .summary = "workload: the machine; 0 is Cielo, 1 to 10 are the future machines of the source",
     .range = kMachineSteps,
     .fallback = "0"},
    nodes_row<WorkloadParameters>(member<&WorkloadParameters::machine, &Machine::nodes>),
    {.name = "cores_per_node",
     .summary = "workload: cores per node; default by 'machine'",
     .member = member<&WorkloadParameters::machine, &Machine::cores_per_node>,
     .range = positive()},
    {.name = "node_bandwidth",
     .summary = "bandwidth of a node; workload: default by 'machine'",
     .member = member<&WorkloadParameters::machine, &Machine::node_bandwidth>,
     .unit = Unit::bytes_per_second,
     .range = positive()},
    {.name = "bandwidth",
     .summary = "bandwidth of the file system; workload: default by 'machine'",
     .member = member<&WorkloadParameters::machine, &Machine::bandwidth>,
     .unit = Unit::bytes_per_second,
     .range = positive()},
    {.name = "windows",
     .summary = "workload: number of windows to keep from each schedule, the longest ones",
     .member = member<&WorkloadParameters::windows>,
     .range = between(1, 1e6)},
    {.name = "longest",
     .summary = "workload: which windows count as longest: by their length, or by the gap between "
                "two starts",
     .member = choice<&WorkloadParameters::by_gap, kLongest>},
    {.name = "shortest_phase",
     .summary = "workload: shorter phases are left out",
     .member = member<&WorkloadParameters::shortest_phase>,
     .unit = Unit::seconds,
     .range = non_negative(),
     .fallback = "1ms"},
    {.name = "volume_scale",
     .summary = "workload: factor on all volumes",
     .member = member<&WorkloadParameters::volume_scale>,
     .range = positive()},
    {.name = "apex_output",
     .summary = "workload: whether applications that checkpoint write their output at the end or "
                "never (profile author)",
     .member = choice<&WorkloadParameters::skips_output, kOutputs>,
     .fallback = "-"},
    {.name = "history",
     .summary =
         "workload: whether applications are released when the window begins or when they started",
     .member = choice<&WorkloadParameters::full_history, kHistories>},
});

const Fields<Reading>& reading_fields() {
  return fields_of<kReadingRows>();
}

const Fields<Reading>& window_fields() {
  return fields_of<kWindowRows>();
}

}  // namespace

const Fields<Instance>& instance_fields() {
  return fields_of<kInstanceRows>();
}

const Fields<GeneratorParameters>& generator_fields() {
  return fields_of<kGeneratorRows>();
}

const Fields<WorkloadParameters>& workload_fields() {
  return fields_of<kWorkloadRows>();
}

std::span<const Parameter> fields() {
  static const std::vector<Parameter> kFields = one_list(
      {reading_fields().parameters(), window_fields().parameters(), instance_fields().parameters(),
       generator_fields().parameters(), workload_fields().parameters()});
  return kFields;
}

bool follows_author(ObjectReader& read) {
  return read.choice_or("profile", kProfiles, 0) == 1;
}

Reading read_reading(ObjectReader& read) {
  const bool author = follows_author(read);
  Reading out{.ties_by_index = author,
              .lookahead_in_window = author,
              .rolling_timer = author,
              .whole_window = author,
              .cut_phases = author};
  reading_fields().read(read, out);
  window_fields().read(read, out);
  return out;
}

void write_reading(const Reading& reading, Value& document) {
  reading_fields().write(reading, document);
  document.set("cut_phases", reading.cut_phases);
  window_fields().write(reading, document);
}

}  // namespace holdfast::io
