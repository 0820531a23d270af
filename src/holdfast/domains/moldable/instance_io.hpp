#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/parameter.hpp"
#include "holdfast/domains/moldable/generator.hpp"
#include "holdfast/domains/moldable/instance.hpp"

#include <filesystem>
#include <optional>
#include <span>

namespace holdfast::moldable {

/// Returns true if `jobs` is a number or absent, so that jobs must be drawn.
[[nodiscard]] bool describes_generator(const Value& parameters);

/// Reads and checks an instance document. In addition to the fields of the interface it may have
///
///   "speedups": {"NAME": {...}}      shared by jobs whose "speedup" is the text "NAME"
///   "allocations": [...]             for `as-given`, instead of each job's "allocation"
///   a job's "failure_probability"    of one attempt, instead of the error rate
///   "command", "verify"              what jobs run and what verifies it, of all or of one job; for `submit`, not used here
///   "reference", "bound", "about", "clusters"
///                                    the values that `generate adversary:...` writes for a worst case; not used
[[nodiscard]] Result<Instance> read_instance(const Value& document);

/// Reads and checks the parameters of the generator.
/// @param directory  the folder to which relative paths refer
[[nodiscard]] Result<GeneratorParameters> read_generator(
    const Value& parameters, const std::filesystem::path& directory = ".");

/// Returns the document that reads back as the same instance, in canonical form.
[[nodiscard]] Value to_value(const Instance& instance);
[[nodiscard]] Value to_value(const GeneratorParameters& parameters);

}  // namespace holdfast::moldable
