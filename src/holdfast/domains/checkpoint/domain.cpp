#include "holdfast/domains/checkpoint/domain.hpp"

#include "holdfast/contract/document_members.hpp"
#include "holdfast/domains/checkpoint/decision.hpp"
#include "holdfast/domains/checkpoint/fields.hpp"
#include "holdfast/domains/checkpoint/metrics.hpp"
#include "holdfast/domains/checkpoint/point.hpp"
#include "holdfast/domains/checkpoint/schedule.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/domains/checkpoint/verbs.hpp"

#include <array>
#include <string>

namespace holdfast::checkpoint {
namespace {

// Whether the law in an instance's `failures` has a memory; without one, today's rate is the mean rate. A mean alone means
// an exponential law, and a log without the name of a law gets the best one.
bool has_memory(const Value& failures) {
  const Value* given = failures.find("distribution");
  const std::string* name = given == nullptr ? nullptr : given->string();
  return name == nullptr ? failures.find("log") != nullptr : *name != "exponential";
}

}  // namespace

namespace {

constexpr auto kDocument = std::to_array<ResultField>(
    {{"failures?", "law of the failures of one processor, or the failures themselves", kFailures},
     {"belief?", "law that the strategies assume", kLaw},
     {"ages?[][]", "age and number of the processors of that age", Unit::seconds},
     {"segments?[]", "work before each checkpoint of as-given", Unit::seconds},
     {"planning_time?", "seconds of a decision, or measured", Holds::number_or_text}});

}  // namespace

const Domain& domain() {
  static const Domain kDomain{
      .name = "checkpoint",
      .question = "when should this job checkpoint, given how old its nodes are?",
      .example =
          "holdfast checkpoint simulate --work 48h --checkpoint 10min --processors 10000 --mtbf "
          "10y "
          "--distribution weibull --shape 0.7 --scenarios 20",
      .strategies = strategies(),
      .metrics = metrics(),
      .fields = fields(),
      .document = kDocument,
      .schedule = columns(),
      .recommended = "next-step",
      .baseline = "young-daly",
      .informed = {.strategy = "local-young-daly",
                   .knows = "today's failure rate",
                   .field = "failures",
                   .differs = has_memory},
      .verbs = verbs(),
      .decision = decision(),
      .shared_parameters = {"failures", "processors", "rejuvenation", "ages"},
      .open = open_point,
  };
  return kDomain;
}

}  // namespace holdfast::checkpoint
