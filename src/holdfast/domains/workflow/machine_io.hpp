#pragma once

#include "holdfast/base/reader.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/workflow/generator.hpp"
#include "holdfast/domains/workflow/instance.hpp"

#include <cstdint>
#include <optional>

/// The fields of a document that are not about its tasks. For instance_io.
namespace holdfast::workflow {

/// Seconds for all tasks that say nothing else.
struct Costs {
  double checkpoint = 0;
  std::optional<double> recovery;  ///< nothing: as long as the checkpoint
};

/// What holds where the document is silent.
struct MachineDefaults {
  std::optional<std::int64_t> processors;  ///< nothing: the field is required
  std::optional<double> mtbf;              ///< nothing: no processor fails
};

/// Reads machine, costs and rules. On entry `costs` holds the defaults.
void read_machine(ObjectReader& read, Instance& instance, Costs& costs,
                  const MachineDefaults& defaults);
/// The same fields, in canonical form, without the costs.
[[nodiscard]] Value machine_value(const Instance& instance);

void read_generator(ObjectReader& read, Profile profile, GeneratorParameters& out);
void add_generator(const GeneratorParameters& generator, Value& out);

}  // namespace holdfast::workflow
