#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/parameter.hpp"
#include "holdfast/inputs/failure_model.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace holdfast {

struct NamedNodes;

/// The kind of unit that fails. It decides the unit's name and the fields of documents.
enum class FailingUnit : std::uint8_t {
  processor,  ///< a processor of one job
  node,       ///< a node of a machine: ages are given next to the law, and a log may be replayed
};

/// Reads the object "failures": a law ({"distribution", ...}), a mean alone ({"mtbf"} or {"platform_mtbf"}: exponential), a log
/// ({"log", ...}: read_logged_platform()), or `events` ([[time, unit], ...]), alone or in addition to one of these.
/// @param where  pointer to the object, for errors
/// @param directory  the folder to which relative paths refer
/// @param units  number of units that fail independently
/// @param named  the nodes of a job whose ages are wanted; null: the ages of all nodes of the log
[[nodiscard]] Result<GivenFailures> read_failures(const Value& object, const std::string& where,
                                                  const std::filesystem::path& directory,
                                                  FailingUnit unit, std::int64_t units,
                                                  const NamedNodes* named = nullptr);

/// Returns the same as a document, with the results of the log instead of its name: law, observed mean, events, and these ages.
[[nodiscard]] Value failures_value(const FailureModel& model, std::span<const AgeGroup> ages = {});

/// Returns the options for the fields of that object.
[[nodiscard]] std::span<const Parameter> failure_options(FailingUnit unit);

}  // namespace holdfast
