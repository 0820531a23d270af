#include "holdfast/domains/machine/domain.hpp"

#include "holdfast/contract/document_members.hpp"
#include "holdfast/domains/machine/decision.hpp"
#include "holdfast/domains/machine/fields.hpp"
#include "holdfast/domains/machine/metrics.hpp"
#include "holdfast/domains/machine/point.hpp"
#include "holdfast/domains/machine/schedule.hpp"
#include "holdfast/domains/machine/strategies.hpp"
#include "holdfast/domains/machine/verbs.hpp"

#include <array>

namespace holdfast::machine {

namespace {

constexpr auto kDocument = std::to_array<ResultField>(
    {{"failures?", "law of the failures of one node, or the failures themselves", kFailures},
     {"classes?[].name", "name of a class of jobs", Holds::text},
     {"classes?[].*", "its numbers"},
     {"jobs?[].id", "identifier of a job", Holds::text},
     {"jobs?[].class", "its class", Holds::text},
     {"jobs?[].segments?[]", "work before each of its checkpoints", Unit::seconds},
     {"jobs?[].*", "its numbers"}});

constexpr auto kDetails = std::to_array<ResultField>(
    {{"jobs[].id", "identifier of a job", Holds::text},
     {"jobs[].class", "its class", Holds::text},
     {"jobs[].start", "when it starts", Unit::seconds},
     {"jobs[].end", "when it ends", Unit::seconds},
     {"jobs[].completed", "whether all of its work was done", Holds::flag},
     {"jobs[].yield", "useful part of its time"},
     {"jobs[].kept", "work that was kept", Unit::seconds},
     {"jobs[].open", "work that was not yet saved at the end", Unit::seconds},
     {"jobs[].lost", "work that failures undid", Unit::seconds},
     {"jobs[].checkpoint", "time of its checkpoints", Unit::seconds},
     {"jobs[].recovery", "time of its recoveries", Unit::seconds},
     {"jobs[].regular", "time of its input and output", Unit::seconds},
     {"jobs[].wait", "time in which it waited for bandwidth", Unit::seconds},
     {"jobs[].downtime", "time in which it was down", Unit::seconds},
     {"classes.*.*", "the metrics of that class of jobs"}});

}  // namespace

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
      .document = kDocument,
      .details = kDetails,
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
