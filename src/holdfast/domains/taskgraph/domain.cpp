#include "holdfast/domains/taskgraph/domain.hpp"

#include "holdfast/domains/taskgraph/decision.hpp"
#include "holdfast/domains/taskgraph/fields.hpp"
#include "holdfast/domains/taskgraph/metrics.hpp"
#include "holdfast/domains/taskgraph/point.hpp"
#include "holdfast/domains/taskgraph/strategies.hpp"
#include "holdfast/domains/taskgraph/verbs.hpp"

namespace holdfast::taskgraph {

const Domain& domain() {
  static const Domain kDomain{
      .name = "taskgraph",
      .question =
          "on how many processors is each task of a graph launched, without seeing the "
          "rest of the graph?",
      .example =
          "holdfast taskgraph simulate --tasks 500 --model amdahl --processors 128 --error-rate "
          "1e-5 "
          "--scenarios 20",
      .strategies = strategies(),
      .metrics = metrics(),
      .fields = fields(),
      .schedule = columns(),
      .recommended = "capped-lpa",
      .baseline = "min-time",
      .verbs = verbs(),
      .decision = decision(),
      .open = open_point,
  };
  return kDomain;
}

}  // namespace holdfast::taskgraph
