#include "holdfast/domains/moldable/fields.hpp"

#include "holdfast/contract/parameter_list.hpp"
#include "holdfast/inputs/job_fields.hpp"

#include <array>
#include <type_traits>
#include <vector>

namespace holdfast::moldable {
namespace {

// The fields that listed and random instances have in common.
template <class S>
constexpr auto platform_rows() {
  return joined(
      std::to_array<Field<S>>({
          {.name = "processors",
           .summary = "processors of the machine; with a log, those of its machine by default",
           .member = member<&S::processors>,
           .range = between(1, static_cast<double>(kMostProcessors)),
           .is_required = std::is_same_v<S, Instance>},
      }),
      error_rows<S>(std::is_same_v<S, Instance> ? Written::unless_default : Written::always));
}

constexpr auto kInstanceRows = platform_rows<Instance>();
constexpr auto kGeneratorRows = joined(
    std::to_array<Field<GeneratorParameters>>({
        {.name = "model",
         .summary = "family of the random jobs, whose speedups jobs of a log have too",
         .member = choice<&GeneratorParameters::model, kFamilies>},
        {.name = "jobs",
         .summary = "number of random jobs, if the instance lists none; with a log: of jobs of "
                    "the log, from a random one on",
         .member = member<&GeneratorParameters::jobs>,
         .range = between(1, 1e8)},
        {.name = "sequential_fraction",
         .summary = "sequential fraction of all random jobs of amdahl and mix, and of jobs of a "
                    "log; default: random",
         .member = member<&GeneratorParameters::sequential_fraction>,
         .range = between(0, 1)},
        releases_row<GeneratorParameters>(),
    }),
    platform_rows<GeneratorParameters>());

}  // namespace

std::span<const Parameter> fields() {
  static const std::vector<Parameter> kFields =
      one_list({generator_fields().parameters(), logged_sizes_options()});
  return kFields;
}

const Fields<Instance>& instance_fields() {
  return fields_of<kInstanceRows>();
}

const Fields<GeneratorParameters>& generator_fields() {
  return fields_of<kGeneratorRows>();
}

}  // namespace holdfast::moldable
