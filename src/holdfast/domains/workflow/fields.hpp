#pragma once

#include "holdfast/contract/field.hpp"
#include "holdfast/domains/workflow/generator.hpp"
#include "holdfast/domains/workflow/instance.hpp"

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace holdfast::workflow {

/// The laws of the time between two failures of one processor.
inline constexpr auto kLaws =
    std::to_array<std::string_view>({"exponential", "weibull", "gamma", "lognormal"});

/// What is taken from a measured workflow, and the defaults for what it does not say.
struct MeasuredOptions {
  bool use_cores = false;                 ///< true: the tasks' cores are their processors
  std::optional<double> default_runtime;  ///< seconds, for tasks without a run time
};

/// Returns the fields of the instance document and of the generator, as options and campaign parameters.
[[nodiscard]] std::span<const Parameter> fields();

/// Return the fields of a measured workflow; of any listed workflow; of a random one.
[[nodiscard]] const Fields<MeasuredOptions>& measured_fields();
[[nodiscard]] const Fields<Machine>& machine_fields();
[[nodiscard]] const Fields<Costs>& cost_fields();
[[nodiscard]] const Fields<Experiment>& experiment_fields();

}  // namespace holdfast::workflow
