#include "holdfast/base/text.hpp"
#include "holdfast/traces/capacity/capacity_series.hpp"
#include "holdfast/traces/text/table_kind.hpp"

#include <algorithm>
#include <array>

/// What the names of columns say of the values of a series.
namespace holdfast {
namespace {

/// What a word in the name of a column says of its values. The first word that occurs decides.
struct Meaning {
  std::string_view word;
  SeriesOf of;
};
constexpr auto kMeanings = std::to_array<Meaning>({
    {"price", SeriesOf::carbon},       {"lmp", SeriesOf::carbon},
    {"zerocarbon", SeriesOf::power},   {"lowcarbon", SeriesOf::power},
    {"carbonfree", SeriesOf::power},   {"freecarbon", SeriesOf::power},
    {"cfe", SeriesOf::power},          {"renewable", SeriesOf::power},
    {"carbon", SeriesOf::carbon},      {"co2", SeriesOf::carbon},
    {"emission", SeriesOf::carbon},    {"intensity", SeriesOf::carbon},
    {"moer", SeriesOf::carbon},        {"machines", SeriesOf::machines},
    {"nodes", SeriesOf::machines},     {"gpus", SeriesOf::machines},
    {"instances", SeriesOf::machines}, {"hosts", SeriesOf::machines},
    {"servers", SeriesOf::machines},   {"alive", SeriesOf::machines},
});
constexpr auto kPower = std::to_array<std::string_view>(
    {"power", "mw",     "kw",      "watt",     "generation", "solar",    "wind",
     "wnd",   "sun",    "load",    "demand",   "biomass",    "hydro",    "nuclear",
     "gas",   "coal",   "lignite", "oil",      "geothermal", "waste",    "photovolta",
     "pv",    "energy", "share",   "leistung", "erzeugung",  "verbrauch"});

}  // namespace

std::string_view meaning_in_words(const CapacitySeries& series) {
  if (!series.is_named) return "values whose name does not say what they are";
  switch (series.of) {
    case SeriesOf::machines:
      return "numbers of machines";
    case SeriesOf::power:
      return "power (more machines when it is high)";
    case SeriesOf::carbon:
      return "carbon intensity or price (fewer machines when it is high)";
    case SeriesOf::in_service:
      break;
  }
  return "shares in service";
}

std::optional<SeriesOf> meaning_of(std::string_view column) {
  const std::string name = plain_name(column);
  const auto has = [&](std::string_view word) { return name.find(word) != std::string::npos; };
  for (const auto& [word, of] : kMeanings) {
    if (has(word)) return of;
  }
  const std::string lower = lower_case(column);
  if (name == "ci" || lower.ends_with("_ci") || lower.find("lbs") != lower.npos) {
    return SeriesOf::carbon;
  }
  constexpr auto kMoney =
      std::to_array<std::string_view>({"eur/", "usd/", "gbp/", "€/", "$/", "£/"});
  if (std::ranges::any_of(kMoney, [&](auto word) { return lower.find(word) != lower.npos; })) {
    return SeriesOf::carbon;
  }
  const bool has_unit = lower.find("mw") != lower.npos || lower.find("kw") != lower.npos;
  return has_unit || std::ranges::any_of(kPower, has) ? std::optional(SeriesOf::power)
                                                      : std::nullopt;
}

}  // namespace holdfast
