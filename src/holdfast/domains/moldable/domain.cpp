#include "holdfast/domains/moldable/domain.hpp"

#include "holdfast/domains/moldable/decision.hpp"
#include "holdfast/domains/moldable/fields.hpp"
#include "holdfast/domains/moldable/metrics.hpp"
#include "holdfast/domains/moldable/point.hpp"
#include "holdfast/domains/moldable/schedule.hpp"
#include "holdfast/domains/moldable/strategies.hpp"
#include "holdfast/domains/moldable/verbs.hpp"

namespace holdfast::moldable {

const Domain& domain() {
  static const Domain kDomain{
      .name = "moldable",
      .question = "on how many processors should each job run, when some runs must be repeated?",
      .example =
          "holdfast moldable simulate --model communication --jobs 100 --processors 1000 "
          "--scenarios 20",
      .strategies = strategies(),
      .metrics = metrics(),
      .fields = generator_fields().parameters(),
      .schedule = columns(),
      .recommended = "batch-fit",
      .baseline = "min-time",
      .verbs = verbs(),
      .decision = decision(),
      .open = open_point,
  };
  return kDomain;
}

}  // namespace holdfast::moldable
