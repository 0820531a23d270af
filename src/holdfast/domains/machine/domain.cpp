#include "holdfast/domains/machine/domain.hpp"

#include "holdfast/domains/machine/decision.hpp"
#include "holdfast/domains/machine/fields.hpp"
#include "holdfast/domains/machine/metrics.hpp"
#include "holdfast/domains/machine/point.hpp"
#include "holdfast/domains/machine/schedule.hpp"
#include "holdfast/domains/machine/strategies.hpp"
#include "holdfast/domains/machine/verbs.hpp"

namespace holdfast::machine {

const Domain& domain() {
  static const Domain kDomain{
      .name = "machine",
      .question = "when do the jobs of a machine checkpoint, and whose checkpoint goes first?",
      .example =
          "holdfast machine simulate --classes examples/data/machine-cielo.csv --mix "
          "EAP=12,LAP=4,Silverton=1,VPIC=1 --nodes 17235 --bandwidth 80GB/s --mtbf 17784h "
          "--horizon 40d --warmup 5d",
      .strategies = strategies(),
      .metrics = metrics(),
      .fields = fields(),
      .schedule = columns(),
      .recommended = "most-overdue",
      .baseline = "node-share",
      .verbs = verbs(),
      .decision = decision(),
      .open = open_point,
  };
  return kDomain;
}

}  // namespace holdfast::machine
