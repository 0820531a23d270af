#include "holdfast/domains/sketch/strategies.hpp"

#include <array>

namespace holdfast::sketch {
// The functions that make the strategies, each in the file of strategies/ with its name. A strategy also needs a row below.
using Make = std::unique_ptr<Strategy>(const StrategySpec&, const Instance&);
Make make_parts;

namespace {

struct Row {
  StrategyEntry entry;
  std::unique_ptr<Strategy> (*make)(const StrategySpec& spec, const Instance& instance);
};

constexpr auto kCount = std::to_array<Parameter>({
    {.name = "count",
     .summary = "number of segments",
     .kind = Kind::integer,
     .range = between(1, 1e6),
     .fallback = "4"},
});

constexpr auto kStrategyRows = std::to_array<Row>({
    {{"parts", "COUNT equal segments", "common practice", kCount}, make_parts},
    {{"whole", "everything in one segment", "common practice"}, make_parts},
});

}  // namespace

std::vector<StrategyEntry> strategies() {
  std::vector<StrategyEntry> entries;
  for (const Row& row : kStrategyRows) entries.push_back(row.entry);
  return entries;
}

std::unique_ptr<Strategy> make_strategy(const StrategySpec& spec, const Instance& instance) {
  return kStrategyRows[spec.index].make(spec, instance);
}

}  // namespace holdfast::sketch
