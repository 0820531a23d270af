#include "holdfast/domains/moldable/fields.hpp"

#include <array>
#include <type_traits>

namespace holdfast::moldable {
namespace {

// The fields that listed and random instances have in common.
template <class S>
constexpr auto platform_rows() {
  return std::to_array<Field<S>>({
      {.name = "processors",
       .summary = "processors of the machine",
       .member = member<&S::processors>,
       .range = between(1, static_cast<double>(kMostProcessors)),
       .is_required = std::is_same_v<S, Instance>},
      {.name = "error_rate",
       .summary = "silent errors per second of work on one processor",
       .member = member<&S::error_rate>,
       .unit = Unit::per_second,
       .range = non_negative(),
       .written = std::is_same_v<S, Instance> ? Written::unless_default : Written::always},
  });
}

constexpr auto kInstanceRows = platform_rows<Instance>();
constexpr auto kGeneratorRows =
    joined(std::to_array<Field<GeneratorParameters>>({
               {.name = "model",
                .summary = "family of the random jobs",
                .member = choice<&GeneratorParameters::model, kFamilies>},
               {.name = "jobs",
                .summary = "number of random jobs, if the instance lists none",
                .member = member<&GeneratorParameters::jobs>,
                .range = between(1, 1e8)},
           }),
           platform_rows<GeneratorParameters>());

}  // namespace

const Fields<Instance>& instance_fields() {
  return fields_of<kInstanceRows>();
}

const Fields<GeneratorParameters>& generator_fields() {
  return fields_of<kGeneratorRows>();
}

}  // namespace holdfast::moldable
