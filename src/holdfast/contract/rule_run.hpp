#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/contract/decision.hpp"
#include "holdfast/contract/strategy_spec.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace holdfast {

/// A caller's rule in one run, for the `custom` strategy of a domain. It asks the rule, counts its decisions and checks its
/// answers. The first error is kept, and from then on the rule is not asked again.
class RuleRun {
 public:
  /// The largest length of an answer if the rule chooses the length.
  static constexpr std::size_t kLongest = 1'000'000;

  /// Prepares the run of the rule of a specification.
  /// @param table  the domain's table, which must outlive the run
  RuleRun(const StrategySpec& spec, const DecisionTable& table);

  /// Sets the realisation that the run will see. Call this before the first ask().
  void meet(const Draw& draw) { draw_ = draw; }

  /// Asks for a decision. Returns true if the answer has the right length and all its numbers are finite; the domain checks the
  /// rest. std::bad_alloc passes through.
  bool ask(DecisionInput told);
  /// Returns the answers of the last decision for that field, one per item.
  [[nodiscard]] std::span<const double> answer(std::size_t field = 0) const {
    return asked_[field];
  }
  /// Returns true if all numbers of the last answer lie in that range. The first number outside the range becomes the error of
  /// the run.
  bool all_in(const Range& range, std::size_t field = 0);
  /// Returns true if the number of one item lies in that range. Otherwise it becomes the error of the run.
  bool is_in(const Range& range, std::size_t item, std::size_t field = 0);
  /// Returns true if all numbers of the last answer are whole. The first one that is not whole becomes the error of the run.
  bool all_whole(std::size_t field = 0);
  /// Refuse one number of the last answer, or all of them.
  /// @param what  the message: "found 3, expected more than 4"
  void refuse(std::size_t field, std::size_t item, std::string what);
  void refuse(std::size_t field, std::string what);

  /// Returns the first error, placed at "strategy 'mine', decision 431: rates[3]".
  [[nodiscard]] const Status& status() const { return status_; }

 private:
  bool is_complete(std::size_t items);
  void note(ErrorCode code, std::string_view where, std::string what);

  const DecisionTable& table_;
  std::shared_ptr<const RuleMaker> maker_;
  Draw draw_;
  std::string name_;
  std::unique_ptr<Rule> rule_;  // made when the first decision is asked for
  DecisionAnswer asked_;
  std::uint64_t decisions_ = 0;  // number of decisions asked for so far; the first has number 0
  Status status_;
};

/// A strategy that lets a caller's rule decide, as a simulator sees it.
class DecidesByRule {
 public:
  virtual ~DecidesByRule() = default;
  /// Sets the realisation that the run will see. Call this before the first decision.
  virtual void meet(const Draw& draw) = 0;
  /// Returns the first error of a decision. After an error, the outcome of the run is meaningless.
  [[nodiscard]] virtual const Status& status() const = 0;
};

/// Returns the strategy as one that asks a caller's rule; null for a built-in strategy.
template <class Strategy>
[[nodiscard]] auto by_rule(Strategy& strategy) {
  using Ruled = std::conditional_t<std::is_const_v<Strategy>, const DecidesByRule, DecidesByRule>;
  return dynamic_cast<Ruled*>(&strategy);
}

/// Returns the first error in the decisions of a strategy; a built-in strategy has none.
template <class Strategy>
[[nodiscard]] Status status_of_rule(const Strategy& strategy) {
  const DecidesByRule* own = by_rule(strategy);
  return own == nullptr ? Status{} : own->status();
}

/// The part of the `custom` strategy that is the same in all domains. It derives from the domain's strategy class.
template <class Strategy>
class RuleStrategy : public Strategy, public DecidesByRule {
 public:
  /// Makes the strategy for one run of the rule.
  template <class... Arguments>
  RuleStrategy(const StrategySpec& spec, const DecisionTable& table, Arguments&&... arguments)
      : Strategy(std::forward<Arguments>(arguments)...), run_(spec, table) {}

  /// Sets the realisation that the run will see.
  void meet(const Draw& draw) final { run_.meet(draw); }
  /// Returns the first error of a decision.
  [[nodiscard]] const Status& status() const final { return run_.status(); }

 protected:
  /// It is mutable because strategies that serve many runs decide once, in a const function.
  mutable RuleRun run_;
};

}  // namespace holdfast
