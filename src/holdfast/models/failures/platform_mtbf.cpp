#include "holdfast/models/failures/platform_mtbf.hpp"

#include "holdfast/base/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace holdfast {
namespace {

/// The fields that give the mean of one processor's law in another way than 'platform_mtbf'.
constexpr auto kOtherMeans = std::to_array<std::string_view>({"mtbf", "scale", "log_mean", "log"});

}  // namespace

Result<Value> of_one_processor(const Value& object, const std::string& where,
                               std::int64_t processors) {
  const Value* whole = object.find("platform_mtbf");
  if (whole == nullptr) return object;
  const std::string place = where + "/platform_mtbf";
  HOLDFAST_TRY(mean, read_quantity(*whole, place, Unit::seconds, positive()));
  for (const std::string_view name : kOtherMeans) {
    if (object.find(name) == nullptr) continue;
    return fail(ErrorCode::bad_value, place,
                fmt::format("found both '{}' and 'platform_mtbf', expected one of them", name));
  }
  Value out = Value::object();
  for (const auto& [name, value] : *object.members()) {
    if (name != "platform_mtbf") out.set(name, value);
  }
  out.set("mtbf", mean * static_cast<double>(std::max<std::int64_t>(processors, 1)));
  return out;
}

}  // namespace holdfast
