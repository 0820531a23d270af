#include "holdfast/domains/volatile/toolbox.hpp"

namespace holdfast::volatile_workers {

Evaluator& Toolbox::evaluator(Estimator estimator) {
  auto& known = evaluators_[estimator];
  if (!known) {
    known = std::make_unique<Evaluator>(*instance_, estimator, Evaluator::Memory::sets_and_workers);
  }
  return *known;
}

DecisionTrie& Toolbox::trie(Estimator estimator, Criterion criterion) {
  auto& known = tries_[{estimator, criterion}];
  if (!known) known = std::make_unique<DecisionTrie>(evaluator(estimator), criterion);
  return *known;
}

}  // namespace holdfast::volatile_workers
