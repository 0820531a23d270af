#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/parameter.hpp"
#include "holdfast/field/pace.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace holdfast::field {

/// Returns the options for the plan, as rows, which come in addition to the fields of a checkpoint instance.
[[nodiscard]] std::span<const Parameter> advice_parameters();

/// The input from which an advisor is made.
struct AdvisorRequest {
  Value instance;                   ///< a checkpoint instance, in which every field is optional
  std::filesystem::path directory;  ///< folder to which the paths in it refer
  Value advice;                     ///< values given for advice_parameters(), by name
  /// Names of the job's nodes, if the instance does not give their number.
  std::vector<std::string> nodes = {};
  std::optional<entry::Estimate> estimate = {};  ///< that of an earlier guard of the job
};

/// Returns the document of kind "advisor", without header.
[[nodiscard]] Value advisor_document(const AdvisorRequest& request);

/// An advisor that implements Pace.
struct AdvisorPace {
  std::unique_ptr<Pace> pace;
  std::vector<std::string> notes;  ///< what the user should know about the failure law in use
};

/// Makes an advisor. Errors name the fields of the instance, or the options.
[[nodiscard]] Result<AdvisorPace> make_advisor_pace(const AdvisorRequest& request, double now);

}  // namespace holdfast::field
