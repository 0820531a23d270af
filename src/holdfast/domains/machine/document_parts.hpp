#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/machine/instance.hpp"

#include <filesystem>
#include <string>

namespace holdfast::machine {

/// Returns the document with fractions ("1/5") replaced by numbers, wherever a number may stand.
[[nodiscard]] Value without_fractions(const Value& document);

/// Reads `failures`: a law, a log that gives the law or is replayed, or `events` (see holdfast/inputs/failures.hpp).
/// @pre instance.nodes is set
[[nodiscard]] Status read_failures_of_machine(const Value& value, const std::string& where,
                                              const std::filesystem::path& directory,
                                              Instance& instance);

/// Reads the list `jobs`.
[[nodiscard]] Status read_jobs(const Value& list, const std::string& where, Instance& instance);
[[nodiscard]] Value jobs_value(const Instance& instance);

/// Reads `classes` (a file or a list) and `mix`, the number of endless jobs of each class ({"EAP": 12} or "EAP=12,LAP=4").
[[nodiscard]] Status read_class_list(const Value& value, const std::string& where,
                                     const std::filesystem::path& directory, double cores_per_node,
                                     Instance& instance);
[[nodiscard]] Status read_mix(const Value& value, const std::string& where, Instance& instance);
/// Adds the endless jobs of a mix. @pre every name of the mix is a class
void make_mix(Instance& instance);

}  // namespace holdfast::machine
