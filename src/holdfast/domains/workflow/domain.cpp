#include "holdfast/domains/workflow/domain.hpp"

#include "holdfast/domains/workflow/decision.hpp"
#include "holdfast/domains/workflow/fields.hpp"
#include "holdfast/domains/workflow/metrics.hpp"
#include "holdfast/domains/workflow/point.hpp"
#include "holdfast/domains/workflow/schedule.hpp"
#include "holdfast/domains/workflow/strategies.hpp"
#include "holdfast/domains/workflow/verbs.hpp"

#include <array>

namespace holdfast::workflow {

namespace {

constexpr auto kDocument = std::to_array<ResultField>(
    {{"tasks?[].id?", "identifier of a task", Holds::text},
     {"tasks?[].length", "its run time without checkpoints", Unit::seconds},
     {"tasks?[].processors?", "processors that it needs", Holds::integer},
     {"tasks?[].checkpoint?", "time to write its checkpoint", Unit::seconds},
     {"tasks?[].recovery?", "time to read it", Unit::seconds},
     {"tasks?[].segments?", "number of segments of as-given", Holds::integer},
     {"tasks?[].duration?", "its time in the scenario", Unit::seconds},
     {"tasks?[].gaps?[]", "times between its failures in the scenario", Unit::seconds},
     {"tasks?[].parents?[]", "tasks that end before it starts", Holds::anything},
     {"tasks?.count", "number of tasks of a file", Holds::integer},
     {"tasks?.digest", "digest of these tasks", Holds::text}});

constexpr auto kDetails = std::to_array<ResultField>(
    {{"virtual_makespan?", "makespan of this run without limit of processors, for small workflows",
      Unit::seconds}});

}  // namespace

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
      .document = kDocument,
      .details = kDetails,
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
