#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/parameter.hpp"
#include "holdfast/field/pace.hpp"

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace holdfast::field {

/// Returns what a user may say about the plan, as rows, beside the fields of a checkpoint instance.
[[nodiscard]] std::span<const Parameter> advice_parameters();

/// What an advisor is made of.
struct AdvisorRequest {
  Value instance;                   ///< a checkpoint instance, of which everything may be absent
  std::filesystem::path directory;  ///< where the paths in it start
  Value advice;                     ///< what was given for advice_parameters(), by name
  /// Names of the job's nodes, where the instance does not say how many.
  std::vector<std::string> nodes = {};
  Value estimate = {};  ///< estimate of an earlier guard of the job; null: none
};

/// Returns the document of kind "advisor", without header.
[[nodiscard]] Value advisor_document(const AdvisorRequest& request);

/// An advisor as a pace.
struct AdvisorPace {
  std::unique_ptr<Pace> pace;
  std::vector<std::string> notes;  ///< what the user should know of the law that it goes by
};

/// Makes an advisor. Errors name the fields of the instance, or the options.
[[nodiscard]] Result<AdvisorPace> make_advisor_pace(const AdvisorRequest& request, double now);

}  // namespace holdfast::field
