#include "holdfast/domains/capacity/domain.hpp"

#include "holdfast/domains/capacity/fields.hpp"
#include "holdfast/domains/capacity/metrics.hpp"
#include "holdfast/domains/capacity/point.hpp"
#include "holdfast/domains/capacity/strategies.hpp"
#include "holdfast/domains/capacity/verbs.hpp"

namespace holdfast::capacity {

const Domain& domain() {
  static const Domain kDomain{
      .name = "capacity",
      .question = "which machine gets which job when power comes and goes?",
      .example =
          "holdfast capacity simulate --family log-scale --machine-range 16 --job-count 2000 "
          "--window 1d,5d",
      .strategies = strategies(),
      .metrics = metrics(),
      .fields = fields(),
      .schedule = columns(),
      .recommended = "packed-target-asap",
      .baseline = "first-fit-aware",
      .verbs = verbs(),
      .open = open_point,
  };
  return kDomain;
}

}  // namespace holdfast::capacity
