#include "holdfast/models/resilience/repair_law.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/math/sum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <utility>

namespace holdfast {

RepairLaw RepairLaw::constant(double length) {
  RepairLaw out;
  out.mean_ = length;
  return out;
}

RepairLaw RepairLaw::of(Law law) {
  RepairLaw out;
  out.mean_ = law.mean();
  out.law_ = std::move(law);
  return out;
}

RepairLaw RepairLaw::recorded(std::span<const double> lengths) {
  assert(!lengths.empty());
  RepairLaw out;
  out.lengths_.assign(lengths.begin(), lengths.end());
  std::ranges::sort(out.lengths_);
  CompensatedSum sum;
  for (const double length : out.lengths_) sum += length;
  out.mean_ = sum.value() / static_cast<double>(lengths.size());
  return out;
}

double RepairLaw::length(double uniform) const {
  if (law_) return factor_ * law_->inverse_cumulative_hazard(-elementary::log1p(-uniform));
  if (lengths_.empty()) return mean_;
  return factor_ *
         lengths_[static_cast<std::size_t>(uniform * static_cast<double>(lengths_.size()))];
}

RepairLaw RepairLaw::times(double factor) const {
  RepairLaw out = *this;
  out.mean_ *= factor;
  out.factor_ *= factor;
  return out;
}

std::string_view RepairLaw::name() const {
  if (law_) return law_->name();
  return lengths_.empty() ? "constant" : "recorded";
}

Value RepairLaw::description() const {
  assert(factor_ == 1 && "only laws as they were read are written");
  Value out = Value::object();
  if (!law_) {
    out.set("distribution", name());
    if (lengths_.empty()) {
      out.set("mean", mean_);
    } else {
      out.set("lengths", Value::list(lengths_));
    }
    return out;
  }
  for (const auto& [field, value] : *law_->description().members()) {
    out.set(field == "mtbf" ? "mean" : field, value);
  }
  return out;
}

namespace {

/// The fields without a mean that decide a law.
constexpr auto kOthers = std::to_array<std::string_view>(
    {"scale", "log_mean", "file", "lifetimes", "breakpoints", "parts"});

// Reads {"distribution", "mean"} with no other law than these two.
Result<RepairLaw> read_plain(const Value& value, const std::string& where, std::string_view kind) {
  ObjectReader read(value, where);
  read.ignore("distribution");
  if (kind == "constant") {
    const double length = read.seconds("mean", non_negative());
    HOLDFAST_CHECK(read.finish());
    return RepairLaw::constant(length);
  }
  const std::vector<double> lengths = read.numbers("lengths", Unit::seconds, non_negative());
  if (lengths.empty()) read.refuse("lengths", "found no length, expected at least one");
  HOLDFAST_CHECK(read.finish());
  return RepairLaw::recorded(lengths);
}

std::string_view distribution_of(const Value& value) {
  const Value* given = value.find("distribution");
  const std::string* name = given == nullptr ? nullptr : given->string();
  return name == nullptr ? std::string_view() : *name;
}

}  // namespace

Result<Law> read_law_of_mean(const Value& value, const std::string& where,
                             const std::filesystem::path& directory) {
  if (value.members() == nullptr) {
    HOLDFAST_TRY(mean, read_quantity(value, where, Unit::seconds, positive()));
    return exponential_law(mean);
  }
  Value law = Value::object();
  if (value.find("distribution") == nullptr) law.set("distribution", "exponential");
  for (const auto& [field, part] : *value.members()) {
    if (field == "mtbf") {
      return fail(ErrorCode::bad_value, pointer_to(where, field),
                  "is not a field of it, expected 'mean'");
    }
    if (field != "mean") {
      law.set(field, part);
      continue;
    }
    HOLDFAST_TRY(mean, read_quantity(part, pointer_to(where, field), Unit::seconds, positive()));
    law.set("mtbf", mean);
  }
  const bool has_other = std::ranges::any_of(
      kOthers, [&](std::string_view field) { return value.find(field) != nullptr; });
  if (law.find("mtbf") == nullptr && !has_other) {
    return fail(ErrorCode::bad_value, pointer_to(where, "mean"), "is missing: the mean length");
  }
  return read_law(law, where, directory);
}

Result<RepairLaw> read_repair_law(const Value& value, const std::string& where,
                                  const std::filesystem::path& directory) {
  const std::string_view kind = distribution_of(value);
  if (value.find("distribution") != nullptr &&
      std::ranges::find(kRepairLaws, kind) == kRepairLaws.end()) {
    return fail(
        ErrorCode::bad_value, pointer_to(where, "distribution"),
        fmt::format("found {}, expected one of {}",
                    kind.empty() ? value.find("distribution")->described() : in_quotes(kind),
                    join(kRepairLaws, ", ")));
  }
  if (kind == "constant" || kind == "recorded") return read_plain(value, where, kind);
  const bool is_plain = value.members() == nullptr;
  const Value* mean = is_plain ? &value : value.find("mean");
  if (mean != nullptr) {
    const std::string place = is_plain ? where : pointer_to(where, "mean");
    HOLDFAST_TRY(length, read_quantity(*mean, place, Unit::seconds, non_negative()));
    if (length == 0) return RepairLaw();
  }
  HOLDFAST_TRY(law, read_law_of_mean(value, where, directory));
  return RepairLaw::of(std::move(law));
}

}  // namespace holdfast
