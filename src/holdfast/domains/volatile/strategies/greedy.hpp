#pragma once

#include "holdfast/domains/volatile/strategy.hpp"

#include <vector>

namespace holdfast::volatile_workers {

/// Gives the tasks out one by one, each to the worker with which the configuration so far scores
/// best; ties go to the lowest index. Direct: every candidate is valued at every step.
/// Source: Casanova et al. 2012, section 5.1 (IP, IE, IY, IAY).
class Greedy final : public Builder {
 public:
  /// Both outlive the builder.
  Greedy(Evaluator& evaluator, Criterion criterion)
      : evaluator_{&evaluator}, criterion_{criterion} {}

  [[nodiscard]] bool build(const Situation& situation, Assignment& assignment) override;

 private:
  Evaluator* evaluator_;
  Criterion criterion_;
  std::vector<std::int64_t> needs_;
  std::vector<std::uint32_t> members_, grown_;
};

}  // namespace holdfast::volatile_workers
