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

/// Strategies that a caller brings. A domain declares a decision that it leaves to others, with the information that it gives
/// and the answer that it expects. A program that uses the library supplies a rule that decides. Calls of a rule are the only
/// calls across the contract that happen once per event (docs/decisions/0042).
namespace holdfast {

/// A number that is given to a rule, or that the rule has to answer.
struct DecisionField {
  std::string_view name;     ///< a short name: "remaining"
  std::string_view summary;  ///< one line for people
  Unit unit = Unit::none;    ///< the unit of the number
  bool per_item = true;      ///< true: one number for each item; false: one for the whole decision
};

/// A decision that a domain leaves to a rule. All numbers of one decision are given and asked for in one call.
struct DecisionTable {
  std::string_view name = {};  ///< the decision: "share"; empty if the domain takes no rules
  /// One line that says when it is taken: "at every event of the window".
  std::string_view when = {};
  /// One line that says what the items are: "waiting operations"; empty if there are none.
  std::string_view items = {};
  std::span<const DecisionField> told = {};    ///< the numbers that a rule is given
  std::span<const DecisionField> asked = {};   ///< the numbers that a rule has to answer
  std::span<const DecisionField> curves = {};  ///< functions of one number that a rule may evaluate
  /// True if the rule chooses the length of its answer; false if it answers one number for each item.
  bool is_list = false;

  /// Returns true if the domain takes no rules.
  [[nodiscard]] bool is_empty() const { return name.empty(); }
};

/// The information that is given to a rule. Its views are valid only during the call.
struct DecisionInput {
  /// A function that sets y[i] to the value of the curve of item[i] at x[i], and to NaN where the curve is not defined. A curve
  /// that belongs to the whole decision ignores `item`.
  using Evaluate = std::function<void(std::size_t curve, std::span<const std::uint32_t> item,
                                      std::span<const double> x, std::span<double> y)>;

  const DecisionTable* table = nullptr;  ///< the decision, with the names of its fields
  std::size_t items = 0;                 ///< number of items
  /// The numbers of the whole decision, in the order of the table.
  std::span<const double> scalars = {};
  /// The numbers of each item: one column of length `items` per field, in the order of the table.
  std::span<const std::span<const double>> columns = {};
  Evaluate evaluate = {};  ///< the values of the table's curves

  // Access by the names in the table. An unknown name throws std::out_of_range, which ends the run with an error that gives
  // that name.
  /// Returns the numbers of that field, one for each item.
  [[nodiscard]] std::span<const double> operator[](std::string_view name) const;
  /// Returns the number of that field, which belongs to the whole decision.
  [[nodiscard]] double once(std::string_view name) const;
  /// Returns the value of a curve at x, for one item.
  [[nodiscard]] double curve(std::string_view name, double x, std::uint32_t item = 0) const;
};

/// The answer of a rule: for each asked field of the table, one number per item in the order of the items (or, if the answer is
/// a list, any number of numbers). The lists arrive with their final length, filled with NaN.
using DecisionAnswer = std::vector<std::vector<double>>;

// Their names in release 0.1.0.
using Told [[deprecated("DecisionInput")]] = DecisionInput;
using Asked [[deprecated("DecisionAnswer")]] = DecisionAnswer;

/// A rule that decides in place of a built-in strategy. One object serves one run, on one thread.
class Rule {
 public:
  virtual ~Rule() = default;
  /// Takes one decision. The answer is checked as strictly as input. An error or an exception ends the run with a message that
  /// names the rule.
  virtual Status decide(const DecisionInput& told, DecisionAnswer& asked) = 0;
};

/// A factory that makes one rule for each run. The threads of a campaign share it and may call it at the same time.
class RuleMaker {
 public:
  virtual ~RuleMaker() = default;
  /// Makes the rule of one run.
  /// @param draw  the realisation that the run will see, from which a rule derives its own random numbers. A decision that is
  ///      taken once for all scenarios gets scenario 0, or Draw{} if the document itself fixes what happens.
  [[nodiscard]] virtual Result<std::unique_ptr<Rule>> start(const Draw& draw) const = 0;
};

/// A rule under the name by which strategies refer to it: "custom:NAME".
struct OwnRule {
  std::string name;  ///< a name without blanks, ':' and ','
  /// The version of the rule. Raise it whenever the rule changes: stored cells of other versions are then not reused.
  std::int64_t version = 1;
  std::shared_ptr<const RuleMaker> maker;  ///< the factory of the rule, never null
};

}  // namespace holdfast
