#include "holdfast/domains/workflow/domain.hpp"

#include "holdfast/domains/workflow/decision.hpp"
#include "holdfast/domains/workflow/fields.hpp"
#include "holdfast/domains/workflow/metrics.hpp"
#include "holdfast/domains/workflow/point.hpp"
#include "holdfast/domains/workflow/schedule.hpp"
#include "holdfast/domains/workflow/strategies.hpp"
#include "holdfast/domains/workflow/verbs.hpp"

namespace holdfast::workflow {

const Domain& domain() {
  static const Domain kDomain{
      .name = "workflow",
      .question = "how often should each task of a workflow checkpoint?",
      .example =
          "holdfast workflow simulate --family seismology --tasks 2000 --processors 1000 "
          "--scenarios 200",
      .strategies = strategies(),
      .metrics = metrics(),
      .fields = fields(),
      .schedule = columns(),
      .recommended = "check-more",
      .baseline = "min-exp",
      .verbs = verbs(),
      .decision = decision(),
      .open = open_point,
  };
  return kDomain;
}

}  // namespace holdfast::workflow
