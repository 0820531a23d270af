#include "holdfast/domains/checkpoint/strategies.hpp"

#include "holdfast/domains/checkpoint/strategies/by_size.hpp"

#include <array>
#include <cmath>

namespace holdfast::checkpoint {
// The functions that make the strategies, each in the file of strategies/ with its name. Apart from these, a strategy needs
// only its row below.
MakeRule make_next_step, make_next_step_grid, make_next_failure, make_daly,
    make_optimal_exponential, make_fixed, make_none, make_as_given, make_clairvoyant, make_custom,
    make_advised, make_adaptive_young_daly, make_two_level, make_lazy, make_bi_periodic;

namespace {

constexpr auto kWait = std::to_array<std::string_view>({"wait"});
constexpr auto kIdle = std::to_array<Parameter>({
    {.name = "idle",
     .summary = "wait: plans may begin with a wait, which never helps, so that the plans are the "
                "same (decision 0048)",
     .kind = Kind::choice,
     .choices = kWait},
});
constexpr auto kQuantum = std::to_array<Parameter>({
    {.name = "quantum",
     .summary = "length of a time step; default C / 10",
     .unit = Unit::seconds,
     .range = positive()},
});
constexpr auto kGoalQuantum = std::to_array<Parameter>({
    {.name = "quantum",
     .summary = "plan on a grid of this time step; default: no grid",
     .unit = Unit::seconds,
     .range = positive()},
});
constexpr auto kPeriods = std::to_array<Parameter>({
    {.name = "period",
     .summary = "work between two checkpoints",
     .unit = Unit::seconds,
     .range = positive(),
     .fallback = "1h"},
    {.name = "locals",
     .summary = "local checkpoints between two of the file system",
     .kind = Kind::integer,
     .range = between(0, 1e9),
     .fallback = "0"},
});
constexpr auto kMeans = std::to_array<std::string_view>({"observed", "law"});
constexpr auto kMean = std::to_array<Parameter>({
    {.name = "mean",
     .summary = "which mean time between failures to use: the one observed in the log (default "
                "with a log) or that of the law",
     .kind = Kind::choice,
     .choices = kMeans},
});

constexpr auto kHow = std::to_array<std::string_view>({"search", "first-order", "now"});
constexpr auto kTwoLevels = std::to_array<Parameter>({
    {.name = "by",
     .summary = "search: the pattern of least expected time at the mean rate; first-order: the "
                "period of Young and Daly for each level; now: the same at the present failure "
                "rate, after each checkpoint of the file system",
     .kind = Kind::choice,
     .fallback = "search",
     .choices = kHow},
});

constexpr auto kLearning = std::to_array<Parameter>({
    {.name = "trust",
     .summary =
         "weight of the failure law compared with the failures that the job has, as a number of "
         "failures; inf: only the law counts; default 1, and 3 for a law fitted to a log",
     .kind = Kind::text},
    {.name = "checkpoint",
     .summary = "time of a checkpoint that it assumes at first; default: the instance's",
     .unit = Unit::seconds,
     .range = positive()},
});

constexpr auto kShape = std::to_array<Parameter>({
    {.name = "shape",
     .summary = "shape k of the Weibull law of the job's failures; default: that of the law of one "
                "processor",
     .range = positive()},
    kMean[0],
});
constexpr auto kRegimes = std::to_array<Parameter>({
    {.name = "window",
     .summary = "time for which failures are frequent after each; default: half the MTBF",
     .unit = Unit::seconds,
     .range = positive()},
    {.name = "degraded",
     .summary = "MTBF of the job in that time; default: that of a job with one new processor",
     .unit = Unit::seconds,
     .range = positive()},
    kMean[0],
});

struct Row {
  StrategyEntry entry;
  bool needs_law = true;  // uses the law of the failures, or their mean
  bool replans = false;
  bool knows_future = false;
  bool learns = false;
  bool writes_local = false;
  bool suits_any_size = true;  // knows what to do when the job has fewer nodes
  Made (*make)(const Instance& instance, const StrategySpec& spec) = nullptr;
};

const auto kStrategies = std::to_array<Row>({
    {.entry = {.name = "next-step",
               .summary =
                   "the plan that saves the largest share of the time until the next failure; "
                   "plans again after each failure",
               .source = "Perotin's thesis, section 5.4 (NextStep), solved without a time quantum",
               .parameters = kIdle},
     .replans = true,
     .make = make_next_step},
    {.entry = {.name = "next-step-grid",
               .summary = "next-step with segments that are multiples of a time quantum, like the "
                          "published algorithm",
               .source = "Perotin's thesis, algorithms 5 and 6, in O(W) per number of checkpoints",
               .parameters = kQuantum},
     .replans = true,
     .make = make_next_step_grid},
    {.entry =
         {.name = "next-failure",
          .summary =
              "the plan with the most expected work until the next failure, however long it takes",
          .source = "Bougeret et al. 2011 (NextFailure); Perotin's thesis, section 5.2.1",
          .parameters = kGoalQuantum},
     .replans = true,
     .make = make_next_failure},
    {.entry = {.name = "local-young-daly",
               .summary =
                   "after each checkpoint, the Young/Daly period for the current failure rate",
               .source = "a strong cheap baseline; not in the thesis"},
     .replans = true,
     .make = make_local_young_daly},
    {.entry = {.name = "young-daly",
               .summary = "equal segments near sqrt(2 C MTBF), fixed for the whole run",
               .source = "Young 1974; Daly 2006; Perotin's thesis, section 5.6.1",
               .parameters = kMean},
     .make = make_young_daly},
    {.entry = {.name = "daly",
               .summary = "equal segments near Daly's higher-order period",
               .source = "Daly 2006, equation (37)",
               .parameters = kMean},
     .make = make_daly},
    {.entry = {.name = "lazy",
               .summary = "the Young/Daly period times (t / MTBF)^(1 - k), a time t after the last "
                          "failure",
               .source = "Tiwari, Gupta and Vazhkudai 2014; Perotin's thesis, section 5.2.3",
               .parameters = kShape},
     .replans = true,
     .learns = true,
     .make = make_lazy},
    {.entry = {.name = "bi-periodic",
               .summary =
                   "two Young/Daly periods: one for a time after each failure, one beyond it",
               .source = "Bautista-Gomez et al. 2016; Perotin's thesis, section 5.2.3",
               .parameters = kRegimes},
     .replans = true,
     .learns = true,
     .make = make_bi_periodic},
    {.entry = {.name = "optimal-exponential",
               .summary = "the segments with the least expected time under exponential failures",
               .source = "Bougeret et al. 2011; Perotin's thesis, sections 5.3.2 to 5.3.4",
               .parameters = kMean},
     .make = make_optimal_exponential},
    {.entry = {.name = "fixed",
               .summary = "a checkpoint after every PERIOD of work",
               .source = "common practice",
               .parameters = kPeriods},
     .needs_law = false,
     .make = make_fixed},
    {.entry = {.name = "two-level",
               .summary = "equal segments, with local checkpoints after most and one of the file "
                          "system after every n-th",
               .source = "Benoit et al. 2017; Di et al. 2017; search of the exact expectation",
               .parameters = kTwoLevels,
               .used_with = "local_checkpoint"},
     .writes_local = true,
     .make = make_two_level},
    {.entry = {.name = "none",
               .summary = "one segment, one checkpoint at its end",
               .source = "common practice"},
     .needs_law = false,
     .make = make_none},
    {.entry = {.name = "as-given",
               .summary = "the instance's own list of segments",
               .source = "the instance (field segments)"},
     .needs_law = false,
     .make = make_as_given},
    {.entry = {.name = "clairvoyant",
               .summary = "knows when failures strike: a bound, since no strategy ends sooner",
               .source = "ours; proof in strategies/clairvoyant.cpp",
               .is_bound = true},
     .needs_law = false,
     .knows_future = true,
     .suits_any_size = false,
     .make = make_clairvoyant},
    {.entry = {.name = "advised",
               .summary = "next-step for running jobs: plans again after each checkpoint, and "
                          "learns the cost of one and the failure rate",
               .source = "ours: the advisor of running jobs, in simulated time",
               .parameters = kLearning},
     .replans = true,
     .learns = true,
     .writes_local = true,
     .suits_any_size = false,
     .make = make_advised},
    {.entry = {.name = "adaptive-young-daly",
               .summary = "the Young/Daly period for the failure rate and the cost observed so "
                          "far, without ages",
               .source = "ours; the baseline of advised",
               .parameters = kLearning},
     .replans = true,
     .learns = true,
     .writes_local = true,
     .suits_any_size = false,
     .make = make_adaptive_young_daly},
    {.entry = custom_entry(),
     .needs_law = false,
     .replans = true,
     .suits_any_size = false,
     .make = make_custom},
});

}  // namespace

std::vector<StrategyEntry> strategies() {
  std::vector<StrategyEntry> entries;
  for (const Row& row : kStrategies) entries.push_back(row.entry);
  return entries;
}

bool replans(const StrategySpec& spec) {
  return kStrategies[spec.index].replans || (spec.has("by") && spec.choice("by") == "now");
}

bool knows_future(const StrategySpec& spec) {
  return kStrategies[spec.index].knows_future;
}

bool learns(const StrategySpec& spec) {
  return kStrategies[spec.index].learns;
}

bool writes_local(const StrategySpec& spec) {
  return kStrategies[spec.index].writes_local || (spec.has("locals") && spec.number("locals") > 0);
}

Status check_levels(const Instance& instance, const StrategySpec& spec) {
  if (instance.local.exists()) return {};
  return fail(ErrorCode::bad_value, "/local_checkpoint",
              "is missing; strategy '" + spec.text + "' writes local checkpoints");
}

double present_rate(Outlook& outlook, double span) {
  const HazardCurve& curve = outlook.curve(span);
  const double rate = curve.hazard(0);
  return std::isfinite(rate) && rate > 0 ? rate : curve.cumulative(span) / span;
}

double mtbf_for(const Instance& instance, const StrategySpec& spec) {
  return spec.has("mean") && spec.choice("mean") == "law" ? law_mtbf(instance) : job_mtbf(instance);
}

Made make_strategy(const StrategySpec& spec, const Instance& instance) {
  const Row& row = kStrategies[spec.index];
  if (row.needs_law && !instance.law) {
    return fail(ErrorCode::bad_value, "/failures/distribution",
                "is missing; strategy '" + std::string(row.entry.name) +
                    "' plans from the law of the failures");
  }
  if (spec.has("mean") && spec.choice("mean") == "observed" && !instance.observed_mtbf) {
    return fail(ErrorCode::bad_value, "/failures/log",
                "is missing; strategy '" + spec.text + "' uses the rate observed in a log");
  }
  if (instance.is_elastic() && !row.suits_any_size) {
    return fail(ErrorCode::bad_value, "/minimum_nodes",
                "is given; strategy '" + std::string(row.entry.name) +
                    "' is for jobs that always have all their nodes");
  }
  // Rules without a law count in work, whatever time it takes.
  return instance.is_elastic() && row.needs_law ? make_by_size(instance, spec, row.make)
                                                : row.make(instance, spec);
}

}  // namespace holdfast::checkpoint
