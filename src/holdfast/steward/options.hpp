#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/parameter.hpp"
#include "holdfast/steward/capacity_source.hpp"
#include "holdfast/steward/core.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace holdfast::steward {

/// The options of `capacity serve`.
struct Options {
  std::string nodes;  ///< as Slurm writes lists; empty: those of the partition
  std::string partition;
  std::string policy = "packed-target-asap";
  StrategySpec spec;
  Switch how = Switch::drain;
  CapacitySource::Options capacity;
  std::string notices;
  std::string price, price_column, carbon, carbon_column;
  double hold = 600;  ///< seconds
  std::string reference;
  std::optional<std::int64_t> safe;
  bool act = false;
  bool once = false;
  double every = 1;  ///< seconds
  std::string directory;
  std::string metrics_file;
  std::string status;
};

/// Returns the options as parameters.
[[nodiscard]] std::span<const Parameter> serve_parameters();
/// Reads their values. Errors name the field.
[[nodiscard]] Result<Options> read_options(const Value& values);

}  // namespace holdfast::steward
