#include "holdfast/domains/capacity/domain.hpp"

#include "holdfast/domains/capacity/fields.hpp"
#include "holdfast/domains/capacity/metrics.hpp"
#include "holdfast/domains/capacity/point.hpp"
#include "holdfast/domains/capacity/strategies.hpp"
#include "holdfast/domains/capacity/verbs.hpp"

#include <array>

namespace holdfast::capacity {

namespace {

constexpr auto kDocument = std::to_array<ResultField>(
    {{"window?[]", "begin and end of the time in which jobs are placed", Unit::seconds},
     {"machine_sizes?[].machines", "number of machines of one size", Holds::integer},
     {"machine_sizes?[].cores", "cores of each of them", Holds::integer},
     {"alive?[][]", "time and number of machines from then on", Unit::seconds},
     {"alive?.file", "digest of a recorded capacity", Holds::text},
     {"price?[][]", "time and money of a machine-hour from then on", Unit::seconds},
     {"price?.file", "digest of a recorded price", Holds::text},
     {"carbon?[][]", "time and grams of a machine-hour from then on", Unit::seconds},
     {"carbon?.file", "digest of a recorded carbon intensity", Holds::text},
     {"jobs?[].id", "identifier of a job", Holds::text},
     {"jobs?[].release", "when it is submitted", Unit::seconds},
     {"jobs?[].cores", "cores that it needs", Holds::integer},
     {"jobs?[].length", "its run time", Unit::seconds},
     {"jobs?[].category?", "its category, if the document gives it"},
     {"jobs?.jobs", "number of jobs of a log", Holds::integer},
     {"jobs?.sha256", "digest of these jobs", Holds::text},
     {"reference?[].length", "run time of a job of the reference", Unit::seconds},
     {"reference?[].cores", "cores of it", Holds::integer},
     {"reference?.jobs", "number of jobs of the reference", Holds::integer},
     {"reference?.sha256", "digest of these jobs", Holds::text},
     {"placements?[].job", "a job that as-given places", Holds::text},
     {"placements?[].machine", "its machine", Holds::integer},
     {"placements?[].start", "when it starts there", Unit::seconds}});

constexpr auto kDetails = std::to_array<ResultField>(
    {{"accounts.capacity", "core time that was there", Unit::core_seconds},
     {"accounts.useful", "core time of runs that ended", Unit::core_seconds},
     {"accounts.aborted", "core time of runs that were killed", Unit::core_seconds},
     {"accounts.aborted_time", "time of runs that were killed", Unit::seconds},
     {"accounts.kills", "number of runs that were killed", Holds::integer},
     {"accounts.completed", "jobs that ended", Holds::integer},
     {"accounts.running", "jobs that run at the end", Holds::integer},
     {"accounts.waiting", "jobs that wait at the end", Holds::integer},
     {"accounts.dropped", "jobs that fit on no machine", Holds::integer},
     {"accounts.saves?", "runs that were saved", Holds::integer},
     {"accounts.saving?", "core time of saving them", Unit::core_seconds}});

}  // namespace

const Domain& domain() {
  static const Domain kDomain{
      .name = "capacity",
      .question = "which machine gets which job when power comes and goes?",
      .example =
          "holdfast capacity simulate --family log-scale --machine-range 16 --job-count 2000 "
          "--window 1d,5d",
      .strategies = strategies(),
      .metrics = metrics(),
      .fields = fields(),
      .document = kDocument,
      .details = kDetails,
      .schedule = columns(),
      .recommended = "packed-target-asap",
      .baseline = "first-fit-aware",
      .verbs = verbs(),
      .open = open_point,
  };
  return kDomain;
}

}  // namespace holdfast::capacity
