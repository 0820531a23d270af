#include "holdfast/domains/io/decision.hpp"
#include "holdfast/domains/io/strategies/makers.hpp"
#include "holdfast/inputs/bandwidth_rule.hpp"

#include <array>

namespace holdfast::io {
namespace {

constexpr auto kTold = std::to_array<DecisionField>({
    {.name = "application", .summary = "number of its application in the document, from 0"},
    {.name = "bandwidth",
     .summary = "largest bandwidth that it can use",
     .unit = Unit::bytes_per_second},
    {.name = "remaining", .summary = "bytes of it that are left", .unit = Unit::bytes},
    {.name = "progress",
     .summary =
         "time that its application would have needed alone for what it has done since its release",
     .unit = Unit::seconds},
    {.name = "age", .summary = "time since the release of its application", .unit = Unit::seconds},
    {.name = "posted", .summary = "date at which it began to wait", .unit = Unit::seconds},
    kToldNow,
    kToldBandwidth,
    kToldLeft,
});
constexpr auto kPerItem = std::to_array<OfPending>({
    [](const Pending& r) { return static_cast<double>(r.application); },
    [](const Pending& r) { return r.bandwidth; },
    [](const Pending& r) { return r.remaining; },
    [](const Pending& r) { return r.progress; },
    [](const Pending& r) { return r.age; },
    [](const Pending& r) { return r.posted; },
});
constexpr auto kAsked = std::to_array({kAskedRates});
constexpr DecisionTable kDecision{.name = "share",
                                  .when = "whenever something ends",
                                  .items = "operations that have not ended, in order of posting",
                                  .told = kTold,
                                  .asked = kAsked};

}  // namespace

const DecisionTable& decision() {
  return kDecision;
}

std::unique_ptr<Strategy> make_custom(const Setting& setting) {
  return make_bandwidth_rule(setting.spec, kDecision, kPerItem);
}

}  // namespace holdfast::io
