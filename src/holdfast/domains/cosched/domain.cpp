#include "holdfast/domains/cosched/domain.hpp"

#include "holdfast/contract/document_members.hpp"
#include "holdfast/domains/cosched/fields.hpp"
#include "holdfast/domains/cosched/metrics.hpp"
#include "holdfast/domains/cosched/point.hpp"
#include "holdfast/domains/cosched/schedule.hpp"
#include "holdfast/domains/cosched/strategies.hpp"
#include "holdfast/domains/cosched/verbs.hpp"

#include <array>

namespace holdfast::cosched {

namespace {

constexpr auto kDocument = std::to_array<ResultField>(
    {{"tasks?[].id", "identifier of a task", Holds::text},
     {"tasks?[].data", "data that it redistributes"},
     {"tasks?[].speedup", "its run time on a number of processors", kSpeedup},
     {"tasks?[].command?", "shell command that run starts under guard", Holds::text},
     {"tasks?[].guard?[]", "options of its guard, for run: \"trigger=pipe\"", Holds::text},
     {"tasks?[].directory?", "folder in which it runs, for run", Holds::text},
     {"command?", "the same for all tasks without their own", Holds::text},
     {"guard?[]", "the same for all tasks without their own", Holds::text},
     {"failures?[][]", "time and processor of each failure", Unit::seconds},
     {"allocations?[][]", "processors of each task, decision by decision", Holds::integer}});

constexpr auto kDetails = std::to_array<ResultField>(
    {{"finish[]", "when each task ends", Unit::seconds},
     {"series.time[]", "times of events", Unit::seconds},
     {"series.predicted_makespan[]", "makespan that was predicted then", Unit::seconds},
     {"series.allocation_deviation[]", "standard deviation of the allocations then"}});

}  // namespace

const Domain& domain() {
  static const Domain kDomain{
      .name = "cosched",
      .question =
          "how are processors redistributed among co-scheduled applications after a failure?",
      .example = "holdfast cosched simulate --tasks 20 --processors 200 --scenarios 20",
      .strategies = strategies(),
      .metrics = metrics(),
      .fields = generator_fields().parameters(),
      .document = kDocument,
      .details = kDetails,
      .schedule = columns(),
      .recommended = "iterated-greedy-end-greedy",
      .baseline = "none",
      .verbs = verbs(),
      .open = open_point,
  };
  return kDomain;
}

}  // namespace holdfast::cosched
