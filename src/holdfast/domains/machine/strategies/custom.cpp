#include "holdfast/domains/machine/decision.hpp"
#include "holdfast/domains/machine/strategy.hpp"
#include "holdfast/inputs/bandwidth_rule.hpp"

#include <array>

namespace holdfast::machine {
namespace {

using bandwidth::Pending;

constexpr auto kTold = std::to_array<DecisionField>({
    {.name = "job", .summary = "number of its job in order of arrival, from 0"},
    {.name = "nodes", .summary = "nodes of its job"},
    {.name = "bandwidth",
     .summary = "largest bandwidth that it can use",
     .unit = Unit::bytes_per_second},
    {.name = "remaining", .summary = "bytes of it that are left", .unit = Unit::bytes},
    {.name = "posted", .summary = "date at which it was asked for", .unit = Unit::seconds},
    {.name = "has_begun", .summary = "1: it has had bandwidth; 0: it waits"},
    {.name = "is_stalled", .summary = "1: its job stalls; 0: it works on until it has begun"},
    {.name = "since_save",
     .summary = "work of its job that a failure would lose",
     .unit = Unit::seconds},
    {.name = "recovery",
     .summary = "time to read the last checkpoint of its job, when alone",
     .unit = Unit::seconds},
    {.name = "failure_rate", .summary = "failures per second of all nodes of its job"},
    {.name = "progress",
     .summary = "progress of its job since its start: the age less all delays",
     .unit = Unit::seconds},
    {.name = "age", .summary = "time since the start of its job", .unit = Unit::seconds},
    kToldNow,
    kToldBandwidth,
    kToldLeft,
});
constexpr auto kPerItem = std::to_array<OfPending>({
    [](const Pending& r) { return static_cast<double>(r.application); },
    [](const Pending& r) { return r.nodes; },
    [](const Pending& r) { return r.bandwidth; },
    [](const Pending& r) { return r.remaining; },
    [](const Pending& r) { return r.posted; },
    [](const Pending& r) { return r.begun < bandwidth::kNever ? 1.0 : 0.0; },
    [](const Pending& r) { return r.stalled ? 1.0 : 0.0; },
    [](const Pending& r) { return r.since_save; },
    [](const Pending& r) { return r.recovery; },
    [](const Pending& r) { return r.failure_rate; },
    [](const Pending& r) { return r.progress; },
    [](const Pending& r) { return r.age; },
});
constexpr auto kAsked = std::to_array({kAskedRates});
constexpr DecisionTable kDecision{
    .name = "share",
    .when = "at every event while any job reads, writes or waits to do so",
    .items = "operations that have not ended, in order of posting",
    .told = kTold,
    .asked = kAsked};

}  // namespace

const DecisionTable& decision() {
  return kDecision;
}

std::unique_ptr<bandwidth::Strategy> make_custom(const StrategySpec& spec) {
  return make_bandwidth_rule(spec, kDecision, kPerItem);
}

}  // namespace holdfast::machine
