#include "holdfast/models/failures/platform_mtbf.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/models/failures/failure_rate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace holdfast {
namespace {

/// The fields that give the mean of one processor's law.
constexpr auto kMeans = std::to_array<std::string_view>(
    {"mtbf", "scale", "log_mean", "log", "platform_mtbf", "failure_rate", "afr"});

Result<double> mean_of_one(std::string_view field, const Value& given, const std::string& where,
                           std::int64_t processors) {
  if (field == "failure_rate") return read_failure_rate(given, where);
  if (field == "afr") return read_annual_rate(given, where);
  HOLDFAST_TRY(mean, read_quantity(given, where, Unit::seconds, positive()));
  return mean * static_cast<double>(std::max<std::int64_t>(processors, 1));
}

}  // namespace

Result<Value> of_one_processor(const Value& object, const std::string& where,
                               std::int64_t processors) {
  for (const std::string_view field : {"platform_mtbf", "failure_rate", "afr"}) {
    const Value* given = object.find(field);
    if (given == nullptr) continue;
    const std::string place = fmt::format("{}/{}", where, field);
    HOLDFAST_TRY(mean, mean_of_one(field, *given, place, processors));
    for (const std::string_view name : kMeans) {
      if (name == field || object.find(name) == nullptr) continue;
      return fail(ErrorCode::bad_value, place,
                  fmt::format("found both '{}' and '{}', expected one of them", name, field));
    }
    Value out = Value::object();
    for (const auto& [name, value] : *object.members()) {
      if (name != field) out.set(name, value);
    }
    out.set("mtbf", mean);
    return out;
  }
  return object;
}

}  // namespace holdfast
