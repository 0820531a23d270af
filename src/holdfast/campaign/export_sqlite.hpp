#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/results.hpp"

#include <filesystem>

namespace holdfast {

/// Writes a database with the table `results` into an empty file: one row per finished cell, in the order in which they were
/// stored, with position, parameters (as JSON), strategy_text, seed, instance, scenario, completed, in_statistics, seconds (wall
/// time), and a column per metric.
[[nodiscard]] Status write_sqlite(const Results& results, const std::filesystem::path& file);

}  // namespace holdfast
