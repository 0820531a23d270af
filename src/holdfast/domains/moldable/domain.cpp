#include "holdfast/domains/moldable/domain.hpp"

#include "holdfast/contract/document_members.hpp"
#include "holdfast/domains/moldable/decision.hpp"
#include "holdfast/domains/moldable/fields.hpp"
#include "holdfast/domains/moldable/metrics.hpp"
#include "holdfast/domains/moldable/point.hpp"
#include "holdfast/domains/moldable/schedule.hpp"
#include "holdfast/domains/moldable/strategies.hpp"
#include "holdfast/domains/moldable/verbs.hpp"

#include <array>

namespace holdfast::moldable {

namespace {

constexpr auto kDocument = std::to_array<ResultField>(
    {{"speedups?.*", "speedup to which jobs refer by its name", kSpeedup},
     {"jobs?[].id?", "identifier of a job", Holds::text},
     {"jobs?[].speedup", "its run time on a number of processors, or a name in speedups", kSpeedup},
     {"jobs?[].speedup", "the same", Holds::text},
     {"jobs?[].allocation?[]", "processors that as-given uses, attempt by attempt", Holds::integer},
     {"jobs?[].allocation?", "processors that as-given uses", Holds::integer},
     {"jobs?[].release?", "when it becomes known, so that it may start", Unit::seconds},
     {"jobs?[].failure_probability?", "probability that an attempt fails"},
     {"log?.sizes[][]", "run time and processors of a job of a log", Unit::seconds},
     {"log?.releases?[]", "when each was submitted, from the first on", Unit::seconds},
     {"speedup?", "speedup of all jobs of a log", kSpeedup},
     {"jobs?[].command?", "shell command that submit runs", Holds::text},
     {"jobs?[].verify?", "shell command that verifies its result, for submit", Holds::text},
     {"command?", "the same for all jobs without their own", Holds::text},
     {"verify?", "the same for all jobs without their own", Holds::text},
     {"failures?[]", "number of failures of each job", Holds::integer},
     {"strikes?[][]", "processor-seconds after which each attempt of a job is struck"},
     {"failures?.adaptive", "theorem whose adversary chooses the failures", Holds::text},
     {"failures?.groups", "number of its groups", Holds::integer}});

}  // namespace

const Domain& domain() {
  static const Domain kDomain{
      .name = "moldable",
      .question = "on how many processors should each job run, when some runs must be repeated?",
      .example =
          "holdfast moldable simulate --model communication --jobs 100 --processors 1000 "
          "--scenarios 20",
      .strategies = strategies(),
      .metrics = metrics(),
      .fields = fields(),
      .document = kDocument,
      .schedule = columns(),
      .recommended = "rolling",
      .baseline = "lpa",
      .verbs = verbs(),
      .decision = decision(),
      .open = open_point,
  };
  return kDomain;
}

}  // namespace holdfast::moldable
