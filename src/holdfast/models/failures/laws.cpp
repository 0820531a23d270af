#include "holdfast/base/text.hpp"
#include "holdfast/models/failures/law.hpp"
#include "holdfast/models/failures/law_model.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

namespace holdfast {
namespace {

constexpr auto kLaws = std::to_array<LawEntry>({
    {.name = "exponential",
     .summary = "memoryless: the hazard rate is constant",
     .fields = "mtbf",
     .read = read_exponential},
    {.name = "weibull",
     .summary =
         "the hazard rate is a power of the age: it falls for shape < 1 and grows for shape > 1",
     .fields = "shape, mtbf | scale",
     .read = read_weibull},
    {.name = "gamma",
     .summary =
         "the hazard rate tends to a constant; it falls for shape < 1 and grows for shape > 1",
     .fields = "shape, mtbf | scale",
     .read = read_gamma},
    {.name = "lognormal",
     .summary = "the hazard rate rises to a peak and then falls",
     .fields = "log_mean, log_sd | mtbf, log_sd | mtbf, k",
     .read = read_lognormal},
    {.name = "empirical",
     .summary = "piecewise-constant hazard rate, given or estimated from lifetimes",
     .fields = "file | lifetimes, censored | breakpoints, hazards",
     .read = read_empirical},
    {.name = "hyperexponential",
     .summary = "a mixture of exponential lives: the hazard rate falls to that of the longest",
     .fields = "parts",
     .read = read_hyperexponential},
});

constexpr auto kNames = [] {
  std::array<std::string_view, kLaws.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kLaws[i].name;
  return names;
}();

}  // namespace

std::span<const LawEntry> laws() {
  return kLaws;
}

std::optional<Law> read_law(ObjectReader& read, const std::filesystem::path& directory) {
  const std::size_t law = read.choice("distribution", kNames);
  if (!read.ok()) return std::nullopt;
  return kLaws[law].read(read, directory);
}

Result<Law> read_law(const Value& object, std::string where,
                     const std::filesystem::path& directory) {
  ObjectReader read(object, std::move(where));
  std::optional<Law> law = read_law(read, directory);
  HOLDFAST_CHECK(read.finish());
  return *law;
}

MeanOrOther read_mean_or(ObjectReader& read, std::string_view other) {
  if (read.has("mtbf") && read.has(other)) {
    read.refuse(other,
                fmt::format("found both 'mtbf' and {}, expected one of them", in_quotes(other)));
  }
  if (!read.has("mtbf") && !read.has(other)) {
    read.refuse("",
                fmt::format("found neither 'mtbf' nor {}, expected one of them", in_quotes(other)));
  }
  const auto value = read.optional_quantity(other, Unit::seconds, positive());
  const auto mean = read.optional_quantity("mtbf", Unit::seconds, positive());
  return {value ? *value : mean.value_or(1), mean.has_value()};
}

std::optional<Law> checked(ObjectReader& read, Law law) {
  if (!read.ok()) return std::nullopt;
  const double mean = law.mean();
  if (!(mean > 0) || !std::isfinite(mean)) {
    read.refuse("",
                "found a law whose mean is not a number that can be held, expected a finite "
                "mean greater than 0");
    return std::nullopt;
  }
  return law;
}

}  // namespace holdfast
