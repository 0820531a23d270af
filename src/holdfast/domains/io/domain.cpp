#include "holdfast/domains/io/domain.hpp"

#include "holdfast/domains/io/decision.hpp"
#include "holdfast/domains/io/fields.hpp"
#include "holdfast/domains/io/metrics.hpp"
#include "holdfast/domains/io/point.hpp"
#include "holdfast/domains/io/schedule.hpp"
#include "holdfast/domains/io/strategies.hpp"
#include "holdfast/domains/io/verbs.hpp"

#include <array>

namespace holdfast::io {

namespace {

constexpr auto kDocument = std::to_array<ResultField>(
    {{"window?[]", "begin and end of the window", Unit::seconds},
     {"applications?[].id", "identifier of an application", Holds::text},
     {"applications?[].nodes", "its nodes", Holds::integer},
     {"applications?[].bandwidth", "bandwidth that all of its nodes can use",
      Unit::bytes_per_second},
     {"applications?[].release", "when it starts", Unit::seconds},
     {"applications?[].progress", "work that it has done before", Unit::seconds},
     {"applications?[].phases[].io?", "an operation of that size", Unit::bytes},
     {"applications?[].phases[].work?", "a phase of that length", Unit::seconds},
     {"applications?[].phases[].lead?", "time before the first phase", Unit::seconds},
     {"applications?[].repeat?", "whether the phases come again", Holds::flag},
     {"rates?[]", "a time, and the rates of as-given from then on", Holds::anything},
     {"classes?[].name", "name of a class of applications", Holds::text},
     {"classes?[].*", "its numbers"}});

constexpr auto kDetails =
    std::to_array<ResultField>({{"yields[]", "yield of each application"},
                                {"progress[]", "work that each has done", Unit::seconds},
                                {"work[]", "work that each could have done alone", Unit::seconds}});

}  // namespace

const Domain& domain() {
  static const Domain kDomain{
      .name = "io",
      .question = "who gets the file system's bandwidth now?",
      .example = "holdfast io simulate --load 0.8 --length 2e5 --scenarios 40",
      .strategies = strategies(),
      .metrics = metrics(),
      .fields = fields(),
      .document = kDocument,
      .details = kDetails,
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
