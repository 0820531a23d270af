#include "holdfast/domains/io/domain.hpp"

#include "holdfast/domains/io/decision.hpp"
#include "holdfast/domains/io/fields.hpp"
#include "holdfast/domains/io/metrics.hpp"
#include "holdfast/domains/io/point.hpp"
#include "holdfast/domains/io/schedule.hpp"
#include "holdfast/domains/io/strategies.hpp"
#include "holdfast/domains/io/verbs.hpp"

namespace holdfast::io {

const Domain& domain() {
  static const Domain kDomain{
      .name = "io",
      .question = "who gets the file system's bandwidth now?",
      .example = "holdfast io simulate --load 0.8 --length 2e5 --scenarios 40",
      .strategies = strategies(),
      .metrics = metrics(),
      .fields = fields(),
      .schedule = columns(),
      .recommended = "look-ahead-greedy-yield",
      .baseline = "fair-share",
      .verbs = verbs(),
      .decision = decision(),
      .open = open_point,
  };
  return kDomain;
}

}  // namespace holdfast::io
