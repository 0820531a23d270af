#include "holdfast/domains/checkpoint/elastic.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast::checkpoint {
namespace {

using SpeedPoint = std::pair<std::int64_t, double>;

Result<SpeedPoint> read_point(const Value& nodes, const Value& speed, const std::string& where) {
  HOLDFAST_TRY(count, read_quantity(nodes, where + "/0", Unit::none, at_least(1)));
  if (count != std::floor(count))
    return fail(ErrorCode::bad_value, where + "/0",
                fmt::format("found {}, expected a whole number of nodes", count));
  HOLDFAST_TRY(part, read_quantity(speed, where + "/1", Unit::none, positive()));
  return SpeedPoint{static_cast<std::int64_t>(count), part};
}

Status check_speed(const Instance& instance) {
  const auto& speed = instance.platform.speed;
  for (std::size_t i = 1; i < speed.size(); ++i) {
    if (speed[i].first <= speed[i - 1].first || speed[i].second < speed[i - 1].second) {
      return fail(
          ErrorCode::bad_value, fmt::format("/speed/{}", i),
          fmt::format("found speed {} on {} after {} on {}, expected more nodes, and a speed "
                      "that is not smaller",
                      speed[i].second, speed[i].first, speed[i - 1].second,
                      counted(speed[i - 1].first, "node")));
    }
  }
  const auto& [most, full] = speed.back();
  if (most != instance.processors || full != 1) {
    return refuse_field("speed",
                        fmt::format("found speed {} on {} as the last, expected 1 on all {}", full,
                                    counted(most, "node"), instance.processors));
  }
  if (speed.front().first <= *instance.platform.minimum_nodes) return {};
  return refuse_field(
      "speed", fmt::format("found no speed below {}, expected one for the {} of "
                           "'minimum_nodes'",
                           counted(speed.front().first, "node"), *instance.platform.minimum_nodes));
}

}  // namespace

double SparePlatform::speed_of(std::int64_t nodes, std::int64_t all) const {
  if (nodes == all) return 1;
  if (speed.empty()) return static_cast<double>(nodes) / static_cast<double>(all);
  if (nodes < speed.front().first) return 0;
  const auto above = std::ranges::lower_bound(speed, nodes, {}, &SpeedPoint::first);
  if (above->first == nodes) return above->second;
  const auto& [low, slow] = *std::prev(above);
  const double part = static_cast<double>(nodes - low) / static_cast<double>(above->first - low);
  return slow + part * (above->second - slow);
}

Status read_speed(const Value& value, const std::string& where, SparePlatform& out) {
  const std::string* text = value.string();
  if (text != nullptr && *text == "linear") return {};
  if (text != nullptr) {
    for (const std::string_view part : split(*text, ',')) {
      const std::size_t colon = part.find(':');
      if (colon == std::string_view::npos) {
        return fail(ErrorCode::bad_value, where,
                    fmt::format("found {}, expected linear or NODES:SPEED, such as 16:0.5,32:1",
                                in_quotes(part)));
      }
      HOLDFAST_TRY(point, read_point(Value(trim(part.substr(0, colon))),
                                     Value(trim(part.substr(colon + 1))), where));
      out.speed.push_back(point);
    }
    return {};
  }
  const Value::Array* rows = value.array_items();
  if (rows == nullptr || rows->empty()) {
    return fail(
        ErrorCode::bad_value, where,
        fmt::format("found {}, expected linear or [[nodes, speed], ...]", value.described()));
  }
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const std::string place = fmt::format("{}/{}", where, i);
    const Value::Array* items = (*rows)[i].array_items();
    if (items == nullptr || items->size() != 2) {
      return fail(ErrorCode::bad_value, place,
                  fmt::format("found {}, expected [nodes, speed]", (*rows)[i].described()));
    }
    HOLDFAST_TRY(point, read_point((*items)[0], (*items)[1], place));
    out.speed.push_back(point);
  }
  return {};
}

Status check_elastic(const Instance& instance) {
  const SparePlatform& platform = instance.platform;
  if (!platform.minimum_nodes) {
    const bool has_speed = !platform.speed.empty();
    if (!has_speed && platform.join == Join::checkpoint) return {};
    return refuse_field(
        has_speed ? "speed" : "join",
        "found without 'minimum_nodes', expected with it: the job waits for all nodes");
  }
  if (*platform.minimum_nodes > instance.processors) {
    return refuse_field("minimum_nodes",
                        fmt::format("found {}, expected at most the {}", *platform.minimum_nodes,
                                    counted(instance.processors, "processor")));
  }
  if (!platform.has_pool()) {
    return refuse_field(
        "minimum_nodes",
        "found without 'spares', expected with their number, 0 or more: otherwise a new "
        "node is always there");
  }
  if (!platform.speed.empty()) HOLDFAST_CHECK(check_speed(instance));
  if (!instance.is_elastic()) return {};
  const std::string_view other = instance.local.exists()     ? "local_checkpoint"
                                 : instance.late.flush > 0   ? "flush"
                                 : instance.late.failure > 0 ? "save_failure"
                                                             : "";
  if (other.empty()) return {};
  return refuse_field(
      "minimum_nodes",
      fmt::format("found with '{}', expected one of them: a job on other nodes reads its "
                  "last checkpoint, from the file system",
                  other));
}

}  // namespace holdfast::checkpoint
