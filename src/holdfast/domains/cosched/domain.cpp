#include "holdfast/domains/cosched/domain.hpp"

#include "holdfast/domains/cosched/fields.hpp"
#include "holdfast/domains/cosched/metrics.hpp"
#include "holdfast/domains/cosched/point.hpp"
#include "holdfast/domains/cosched/schedule.hpp"
#include "holdfast/domains/cosched/strategies.hpp"
#include "holdfast/domains/cosched/verbs.hpp"

namespace holdfast::cosched {

const Domain& domain() {
  static const Domain kDomain{
      .name = "cosched",
      .question =
          "how are processors redistributed among co-scheduled applications after a failure?",
      .example = "holdfast cosched simulate --tasks 20 --processors 200 --scenarios 20",
      .strategies = strategies(),
      .metrics = metrics(),
      .fields = generator_fields().parameters(),
      .schedule = columns(),
      .recommended = "iterated-greedy-end-local",
      .baseline = "none",
      .verbs = verbs(),
      .open = open_point,
  };
  return kDomain;
}

}  // namespace holdfast::cosched
