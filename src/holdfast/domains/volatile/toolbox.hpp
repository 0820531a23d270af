#pragma once

#include "holdfast/domains/volatile/decision_trie.hpp"
#include "holdfast/domains/volatile/evaluator.hpp"

#include <map>
#include <memory>
#include <utility>

namespace holdfast::volatile_workers {

/// What the strategies of one instance share: the values of sets, and the decisions that depend on
/// who is up and nothing else. Made as far as somebody asks.
class Toolbox {
 public:
  /// The instance outlives the toolbox.
  explicit Toolbox(const Instance& instance) : instance_{&instance} {}

  [[nodiscard]] const Instance& instance() const { return *instance_; }
  /// @pre every worker has a chain
  [[nodiscard]] Evaluator& evaluator(Estimator estimator);
  [[nodiscard]] DecisionTrie& trie(Estimator estimator, Criterion criterion);

 private:
  const Instance* instance_;
  std::map<Estimator, std::unique_ptr<Evaluator>> evaluators_;
  std::map<std::pair<Estimator, Criterion>, std::unique_ptr<DecisionTrie>> tries_;
};

}  // namespace holdfast::volatile_workers
