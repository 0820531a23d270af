#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/contract/draw.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Strategies from outside. A domain says what it lets somebody else decide, what it tells and what it asks; a program
/// that uses the library brings a rule that decides. The only calls across the contract that happen per event are those
/// of such a rule (docs/decisions/0042).
namespace holdfast {

/// A number that a rule is told, or that it is asked for.
struct DecisionField {
  std::string_view name;     ///< "remaining"
  std::string_view summary;  ///< one line
  Unit unit = Unit::none;
  bool per_item = true;  ///< one for each item, as against one for the whole decision
};

/// What a domain lets somebody else decide. All numbers of a decision are told and asked at once.
struct DecisionTable {
  std::string_view name = {};  ///< "share"; empty: nothing can be decided from outside
  std::string_view when = {};  ///< one line: "at every event of the window"
  std::string_view items =
      {};  ///< what the items are: "operations that wait"; empty: there are none
  std::span<const DecisionField> told = {};
  std::span<const DecisionField> asked = {};
  std::span<const DecisionField> curves = {};  ///< functions of one number that a rule may evaluate
  bool is_list =
      false;  ///< the answer has a length of its own, and is not one number for each item

  [[nodiscard]] bool is_empty() const { return name.empty(); }
};

/// What a rule is told: views that are valid during the call.
struct Told {
  /// y[i] is the curve at x[i], of item[i] (which is not looked at where the curve belongs to the whole); NaN where the
  /// curve is not defined.
  using Evaluate = std::function<void(std::size_t curve, std::span<const std::uint32_t> item,
                                      std::span<const double> x, std::span<double> y)>;

  const DecisionTable* table = nullptr;
  std::size_t items = 0;
  std::span<const double> scalars = {};  ///< what is told once, in the order of the table
  std::span<const std::span<const double>> columns = {};  ///< what is told per item, each [items]
  Evaluate evaluate = {};

  // By the names of the table. A name that it does not have throws std::out_of_range, which ends the run with an error
  // that says so.
  /// One number for each item.
  [[nodiscard]] std::span<const double> operator[](std::string_view name) const;
  /// A number that is told once.
  [[nodiscard]] double once(std::string_view name) const;
  [[nodiscard]] double curve(std::string_view name, double x, std::uint32_t item = 0) const;
};

/// What a rule answers: for each asked field of the table one number per item, in their order (of a list as many as the
/// rule wants). The lists come with their length, filled with NaN.
using Asked = std::vector<std::vector<double>>;

/// Decides in place of a built-in strategy. One object serves one run, on one thread.
class Rule {
 public:
  virtual ~Rule() = default;
  /// What comes back is checked as strictly as input. An error, or an exception, ends the run with the rule's name.
  virtual Status decide(const Told& told, Asked& asked) = 0;
};

/// Makes one rule for each run. Shared by the threads of a campaign, which may call it at the same time.
class RuleMaker {
 public:
  virtual ~RuleMaker() = default;
  /// @param draw  which luck the run meets; a rule's own random numbers come from it. For decisions that are made once
  ///     for all scenarios: of scenario 0, and where the document lists all itself Draw{}
  [[nodiscard]] virtual Result<std::unique_ptr<Rule>> start(const Draw& draw) const = 0;
};

/// A rule under the name by which strategies refer to it: "custom:NAME".
struct OwnRule {
  std::string name;  ///< without blanks, ':' and ','
  std::int64_t version =
      1;  ///< to be raised when the rule changes: stored cells of another version are not taken for it
  std::shared_ptr<const RuleMaker> maker;
};

}  // namespace holdfast
