#pragma once

#include "holdfast/domains/volatile/decision_trie.hpp"
#include "holdfast/domains/volatile/evaluator.hpp"

#include <map>
#include <memory>
#include <utility>

namespace holdfast::volatile_workers {

/// The data that the strategies of one instance share: the values of sets of workers, and the decisions that depend only on
/// which workers are up. They are computed when they are first needed.
class Toolbox {
 public:
  /// The instance must outlive the toolbox.
  explicit Toolbox(const Instance& instance) : instance_{&instance} {}

  [[nodiscard]] const Instance& instance() const { return *instance_; }
  /// Returns the evaluator for an estimator. @pre every worker has a chain
  [[nodiscard]] Evaluator& evaluator(Estimator estimator);
  /// Returns the decisions for an estimator and a criterion. @pre every worker has a chain
  [[nodiscard]] DecisionTrie& trie(Estimator estimator, Criterion criterion);

 private:
  const Instance* instance_;
  std::map<Estimator, std::unique_ptr<Evaluator>> evaluators_;
  std::map<std::pair<Estimator, Criterion>, std::unique_ptr<DecisionTrie>> tries_;
};

}  // namespace holdfast::volatile_workers
