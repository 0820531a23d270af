#pragma once

#include "holdfast/contract/field.hpp"
#include "holdfast/domains/io/generator.hpp"
#include "holdfast/domains/io/instance.hpp"
#include "holdfast/domains/io/workload.hpp"

#include <span>

namespace holdfast::io {

/// Returns all that may be given as options: of listed windows, of random ones and of those of a workload.
[[nodiscard]] std::span<const Parameter> fields();

[[nodiscard]] const Fields<GeneratorParameters>& generator_fields();
/// Classes and machine apart, which are read by hand.
[[nodiscard]] const Fields<WorkloadParameters>& workload_fields();
/// Returns the fields of a listed window without the file system and the applications, whose numbers may be fractions.
[[nodiscard]] const Fields<Instance>& instance_fields();

/// Takes the fields that say how the source is read; errors stay in the reader.
[[nodiscard]] Reading read_reading(ObjectReader& read);
/// And writes them.
void write_reading(const Reading& reading, Value& document);
/// Returns whether the readings are those of the authors' simulator, where a field does not say otherwise.
[[nodiscard]] bool follows_author(ObjectReader& read);

/// A workload's `machine`, the step of machine_of().
inline constexpr Range kMachineSteps{.minimum = 0, .maximum = 10};

}  // namespace holdfast::io
