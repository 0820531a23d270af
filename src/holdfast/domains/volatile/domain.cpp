#include "holdfast/domains/volatile/domain.hpp"

#include "holdfast/contract/document_members.hpp"
#include "holdfast/domains/volatile/fields.hpp"
#include "holdfast/domains/volatile/metrics.hpp"
#include "holdfast/domains/volatile/point.hpp"
#include "holdfast/domains/volatile/strategies.hpp"
#include "holdfast/domains/volatile/verbs.hpp"

#include <array>

namespace holdfast::volatile_workers {

namespace {

constexpr auto kDocument = std::to_array<ResultField>(
    {{"workers?[].speed", "slots that a task takes there", Unit::slots},
     {"workers?[].max_tasks", "tasks that fit", Holds::integer},
     {"workers?[].markov?[][]", "probabilities of its Markov chain"},
     {"workers?.digest", "digest of the histories from which workers are drawn", Holds::text},
     {"workers?.unavailable", "state of a worker that is not up", Holds::text},
     {"workers?.history", "which history is used", Holds::anything},
     {"holding_times?", "law of the stays in a state", kLaw},
     {"seen_slots?", "slots that strategies have seen", Unit::slots},
     {"states?[]", "states of each worker, a letter for each slot", Holds::text},
     {"assignment?[]", "tasks of each worker that as-given assigns", Holds::integer}});

constexpr auto kDetails = std::to_array<ResultField>(
    {{"adoptions[].slot", "slot in which an assignment begins", Unit::slots},
     {"adoptions[].assignment[]", "tasks of each worker", Holds::integer}});

}  // namespace

const Domain& domain() {
  static const Domain kDomain{
      .name = "volatile",
      .question =
          "which of the machines that come and go should work now, and when to change them?",
      .example = "holdfast volatile simulate --workers 10 --tasks 10 --scenarios 200",
      .strategies = strategies(),
      .metrics = metrics(),
      .fields = fields(),
      .document = kDocument,
      .details = kDetails,
      .schedule = columns(),
      .recommended = "e-ie:estimator=restart",
      .baseline = "y-ie:estimator=paper",
      .verbs = verbs(),
      .open = open_point,
  };
  return kDomain;
}

}  // namespace holdfast::volatile_workers
