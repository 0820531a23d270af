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

/// A document of kind "advisor" in memory: a running job, and the settings of its advisor.
struct AdvisorPlan {
  Instance instance;  ///< its checkpoint is 0 if settings.checkpoint is absent
  /// Bounds, guesses and trust, and the rule if the strategy is an advisor's.
  AdvisorSettings settings;
  StrategySpec strategy;  ///< `advised` by default
  /// Names in the order of the advisor's numbers; empty: nodes are not distinguished.
  std::vector<std::string> nodes;
};

/// Reads and checks a document: the fields of an instance, of which `checkpoint` and `failures` may be absent, and `strategy`,
/// `first`, `flush`, `min_interval`, `max_interval`, `max_overhead`, `trust` (a number or "inf"), `nodes` (names). The
/// decisions of the reader are in the instance's notes.
/// @param directory  the folder to which relative paths of files in the document refer
[[nodiscard]] Result<AdvisorPlan> read_advisor(const Value& document,
                                               const std::filesystem::path& directory);

/// Returns the plain fields that such a document has in addition to those of an instance.
[[nodiscard]] const Fields<AdvisorSettings>& advisor_fields();

/// Returns the advisor of the plan's job, whose nodes have these ages at the date `now`.
[[nodiscard]] Result<Advisor> make_advisor(const AdvisorPlan& plan, double now);

}  // namespace holdfast::checkpoint
