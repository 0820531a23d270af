#pragma once

#include "holdfast/contract/field.hpp"
#include "holdfast/domains/io/generator.hpp"
#include "holdfast/domains/io/instance.hpp"
#include "holdfast/domains/io/workload.hpp"

#include <span>

namespace holdfast::io {

/// Returns everything that may be given as an option, for listed windows, random ones and those of a workload.
[[nodiscard]] std::span<const Parameter> fields();

/// Returns the fields of randomly generated windows.
[[nodiscard]] const Fields<GeneratorParameters>& generator_fields();
/// Returns the fields of a workload, except `classes` and `machine`, which are read separately.
[[nodiscard]] const Fields<WorkloadParameters>& workload_fields();
/// Returns the fields of a listed window, except the file system and the applications, whose numbers may be fractions.
[[nodiscard]] const Fields<Instance>& instance_fields();

/// Reads the fields that choose a reading of the source; errors stay in the reader.
[[nodiscard]] Reading read_reading(ObjectReader& read);
/// Writes these fields.
void write_reading(const Reading& reading, Value& document);
/// Returns true if the readings are those of the authors' simulator by default.
[[nodiscard]] bool follows_author(ObjectReader& read);

/// The range of a workload's field `machine`, which is the argument of machine_of().
inline constexpr Range kMachineSteps{.minimum = 0, .maximum = 10};

}  // namespace holdfast::io
