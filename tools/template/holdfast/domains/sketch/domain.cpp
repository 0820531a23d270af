#include "holdfast/domains/sketch/domain.hpp"

#include "holdfast/domains/sketch/instance_io.hpp"
#include "holdfast/domains/sketch/metrics.hpp"
#include "holdfast/domains/sketch/point.hpp"
#include "holdfast/domains/sketch/strategies.hpp"
#include "holdfast/domains/sketch/verbs.hpp"

namespace holdfast::sketch {

const Domain& domain() {
  static const Domain kDomain{
      .name = "sketch",
      .question = "how much work should this job do before it saves its state?",
      .example = "holdfast sketch simulate --work 100s --save 10s --mtbf 200s",
      .strategies = strategies(),
      .metrics = metrics(),
      .fields = fields().parameters(),
      .schedule = columns(),
      .recommended = "parts",
      .baseline = "whole",
      .verbs = verbs(),
      .open = open_point,
  };
  return kDomain;
}

}  // namespace holdfast::sketch
