#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/machine/instance.hpp"

#include <filesystem>
#include <string>

namespace holdfast::machine {

/// Returns the document with numbers instead of fractions ("1/5"), wherever a number may stand.
[[nodiscard]] Value without_fractions(const Value& document);

/// `failures`: a law, a log that gives it or is replayed, or `events`: holdfast/inputs/failures.hpp. @pre instance.nodes
[[nodiscard]] Status read_failures_of_machine(const Value& value, const std::string& where,
                                              const std::filesystem::path& directory,
                                              Instance& instance);

/// `jobs`: a list of them.
[[nodiscard]] Status read_jobs(const Value& list, const std::string& where, Instance& instance);
[[nodiscard]] Value jobs_value(const Instance& instance);

/// `classes` and `mix`: a file or a list, and how many endless jobs of each run ({"EAP": 12} or "EAP=12,LAP=4").
[[nodiscard]] Status read_class_list(const Value& value, const std::string& where,
                                     const std::filesystem::path& directory, double cores_per_node,
                                     Instance& instance);
[[nodiscard]] Status read_mix(const Value& value, const std::string& where, Instance& instance);
/// The endless jobs of a mix. @pre every name of the mix is a class
void make_mix(Instance& instance);

}  // namespace holdfast::machine
