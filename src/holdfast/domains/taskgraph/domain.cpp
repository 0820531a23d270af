#include "holdfast/domains/taskgraph/domain.hpp"

#include "holdfast/contract/document_members.hpp"
#include "holdfast/domains/taskgraph/decision.hpp"
#include "holdfast/domains/taskgraph/fields.hpp"
#include "holdfast/domains/taskgraph/metrics.hpp"
#include "holdfast/domains/taskgraph/point.hpp"
#include "holdfast/domains/taskgraph/strategies.hpp"
#include "holdfast/domains/taskgraph/verbs.hpp"

#include <array>

namespace holdfast::taskgraph {

namespace {

constexpr auto kDocument = std::to_array<ResultField>(
    {{"tasks?[].id?", "identifier of a task", Holds::text},
     {"tasks?[].speedup", "its run time on a number of processors", kSpeedup},
     {"tasks?[].parents[]", "tasks that end before it starts", Holds::anything},
     {"tasks?[].allocation?[]", "processors that as-given uses, attempt by attempt",
      Holds::integer},
     {"tasks?[].allocation?", "processors that as-given uses", Holds::integer},
     {"tasks?[].start?", "when as-given starts it", Unit::seconds},
     {"tasks?[].release?", "when it becomes known, so that it may start", Unit::seconds},
     {"log?.sizes[][]", "run time and processors of a job of a log", Unit::seconds},
     {"log?.releases?[]", "when each was submitted, from the first on", Unit::seconds},
     {"log?.preceding?[]", "position of the job that it follows; -1: none", Holds::integer},
     {"speedup?", "speedup of all jobs of a log", kSpeedup},
     {"failures?[]", "number of failures of each task", Holds::integer},
     {"strikes?[][]", "processor-seconds after which each attempt of a task is struck"}});

constexpr auto kDetails = std::to_array<ResultField>(
    {{"proven_ratio?", "ratio to the optimum that the strategy proves"}});

}  // namespace

const Domain& domain() {
  static const Domain kDomain{
      .name = "taskgraph",
      .question =
          "on how many processors is each task of a graph launched, without seeing the "
          "rest of the graph?",
      .example =
          "holdfast taskgraph simulate --tasks 500 --model amdahl --processors 128 --error-rate "
          "1e-5 "
          "--scenarios 20",
      .strategies = strategies(),
      .metrics = metrics(),
      .fields = fields(),
      .document = kDocument,
      .details = kDetails,
      .schedule = columns(),
      .recommended = "wide-lpa",
      .baseline = "min-time",
      .verbs = verbs(),
      .decision = decision(),
      .open = open_point,
  };
  return kDomain;
}

}  // namespace holdfast::taskgraph
