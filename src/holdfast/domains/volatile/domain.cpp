#include "holdfast/domains/volatile/domain.hpp"

#include "holdfast/domains/volatile/fields.hpp"
#include "holdfast/domains/volatile/metrics.hpp"
#include "holdfast/domains/volatile/point.hpp"
#include "holdfast/domains/volatile/strategies.hpp"
#include "holdfast/domains/volatile/verbs.hpp"

namespace holdfast::volatile_workers {

const Domain& domain() {
  static const Domain kDomain{
      .name = "volatile",
      .question =
          "which of the machines that come and go should work now, and when to change them?",
      .example = "holdfast volatile simulate --workers 10 --tasks 10 --scenarios 200",
      .strategies = strategies(),
      .metrics = metrics(),
      .fields = fields(),
      .schedule = columns(),
      .recommended = "e-ie:estimator=restart",
      .baseline = "y-ie:estimator=paper",
      .verbs = verbs(),
      .open = open_point,
  };
  return kDomain;
}

}  // namespace holdfast::volatile_workers
