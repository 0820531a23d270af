#include "holdfast/domains/checkpoint/fields.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/contract/parameter_list.hpp"
#include "holdfast/inputs/failures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::checkpoint {
namespace {

constexpr auto kRejuvenations = std::to_array<std::string_view>({"failed", "all"});

/// The largest spread of a lognormal law: with more, its mean lies where practically nothing is drawn.
constexpr double kMostSpread = 10;

constexpr auto kJobRows = std::to_array<Field<Instance>>({
    {.name = "work",
     .summary = "work of the job without failures; default: the job never ends",
     .member = member<&Instance::work>,
     .unit = Unit::seconds,
     .range = positive()},
    {.name = "processors",
     .summary = "processors of the job, each of which can fail",
     .member = member<&Instance::processors>,
     .range = between(1, static_cast<double>(kMostProcessors))},
    {.name = "checkpoint",
     .summary = "time to write a checkpoint",
     .member = member<&Instance::checkpoint>,
     .unit = Unit::seconds,
     .range = positive()},
    {.name = "recovery",
     .summary = "time to read a checkpoint; default: as long as to write one",
     .member = member<&Instance::recovery>,
     .unit = Unit::seconds,
     .range = non_negative(),
     .fallback = "-"},
    {.name = "downtime",
     .summary = "time from a failure to the start of the recovery",
     .member = member<&Instance::downtime>,
     .unit = Unit::seconds,
     .range = non_negative()},
    {.name = "iteration",
     .summary =
         "work between two points at which the job can checkpoint; default: it can at any time",
     .member = member<&Instance::iteration>,
     .unit = Unit::seconds,
     .range = non_negative(),
     .written = Written::unless_default,
     .fallback = "-"},
    {.name = "checkpoint_spread",
     .summary = "coefficient of variation of the time of a checkpoint, which is lognormal",
     .member = member<&Instance::checkpoint_spread>,
     .range = between(0, kMostSpread),
     .written = Written::unless_default},
    {.name = "recovery_spread",
     .summary = "coefficient of variation of the time of a recovery, which is lognormal",
     .member = member<&Instance::recovery_spread>,
     .range = between(0, kMostSpread),
     .written = Written::unless_default},
    {.name = "time_limit",
     .summary =
         "wall time of one submission to a batch system; default: none. Each submission ends "
         "with a checkpoint, and each but the first begins with a recovery",
     .member = member<&Instance::time_limit>,
     .unit = Unit::seconds,
     .range = non_negative(),
     .written = Written::unless_default,
     .fallback = "-"},
    {.name = "local_checkpoint",
     .summary = "time to write a checkpoint of level 1, in the nodes or with a partner; default: "
                "there is no such level",
     .member = member<&Instance::local, &LocalLevel::checkpoint>,
     .unit = Unit::seconds,
     .range = non_negative(),
     .written = Written::unless_default,
     .fallback = "-"},
    {.name = "local_recovery",
     .summary = "time to read it back; default: as long as the local checkpoint",
     .member = member<&Instance::local, &LocalLevel::recovery>,
     .unit = Unit::seconds,
     .range = non_negative(),
     .written = Written::never,  // 0 is not its default
     .fallback = "-"},
    {.name = "local_share",
     .summary = "fraction of the failures that local checkpoints survive; those on the file system "
                "survive "
                "all",
     .member = member<&Instance::local, &LocalLevel::share>,
     .range = between(0, 1),
     .written = Written::never,
     .fallback = "-"},
    {.name = "flush",
     .summary =
         "time from the end of an asynchronous checkpoint until it is safe, in which the job "
         "goes on and no other checkpoint begins; default: none",
     .member = member<&Instance::late, &LateSaves::flush>,
     .unit = Unit::seconds,
     .range = non_negative(),
     .written = Written::unless_default,
     .fallback = "-"},
    {.name = "save_failure",
     .summary = "fraction of the checkpoints that turn out not to be whole",
     .member = member<&Instance::late, &LateSaves::failure>,
     .range = {.minimum = 0, .maximum = 1, .below_maximum = true},
     .written = Written::unless_default},
    {.name = "relative_downtime",
     .summary = "downtime as a fraction of the checkpoint time (replaces the downtime)",
     .range = non_negative()},
    {.name = "no_final_checkpoint",
     .summary = "no checkpoint after the last segment",
     .kind = Kind::flag},
    {.name = "no_initial_recovery",
     .summary = "no recovery after a failure in the first segment",
     .kind = Kind::flag},
});

constexpr auto kBeliefs = std::to_array<std::string_view>(
    {"exponential", "weibull", "gamma", "lognormal", "empirical", "hyperexponential"});

constexpr auto kBeliefOptions = std::to_array<Parameter>({
    {.name = "belief_distribution",
     .summary = "law that the strategies assume, if it is not the true one",
     .kind = Kind::choice,
     .choices = kBeliefs,
     .pointer = "/belief/distribution"},
    {.name = "belief_mtbf",
     .summary = "mean time between failures of one processor that the strategies assume",
     .unit = Unit::seconds,
     .range = positive(),
     .pointer = "/belief/mtbf"},
    {.name = "belief_shape",
     .summary = "weibull, gamma: shape that the strategies assume",
     .range = positive(),
     .pointer = "/belief/shape"},
    {.name = "belief_file",
     .summary = "empirical: file of lifetimes that the strategies assume",
     .kind = Kind::file,
     .pointer = "/belief/file"},
});

constexpr auto kPlatformRows = std::to_array<Field<Instance>>({
    {.name = "rejuvenation",
     .summary = "which processors are new after a failure",
     .member = choice<&Instance::rejuvenation, kRejuvenations>,
     .written = Written::unless_default},
    {.name = "platform_age",
     .summary = "age of the platform when the job starts",
     .member = member<&Instance::platform_age>,
     .unit = Unit::seconds,
     .range = non_negative()},
    {.name = "nodes",
     .summary =
         "names of the job's nodes, n[001-064]: their ages come from the log, and their number is "
         "the number of processors",
     .kind = Kind::text,
     .value_name = "LIST"},
    {.name = "now",
     .summary =
         "date at which the named nodes have their ages (default: for a plan the present one, "
         "else the end of the log)",
     .kind = Kind::text,
     .value_name = "DATE"},
    {.name = "horizon",
     .summary = "age of the platform at which a run is given up; default: none",
     .member = member<&Instance::horizon>,
     .unit = Unit::seconds,
     .range = positive(),
     .written = Written::never},  // written after the ages, which are no plain field
    {.name = "planning_time",
     .summary = "time added to each recovery after which a strategy plans again: none, measured or "
                "a duration",
     .kind = Kind::text,
     .fallback = "none"},
});

constexpr std::string_view kSpares = "spares and repairs";
constexpr auto kRepairs =
    std::to_array<std::string_view>({"exponential", "constant", "weibull", "gamma", "lognormal"});

constexpr auto kSpareRows = std::to_array<Field<Instance>>({
    {.name = "spares",
     .summary = "nodes that step in for failed ones, which are repaired; default: a new node is "
                "always there",
     .member = member<&Instance::platform, &SparePlatform::spares>,
     .range = non_negative(),
     .heading = kSpares},
    {.name = "repair",
     .summary = "mean length of the repair of a node",
     .unit = Unit::seconds,
     .range = non_negative(),
     .pointer = "/repair/mean",
     .heading = kSpares},
    {.name = "repair_distribution",
     .summary = "law of that length",
     .kind = Kind::choice,
     .choices = kRepairLaws,
     .fallback = "exponential",
     .pointer = "/repair/distribution",
     .heading = kSpares},
    {.name = "repair_shape",
     .summary = "weibull, gamma: shape of the law of repairs",
     .range = positive(),
     .pointer = "/repair/shape",
     .heading = kSpares},
    {.name = "repair_log_sd",
     .summary = "lognormal: standard deviation of the logarithm of their length",
     .range = positive(),
     .pointer = "/repair/log_sd",
     .heading = kSpares},
    {.name = "repairers",
     .summary = "nodes that are repaired at the same time, the others wait; default: any number",
     .member = member<&Instance::platform, &SparePlatform::repairers>,
     .range = at_least(1),
     .heading = kSpares},
    {.name = "repair_failure",
     .summary = "fraction of the repairs that do not help",
     .member = member<&Instance::platform, &SparePlatform::repair_failure>,
     .range = between(0, 1),
     .written = Written::unless_default,
     .heading = kSpares},
    {.name = "failed_repair",
     .summary = "what comes of them: 'again' is found at once and repaired again; 'returns' comes "
                "back and fails after a life of the law 'relapse'",
     .kind = Kind::choice,
     .choices = kFailedRepairs,
     .fallback = "again",
     .heading = kSpares},
    {.name = "relapse",
     .summary = "returns: mean life after a repair that did not help",
     .unit = Unit::seconds,
     .range = positive(),
     .pointer = "/relapse/mean",
     .heading = kSpares},
    {.name = "replacement",
     .summary = "the node that steps in: of the idle ones that which is up longest, that which was "
                "repaired last, or any; the failed one itself; or a new one. Default: oldest with "
                "spares, else new",
     .kind = Kind::choice,
     .choices = kReplacements,
     .heading = kSpares},
    {.name = "idle_ageing",
     .summary = "how fast an idle node ages: 1 fails like the others, 0 never",
     .member = member<&Instance::platform, &SparePlatform::idle_ageing>,
     .range = between(0, 1),
     .written = Written::unless_default,
     .heading = kSpares},
    {.name = "spare_delay",
     .summary = "time from the choice of a spare until it is ready: 0 in the allocation, else what "
                "the scheduler takes",
     .member = member<&Instance::platform, &SparePlatform::spare_delay>,
     .unit = Unit::seconds,
     .range = non_negative(),
     .written = Written::unless_default,
     .heading = kSpares},
    {.name = "node_price",
     .summary = "price of a node for an hour; default: costs are in node-hours",
     .member = member<&Instance::platform, &SparePlatform::node_price>,
     .range = positive(),
     .heading = kSpares},
    {.name = "minimum_nodes",
     .summary = "where no spare is left, the job goes on with this many nodes or more; default: it "
                "waits for all",
     .member = member<&Instance::platform, &SparePlatform::minimum_nodes>,
     .range = at_least(1),
     .heading = kSpares},
    {.name = "speed",
     .summary = "how fast it is on fewer nodes, 16:0.5,32:1, interpolated; default: linear, the "
                "share of the nodes that it has",
     .kind = Kind::text,
     .value_name = "NODES:SPEED,...",
     .heading = kSpares},
    {.name = "join",
     .summary = "when it takes nodes back: after its next checkpoint, for one recovery, or at its "
                "next failure, without further cost",
     .kind = Kind::choice,
     .choices = kJoins,
     .fallback = "checkpoint",
     .heading = kSpares},
});

}  // namespace

const Fields<Instance>& spare_fields() {
  return fields_of<kSpareRows>();
}

const Fields<Instance>& job_fields() {
  return fields_of<kJobRows>();
}

const Fields<Instance>& platform_fields() {
  return fields_of<kPlatformRows>();
}

std::span<const Parameter> fields() {
  static const std::vector<Parameter> kAll =
      one_list({job_fields().parameters(), failure_options(FailingUnit::processor), kBeliefOptions,
                platform_fields().parameters(), spare_fields().parameters()});
  return kAll;
}

void warn_of_unused(std::span<const std::string_view> unused, const Value& document,
                    std::vector<std::string>& warnings) {
  std::vector<std::string> places;
  for (const Parameter& field : fields()) {
    if (std::ranges::find(unused, field.name) == unused.end()) continue;
    const std::string pointer =
        field.pointer.empty() ? pointer_to("", field.name) : std::string(field.pointer);
    if (document.at(pointer) != nullptr) places.push_back(pointer);
  }
  if (!places.empty()) warnings.push_back(fmt::format("not used here: {}", join(places, ", ")));
}

}  // namespace holdfast::checkpoint
