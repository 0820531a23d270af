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

/// A caller's rule at work in one run, for the `custom` strategy of a domain: asks it, counts its decisions, and checks
/// what comes back. The first error is kept; from then on the rule is not asked again.
class RuleRun {
 public:
  /// The longest answer where the rule chooses its length.
  static constexpr std::size_t kLongest = 1'000'000;

  /// @param table  of the domain; outlives the run
  RuleRun(const StrategySpec& spec, const DecisionTable& table);

  /// Which luck the run meets; before the first ask().
  void meet(const Draw& draw) { draw_ = draw; }

  /// Asks for a decision. True where the answer has its length and is made of finite numbers: the domain checks what
  /// else there is to check. Where memory runs out std::bad_alloc passes through.
  bool ask(Told told);
  /// Returns the answers of the last decision in that field, one per item.
  [[nodiscard]] std::span<const double> answer(std::size_t field = 0) const {
    return asked_[field];
  }
  /// Whether all numbers of the last answer lie in that range; the first that does not is the run's error.
  bool all_in(const Range& range, std::size_t field = 0);
  /// The same for one number of it, with a range of its own.
  bool is_in(const Range& range, std::size_t item, std::size_t field = 0);
  /// Whether they are whole numbers.
  bool all_whole(std::size_t field = 0);
  /// Refuses a number of the last answer, or all of them.
  /// @param what  "found 3, expected more than 4"
  void refuse(std::size_t field, std::size_t item, std::string what);
  void refuse(std::size_t field, std::string what);

  /// What went wrong, placed: "strategy 'mine', decision 431: rates[3]".
  [[nodiscard]] const Status& status() const { return status_; }

 private:
  bool is_complete(std::size_t items);
  void note(ErrorCode code, std::string_view where, std::string what);

  const DecisionTable& table_;
  std::shared_ptr<const RuleMaker> maker_;
  Draw draw_;
  std::string name_;
  std::unique_ptr<Rule> rule_;  // made when it is first asked
  Asked asked_;
  std::uint64_t decisions_ = 0;  // asked for; the first has number 0
  Status status_;
};

/// The strategy of a run that decides by a caller's rule, as whoever runs it sees it.
class DecidesByRule {
 public:
  virtual ~DecidesByRule() = default;
  /// Which luck the run meets, before the first decision.
  virtual void meet(const Draw& draw) = 0;
  /// Whether all decisions could be taken. Where one could not, what the run gave says nothing.
  [[nodiscard]] virtual const Status& status() const = 0;
};

/// The strategy as one that decides by a rule; null for a built-in one.
template <class Strategy>
[[nodiscard]] auto by_rule(Strategy& strategy) {
  using Wanted = std::conditional_t<std::is_const_v<Strategy>, const DecidesByRule, DecidesByRule>;
  return dynamic_cast<Wanted*>(&strategy);
}

/// What went wrong in the decisions of a strategy; nothing in those of a built-in one.
template <class Strategy>
[[nodiscard]] Status status_of_rule(const Strategy& strategy) {
  const DecidesByRule* own = by_rule(strategy);
  return own == nullptr ? Status{} : own->status();
}

/// The `custom` strategy of a domain, but for its decisions: derives from the domain's class of strategies.
template <class Strategy>
class RuleStrategy : public Strategy, public DecidesByRule {
 public:
  template <class... Arguments>
  RuleStrategy(const StrategySpec& spec, const DecisionTable& table, Arguments&&... arguments)
      : Strategy(std::forward<Arguments>(arguments)...), run_(spec, table) {}

  void meet(const Draw& draw) final { run_.meet(draw); }
  [[nodiscard]] const Status& status() const final { return run_.status(); }

 protected:
  /// Mutable: strategies that serve many runs decide once, in a const function.
  mutable RuleRun run_;
};

}  // namespace holdfast
