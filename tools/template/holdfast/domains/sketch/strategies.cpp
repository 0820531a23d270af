#include "holdfast/domains/sketch/strategies.hpp"

#include <array>

namespace holdfast::sketch {
namespace {

struct StrategyRow {
  StrategyEntry entry;
  std::unique_ptr<Strategy> (*make)(const Instance& instance, const StrategySpec& spec);
};

constexpr auto kCount = std::to_array<Parameter>({
    {.name = "count",
     .summary = "number of segments",
     .kind = Kind::integer,
     .range = between(1, 1e6),
     .fallback = "4"},
});

constexpr auto kStrategies = std::to_array<StrategyRow>({
    {.entry = {.name = "parts",
               .summary = "COUNT equal segments",
               .source = "common practice",
               .parameters = kCount},
     .make = make_parts},
    {.entry = {.name = "whole",
               .summary = "everything in one segment",
               .source = "common practice"},
     .make = make_whole},
});

}  // namespace

std::vector<StrategyEntry> strategy_entries() {
  std::vector<StrategyEntry> entries;
  for (const StrategyRow& row : kStrategies) entries.push_back(row.entry);
  return entries;
}

std::unique_ptr<Strategy> make_strategy(const Instance& instance, const StrategySpec& spec) {
  return kStrategies[spec.index].make(instance, spec);
}

}  // namespace holdfast::sketch
