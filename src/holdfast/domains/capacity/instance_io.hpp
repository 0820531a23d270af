#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/capacity/generator.hpp"
#include "holdfast/domains/capacity/instance.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace holdfast::capacity {

/// The contents of a document: what it fixes, and what is drawn. Jobs and capacity may each be listed in the document, read
/// from a file, or drawn. Jobs are drawn per instance, capacity per instance and scenario.
struct Problem {
  Instance fixed;  ///< the instance without the drawn parts
  bool draws_jobs = false;
  bool draws_capacity = false;
  GeneratorParameters generator;  ///< generator of the drawn parts
  /// The document in canonical form, which has the contents of files instead of their paths.
  Value definition;
  std::vector<std::string> notes;  ///< what was left out of files, or repaired
  double compress =
      1;  ///< how much faster jobs of a log are submitted, because it fills one machine only
  std::int64_t left_out = 0;  ///< jobs of a log that cannot run, or are longer than allowed

  [[nodiscard]] bool is_fixed() const { return !draws_jobs && !draws_capacity; }
};

/// Reads and checks a document. Errors carry a JSON pointer or the name of a file.
/// @param directory  the folder to which relative paths refer
[[nodiscard]] Result<Problem> read_problem(const Value& document,
                                           const std::filesystem::path& directory = ".");

/// Returns the instance of a draw, which is the same for every strategy.
[[nodiscard]] Instance draw(const Problem& problem, std::uint64_t seed, std::uint64_t instance,
                            std::uint64_t scenario);

/// Turns the instance of a draw into that of another scenario: if the capacity is drawn, it changes.
void draw_capacity(const Problem& problem, std::uint64_t seed, std::uint64_t index,
                   std::uint64_t scenario, Instance& instance);

/// Returns the document that reads back as the same instance.
[[nodiscard]] Value to_value(const Instance& instance);

}  // namespace holdfast::capacity
