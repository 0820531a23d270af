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

/// What a document asks for: what it fixes, and what is drawn. Jobs and capacity may each be listed in the document, read
/// from a file, or drawn: jobs per instance, capacity per instance and scenario.
struct Problem {
  Instance fixed;  ///< without what is drawn
  bool draws_jobs = false;
  bool draws_capacity = false;
  GeneratorParameters generator;   ///< generator of what is drawn
  Value definition;                ///< canonical; of files, what they held and not where they lie
  std::vector<std::string> notes;  ///< what was left out of files or repaired
  std::int64_t left_out = 0;       ///< jobs of a log that cannot run, or are longer than asked for

  [[nodiscard]] bool is_fixed() const { return !draws_jobs && !draws_capacity; }
};

/// Document -> problem, checked. Errors carry a JSON pointer or the name of a file.
/// @param directory  where relative paths start
[[nodiscard]] Result<Problem> read_problem(const Value& document,
                                           const std::filesystem::path& directory = ".");

/// Returns the instance of a draw. One and the same for every strategy.
[[nodiscard]] Instance draw(const Problem& problem, std::uint64_t seed, std::uint64_t instance,
                            std::uint64_t scenario);

/// Makes the instance of a draw that of another scenario: the capacity changes, where it is drawn.
void draw_capacity(const Problem& problem, std::uint64_t seed, std::uint64_t index,
                   std::uint64_t scenario, Instance& instance);

/// Returns the document that reads back as the same instance.
[[nodiscard]] Value to_value(const Instance& instance);

}  // namespace holdfast::capacity
