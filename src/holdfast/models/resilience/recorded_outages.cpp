#include "holdfast/models/resilience/recorded_outages.hpp"

#include "holdfast/base/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace holdfast {

Result<RecordedOutages> read_recorded_outages(const Value& value, const std::string& where) {
  RecordedOutages out;
  ObjectReader read(value, where);
  out.nodes = read.integer("nodes", at_least(1));
  out.length = read.seconds("length", positive());
  double before = 0;
  read.each("outages", [&](const Value& row, const std::string& place) -> Status {
    const Value::Array* items = row.array_items();
    if (items == nullptr || items->size() != 3) {
      return fail(ErrorCode::bad_value, place,
                  fmt::format("found {}, expected [date, node, repair]", row.described()));
    }
    HOLDFAST_TRY(date, read_quantity((*items)[0], place + "/0", Unit::seconds, at_least(before)));
    HOLDFAST_TRY(node, read_integer((*items)[1], place + "/1",
                                    between(0, static_cast<double>(out.nodes - 1))));
    HOLDFAST_TRY(repair, read_quantity((*items)[2], place + "/2", Unit::seconds, non_negative()));
    out.outages.push_back({.date = date, .processor = node, .repair = repair});
    before = date;
    return {};
  });
  HOLDFAST_CHECK(read.finish());
  return out;
}

Value to_value(const RecordedOutages& recorded) {
  Value rows = Value::array();
  for (const auto& [date, node, repair] : recorded.outages)
    rows.push(Value(Value::Array{date, node, repair}));
  return Value::object(
      {{"nodes", recorded.nodes}, {"length", recorded.length}, {"outages", std::move(rows)}});
}

std::vector<double> time_with_down(const RecordedOutages& recorded, double from, double to) {
  std::vector<std::pair<double, int>> steps;
  for (const FailureEvent& outage : recorded.outages) {
    const double begin = std::max(from, outage.date);
    const double end = std::min(to, outage.date + outage.repair);
    if (!(begin < end)) continue;
    steps.emplace_back(begin, 1);
    steps.emplace_back(end, -1);
  }
  std::ranges::sort(steps);
  std::vector<double> out(1);
  std::size_t down = 0;
  double before = from;
  for (const auto& [date, step] : steps) {
    out[down] += date - before;
    before = date;
    down = step > 0 ? down + 1 : down - 1;
    if (down == out.size()) out.push_back(0);
  }
  out[down] += to - before;
  return out;
}

std::int64_t down_quantile(std::span<const double> seconds, double share) {
  double total = 0;
  for (const double part : seconds) total += part;
  double sum = 0;
  std::size_t down = 0;
  for (; down + 1 < seconds.size(); ++down) {
    sum += seconds[down];
    if (sum >= share * total) break;
  }
  return static_cast<std::int64_t>(down);
}

}  // namespace holdfast
