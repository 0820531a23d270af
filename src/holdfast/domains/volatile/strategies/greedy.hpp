#pragma once

#include "holdfast/domains/volatile/strategy.hpp"

#include <vector>

namespace holdfast::volatile_workers {

/// A builder that assigns the tasks one by one, each to the worker that gives the configuration the best score; ties go to the
/// lowest index. This is the direct form: it values every candidate at every step.
/// Source: Casanova et al. 2012, section 5.1 (IP, IE, IY, IAY).
class Greedy final : public Builder {
 public:
  /// Both arguments must outlive the builder.
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
