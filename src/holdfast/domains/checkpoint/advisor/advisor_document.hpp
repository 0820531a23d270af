#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/field.hpp"
#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/checkpoint/advisor/advisor.hpp"
#include "holdfast/domains/checkpoint/instance.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace holdfast::checkpoint {

/// A document of kind "advisor", read: a job that runs, and how it wants to be advised.
struct AdvisorPlan {
  Instance instance;  ///< its checkpoint is 0 if settings.checkpoint is absent
  /// Bounds, guesses, trust; the rule too, if the strategy is an advisor's.
  AdvisorSettings settings;
  StrategySpec strategy;  ///< advised where nobody says so
  /// Names, in the order of the advisor's numbers; empty: nobody tells them apart.
  std::vector<std::string> nodes;
};

/// Reads and checks a document: the fields of an instance, of which `checkpoint` and `failures` may be absent, and `strategy`,
/// `first`, `flush`, `min_interval`, `max_interval`, `max_overhead`, `trust` (a number or "inf"), `nodes` (names).
/// What had to be decided stands in the instance's notes.
/// @param directory  where the relative paths of files in the document start
[[nodiscard]] Result<AdvisorPlan> read_advisor(const Value& document,
                                               const std::filesystem::path& directory);

/// Returns the fields that it has beside those of an instance, as far as they are plain.
[[nodiscard]] const Fields<AdvisorSettings>& advisor_fields();

/// Returns the advisor of that job, whose ages are those of the date `now`.
[[nodiscard]] Result<Advisor> make_advisor(const AdvisorPlan& plan, double now);

}  // namespace holdfast::checkpoint
