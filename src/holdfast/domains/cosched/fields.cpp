#include "holdfast/domains/cosched/fields.hpp"

#include <array>
#include <type_traits>

namespace holdfast::cosched {
namespace {

// At least one pair, and at most as many as a run can hold: each pair has an entry in the table of owners.
constexpr Range kProcessors{.minimum = 2, .maximum = 1e8};
constexpr Range kData{.minimum = 1, .above_minimum = true};

// The fields that listed and random instances have in common.
template <class S>
constexpr auto platform_rows() {
  return std::to_array<Field<S>>({
      {.name = "processors",
       .summary = "processors of the machine",
       .member = member<&S::processors>,
       .range = kProcessors,
       .is_required = std::is_same_v<S, Instance>},
      {.name = "mtbf",
       .summary = "mean time between failures of one processor",
       .member = member<&S::mtbf>,
       .unit = Unit::seconds,
       .range = positive()},
      {.name = "platform_mtbf",
       .summary = "mean time between failures of the whole machine, instead of the mtbf: for one "
                  "processor it is 'processors' times as long",
       .unit = Unit::seconds,
       .range = positive()},
      {.name = "downtime",
       .summary = "time from a failure to the start of the recovery",
       .member = member<&S::downtime>,
       .unit = Unit::seconds,
       .range = non_negative()},
      {.name = "checkpoint_unit_cost",
       .summary = "processor-seconds to save one unit of data",
       .member = member<&S::checkpoint_unit_cost>,
       .range = non_negative()},
      {.name = "redistribution_unit_cost",
       .summary = "factor on the cost of moving data; 0 makes moves free",
       .member = member<&S::redistribution_unit_cost>,
       .range = non_negative()},
      {.name = "fault_free",
       .summary = "no failures and no checkpoints",
       .member = member<&S::fault_free>},
  });
}

constexpr auto kPlatformRows = platform_rows<Instance>();

constexpr auto kGeneratorRows =
    joined(platform_rows<GeneratorParameters>(),
           std::to_array<Field<GeneratorParameters>>({
               {.name = "tasks",
                .summary = "number of random tasks, if the instance lists none",
                .member = member<&GeneratorParameters::tasks>,
                .range = between(1, 1e7)},
               {.name = "minimum_data",
                .summary = "smallest size of random tasks, in units of data",
                .member = member<&GeneratorParameters::minimum_data>,
                .range = kData,
                .fallback = "1.5e6"},
               {.name = "maximum_data",
                .summary = "largest size of random tasks, in units of data",
                .member = member<&GeneratorParameters::maximum_data>,
                .range = kData,
                .fallback = "2.5e6"},
               {.name = "sequential_fraction",
                .summary = "sequential fraction of tasks with the default profile",
                .member = member<&GeneratorParameters::sequential_fraction>,
                .range = between(0, 1)},
           }));

}  // namespace

const Fields<Instance>& platform_fields() {
  return fields_of<kPlatformRows>();
}

const Fields<GeneratorParameters>& generator_fields() {
  return fields_of<kGeneratorRows>();
}

}  // namespace holdfast::cosched
