#include "holdfast/domains/capacity/strategies.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/domains/capacity/strategies/as_given.hpp"
#include "holdfast/domains/capacity/strategies/easy.hpp"
#include "holdfast/domains/capacity/strategies/first_fit.hpp"
#include "holdfast/domains/capacity/strategies/queue_scan.hpp"
#include "holdfast/domains/capacity/strategies/target_policy.hpp"
#include "holdfast/domains/capacity/strategies/under_price.hpp"
#include "holdfast/domains/capacity/tariff.hpp"

#include <fmt/format.h>

#include <array>
#include <numeric>

namespace holdfast::capacity {
namespace {

using Maker = StrategyMaker (*)(const StrategySpec&, const Instance&, Stream);

FirstFitRules first_fit_rules(const Instance& instance) {
  const bool author = instance.profile == Profile::author;
  return {.permutation = {},
          .strict = author,
          .rescan_all = author,
          .permutation_is_try_order = author,
          .drop_carried_in = author};
}

StrategyMaker first_fit_aware(const StrategySpec&, const Instance& instance, Stream) {
  return [rules = first_fit_rules(instance)](ClusterState& cluster) {
    return std::make_unique<FirstFit>(cluster, rules);
  };
}

StrategyMaker first_fit_unaware(const StrategySpec&, const Instance& instance, Stream coin) {
  FirstFitRules rules = first_fit_rules(instance);
  // Machines that differ in size keep their order, so that every strategy has the same cores.
  if (!instance.sizes.empty()) rules.permutation_is_try_order = true;
  rules.permutation.resize(static_cast<std::size_t>(instance.machines));
  std::iota(rules.permutation.begin(), rules.permutation.end(), std::int64_t{0});
  for (std::size_t k = rules.permutation.size(); k > 1; --k) {
    const auto other = static_cast<std::size_t>(coin.integer(0, static_cast<std::int64_t>(k) - 1));
    std::swap(rules.permutation[k - 1], rules.permutation[other]);
  }
  return [rules](ClusterState& cluster) { return std::make_unique<FirstFit>(cluster, rules); };
}

StrategyMaker target(TargetKind kind, const StrategySpec& spec, const Instance& instance) {
  TargetRules rules{.kind = kind,
                    .distance = instance.largest_distance(),
                    .grow_above = spec.number("grow"),
                    .shrink_below = spec.number("shrink"),
                    .author = instance.profile == Profile::author};
  if (spec.has("distance")) rules.distance = static_cast<std::int64_t>(spec.number("distance"));
  if (spec.has("pack")) rules.pack = static_cast<std::int64_t>(spec.number("pack"));
  return [rules](ClusterState& cluster) { return make_target_policy(cluster, rules); };
}
StrategyMaker target_stretch(const StrategySpec& spec, const Instance& instance, Stream) {
  return target(TargetKind::stretch, spec, instance);
}
StrategyMaker target_asap(const StrategySpec& spec, const Instance& instance, Stream) {
  return target(TargetKind::asap, spec, instance);
}
StrategyMaker packed_target_asap(const StrategySpec& spec, const Instance& instance, Stream) {
  return target(TargetKind::packed, spec, instance);
}
StrategyMaker easy(const StrategySpec&, const Instance&, Stream) {
  return [](ClusterState& cluster) { return std::make_unique<Easy>(cluster, 0); };
}
StrategyMaker drain(const StrategySpec&, const Instance& instance, Stream coin) {
  return [notice = instance.notice, errors = notice_errors(instance, coin)](ClusterState& cluster) {
    return std::make_unique<QueueScan>(cluster, notice, errors);
  };
}
StrategyMaker easy_drain(const StrategySpec&, const Instance& instance, Stream coin) {
  return [notice = instance.notice, errors = notice_errors(instance, coin)](ClusterState& cluster) {
    return std::make_unique<Easy>(cluster, notice, errors);
  };
}
StrategyMaker clairvoyant(const StrategySpec&, const Instance&, Stream) {
  return [](ClusterState& cluster) { return std::make_unique<QueueScan>(cluster, kNever); };
}
StrategyMaker under_price(const StrategySpec& spec, const Instance& instance, Stream) {
  const bool by_carbon = instance.price.empty() || instance.objective == Objective::grams;
  const std::vector<Rate>& rates = by_carbon ? instance.carbon : instance.price;
  const double limit = spec.has("limit") ? spec.number("limit") : median_rate(rates, instance);
  return [limit, by_carbon](ClusterState& cluster) {
    return std::make_unique<UnderPrice>(cluster, by_carbon, limit);
  };
}
StrategyMaker as_given(const StrategySpec&, const Instance&, Stream) {
  return [](ClusterState& cluster) { return std::make_unique<AsGiven>(cluster); };
}

constexpr Parameter kDistance{
    .name = "distance",
    .summary =
        "how far the number of the chosen machine may be from that of the target machine (D+); "
        "default: 5/12 of the mean number of machines; profile author: 11",
    .kind = Kind::integer,
    .range = non_negative()};
constexpr Parameter kGrow{.name = "grow",
                          .summary = "use more machines while their mean utilisation is above this",
                          .range = between(0, 1),
                          .fallback = "0.95"};
constexpr Parameter kShrink{
    .name = "shrink",
    .summary = "use fewer machines while their mean utilisation is below this",
    .range = between(0, 1),
    .fallback = "0.8"};
constexpr Parameter kPack{.name = "pack",
                          .summary = "number of machines in a pack",
                          .kind = Kind::integer,
                          .range = at_least(1),
                          .fallback = "5"};
constexpr Parameter kLimit{.name = "limit",
                           .summary =
                               "largest rate at which jobs start, per machine-hour; "
                               "default: the median over the window"};
constexpr std::array kUnder = {kLimit};
constexpr std::array kTarget = {kDistance, kGrow, kShrink};
constexpr std::array kPacked = {kDistance, kGrow, kShrink, kPack};

struct Entry : StrategyEntry {
  Maker make;
};
const std::array<Entry, 11> kTable = {{
    {{"first-fit-aware",
      "the lowest-numbered machine with enough free cores; machines go off from the highest number",
      "Perotin's thesis, section 4.5.2",
      {}},
     first_fit_aware},
    {{"first-fit-unaware",
      "first fit without knowing which machines go off first",
      "Perotin's thesis, section 4.5.2",
      {}},
     first_fit_unaware},
    {{"target-stretch",
      "longer jobs on safer machines: wait for the target machine unless the largest stretch would "
      "grow",
      "Perotin's thesis, section 4.5.3", kTarget},
     target_stretch},
    {{"target-asap",
      "longer jobs on safer machines: start now near the target machine, or else wait for it",
      "Perotin's thesis, section 4.5.4", kTarget},
     target_asap},
    {{"packed-target-asap", "target-asap with packs of machines that are filled in order",
      "Perotin's thesis, section 4.5.5", kPacked},
     packed_target_asap},
    {{"easy",
      "first fit that never delays the first waiting job (EASY backfilling)",
      "EASY of the ANL/IBM SP, on machines instead of nodes",
      {}},
     easy},
    {{.name = "drain",
      .summary = "first fit that starts no job which an announced shutdown would kill (--notice)",
      .source = "ours",
      .used_with = "notice"},
     drain},
    {{"easy-drain", "EASY backfilling that drains machines in the same way", "ours", {}},
     easy_drain},
    {{"under-price",
      "first fit that starts jobs only while a machine-hour costs at most a limit, in money "
      "(--price) or in carbon (--carbon)",
      "ours", kUnder},
     under_price},
    // Measured beside the others and not ranked among them; the bound is the metric goodput_bound.
    {{.name = "clairvoyant",
      .summary =
          "first fit that knows when machines go off, and starts no job that would be killed",
      .source = "ours",
      .is_bound = true},
     clairvoyant},
    {{"as-given",
      "the starts listed in the instance (`placements`)",
      "for schedules of proofs and of other tools",
      {}},
     as_given},
}};

}  // namespace

std::vector<StrategyEntry> strategies() {
  return {kTable.begin(), kTable.end()};
}

std::string unheeded_objective(const StrategySpec& spec, const Instance& instance) {
  if (instance.objective == Objective::goodput || kTable[spec.index].make == under_price) return {};
  return fmt::format(
      "the objective {} changes nothing for {}: 'simulate' compares strategies by it, and of all "
      "that decide live only under-price:limit=RATE goes by it",
      kObjectives[static_cast<std::size_t>(instance.objective)], kTable[spec.index].name);
}

Status check_limit(const StrategySpec& spec) {
  if (kTable[spec.index].make != under_price || spec.has("limit")) return {};
  return fail(ErrorCode::bad_value, "/strategy",
              fmt::format("found {}, expected {}:limit=RATE: a live state has no window with a "
                          "median",
                          in_quotes(spec.text), kTable[spec.index].name));
}

Result<StrategyMaker> make_strategy(const StrategySpec& spec, const Instance& instance,
                                    Stream coin) {
  const Entry& entry = kTable[spec.index];
  if (entry.make == as_given && instance.given.empty()) {
    return fail(ErrorCode::bad_value, "/placements",
                "is missing; strategy 'as-given' takes its starts from the "
                "instance");
  }
  const bool heeds_notice = entry.make == drain || entry.make == easy_drain;
  if (heeds_notice && instance.notice == 0) {
    return fail(ErrorCode::bad_value, "/notice",
                fmt::format("is missing; strategy '{}' needs announced shutdowns (--notice 2min, "
                            "or 'announced' in a live state)",
                            entry.name));
  }
  if (entry.make == under_price && instance.price.empty() && instance.carbon.empty()) {
    return fail(
        ErrorCode::bad_value, "/price",
        fmt::format(
            "is missing; strategy '{}' needs to know what machines cost (--price or --carbon)",
            entry.name));
  }
  return entry.make(spec, instance, coin);
}

}  // namespace holdfast::capacity
