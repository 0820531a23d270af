#include "holdfast/reproduction/sample.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/kernel/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>

namespace holdfast::reproduction {
namespace {

constexpr std::uint32_t kMostGroups = 200;

using Values = std::vector<double>;

Values values_of(const Sample& sample) {
  Values values;
  for (const auto& entry : sample.entries) {
    if (std::isfinite(entry.value)) values.push_back(entry.value);
  }
  return values;
}

bool is_pair(const Sample::Entry& entry) {
  return std::isfinite(entry.value) && std::isfinite(entry.over);
}

Values ratios_of(const Sample& sample) {
  Values ratios;
  for (const auto& entry : sample.entries) {
    if (is_pair(entry) && entry.over != 0) ratios.push_back(entry.value / entry.over);
  }
  return ratios;
}

Moments moments_of(const Values& values) {
  Moments moments;
  for (const double value : values) moments.add(value);
  return moments;
}

std::optional<double> mean_of(const Values& values) {
  return values.empty() ? std::nullopt : std::optional(moments_of(values).mean());
}

std::optional<double> quantile_of(Values values, double probability) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  return quantile(values, probability);
}

GeometricMoments geometric_of(const Values& values) {
  GeometricMoments moments;
  for (const double value : values) moments.add(value);
  return moments;
}

std::optional<double> ratio_of_means(const Sample& sample) {
  PairedRatios ratios;
  for (const auto& entry : sample.entries) {
    if (is_pair(entry)) ratios.add(entry.value, entry.over);
  }
  return ratios.ratio_of_means();
}

double incomplete(const Sample& sample) {
  return static_cast<double>(std::count_if(sample.entries.begin(), sample.entries.end(),
                                           [](const auto& entry) { return !entry.completed; }));
}

std::optional<double> percent(double part, std::size_t whole) {
  if (whole == 0) return std::nullopt;
  return 100 * part / static_cast<double>(whole);
}

// Returns the percentage of the pairs for which `holds(value, over)` is true.
template <class Holds>
std::optional<double> percent_of_pairs(const Sample& sample, Holds holds) {
  std::size_t pairs = 0;
  double part = 0;
  for (const auto& entry : sample.entries) {
    if (!is_pair(entry)) continue;
    ++pairs;
    if (holds(entry.value, entry.over)) ++part;
  }
  return percent(part, pairs);
}

// Returns the means over the scenarios of each point and instance in which both strategies have a value.
std::vector<Sample::Entry> unit_means(const Sample& sample, bool pairs_only) {
  struct Unit {
    Moments value, over;
    Sample::Entry first;
  };
  std::map<std::uint32_t, Unit> units;
  for (const auto& entry : sample.entries) {
    if (!std::isfinite(entry.value) || (pairs_only && !is_pair(entry))) continue;
    Unit& unit = units.try_emplace(entry.unit, Unit{{}, {}, entry}).first->second;
    unit.value.add(entry.value);
    if (std::isfinite(entry.over)) unit.over.add(entry.over);
  }
  std::vector<Sample::Entry> means;
  for (auto& [number, unit] : units) {
    Sample::Entry mean = unit.first;
    mean.value = unit.value.mean();
    mean.over = unit.over.count() > 0 ? unit.over.mean() : std::numeric_limits<double>::quiet_NaN();
    means.push_back(mean);
  }
  return means;
}

Values differences(const Sample& sample) {
  Values out;
  for (const auto& mean : unit_means(sample, true)) {
    out.push_back((mean.value - mean.over) / std::min(mean.value, mean.over));
  }
  return out;
}

using Compute = std::optional<double> (*)(const Sample&, double argument);

template <int Percent>
std::optional<double> metric_quantile(const Sample& sample, double) {
  return quantile_of(values_of(sample), Percent / 100.0);
}
template <int Percent>
std::optional<double> ratio_quantile(const Sample& sample, double) {
  return quantile_of(ratios_of(sample), Percent / 100.0);
}

}  // namespace

struct Statistic::Entry {
  std::string_view name;
  bool pairs;
  Kind kind;
  Compute compute;
};

// A new statistic is a row here and one in reproduce/README.md.
struct StatisticTable {
  using Kind = Statistic::Kind;
  static constexpr auto kRows = std::to_array<Statistic::Entry>({
      {"mean", false, Kind::sums, [](const Sample& s, double) { return mean_of(values_of(s)); }},
      {"median", false, Kind::all, metric_quantile<50>},
      {"p10", false, Kind::all, metric_quantile<10>},
      {"p25", false, Kind::all, metric_quantile<25>},
      {"p75", false, Kind::all, metric_quantile<75>},
      {"p90", false, Kind::all, metric_quantile<90>},
      {"minimum", false, Kind::all, metric_quantile<0>},
      {"maximum", false, Kind::all, metric_quantile<100>},
      {"sd", false, Kind::sums, [](const Sample& s, double) { return moments_of(values_of(s)).standard_deviation(); }},
      {"spread", false, Kind::all,
       [](const Sample& s, double) -> std::optional<double> {
         const auto low = quantile_of(values_of(s), 0.1);
         if (!low || *low == 0) return std::nullopt;
         return *quantile_of(values_of(s), 0.9) / *low;
       }},
      {"failed", false, Kind::all, [](const Sample& s, double) { return std::optional(incomplete(s)); }},
      {"completed", false, Kind::all,
       [](const Sample& s, double) {
         return std::optional(static_cast<double>(s.entries.size()) - incomplete(s));
       }},
      {"failed-percent", false, Kind::sums,
       [](const Sample& s, double) { return percent(incomplete(s), s.entries.size()); }},
      {"geometric-mean", true, Kind::sums, [](const Sample& s, double) { return geometric_of(ratios_of(s)).mean(); }},
      {"geometric-sd", true, Kind::sums,
       [](const Sample& s, double) { return geometric_of(ratios_of(s)).standard_deviation(); }},
      {"ratio-of-means", true, Kind::sums, [](const Sample& s, double) { return ratio_of_means(s); }},
      {"ratio-mean", true, Kind::sums, [](const Sample& s, double) { return mean_of(ratios_of(s)); }},
      {"ratio-p10", true, Kind::all, ratio_quantile<10>},
      {"ratio-median", true, Kind::all, ratio_quantile<50>},
      {"ratio-p90", true, Kind::all, ratio_quantile<90>},
      {"less-percent", true, Kind::sums,
       [](const Sample& s, double) { return percent_of_pairs(s, std::less<>()); }},
      {"ties-percent", true, Kind::sums,
       [](const Sample& s, double) { return percent_of_pairs(s, std::equal_to<>()); }},
      {"wins-percent", true, Kind::sums,
       [](const Sample& s, double factor) {
         return percent_of_pairs(s, [factor](double a, double b) { return a <= factor * b; });
       }},
      {"difference-percent", true, Kind::all,
       [](const Sample& s, double) -> std::optional<double> {
         const auto mean = mean_of(differences(s));
         return mean ? std::optional(100 * *mean) : std::nullopt;
       }},
      {"difference-sd", true, Kind::all,
       [](const Sample& s, double) { return moments_of(differences(s)).standard_deviation(); }},
  });
};

Result<Statistic> Statistic::parse(std::string_view text) {
  constexpr std::string_view kByInstance = "instance-";
  Statistic statistic;
  statistic.argument_ = 1;
  std::string_view name = text.substr(0, text.find(':'));
  if (name.size() < text.size()) {
    HOLDFAST_TRY(argument, parse_quantity(text.substr(name.size() + 1), Unit::none));
    statistic.argument_ = argument;
  }
  if (name.starts_with(kByInstance)) {
    statistic.by_instance_ = true;
    name.remove_prefix(kByInstance.size());
  }
  std::vector<std::string_view> names;
  for (const Entry& entry : StatisticTable::kRows) {
    names.push_back(entry.name);
    if (entry.name == name) statistic.entry_ = &entry;
  }
  if (statistic.entry_ != nullptr) return statistic;
  return fail(ErrorCode::unknown_name, "",
              fmt::format("unknown statistic {}; {}", in_quotes(text), suggestion(name, names)));
}

bool Statistic::needs_pairs() const {
  return entry_->pairs;
}

std::optional<double> Statistic::of(const Sample& sample) const {
  if (!by_instance_) return entry_->compute(sample, argument_);
  return entry_->compute(Sample{unit_means(sample, entry_->pairs)}, argument_);
}

bool Statistic::needs_all_draws() const {
  return by_instance_ || entry_->kind == Kind::all;
}

template <class PartOf>
Statistic::Estimates Statistic::without_parts(const Sample& sample, std::uint32_t parts,
                                              PartOf part_of) const {
  Estimates estimates(parts);
  for (std::uint32_t left_out = 0; left_out < parts; ++left_out) {
    Sample rest;
    rest.entries.reserve(sample.entries.size());
    for (const auto& entry : sample.entries) {
      if (part_of(entry) != left_out) rest.entries.push_back(entry);
    }
    if (rest.entries.size() < sample.entries.size()) estimates[left_out] = of(rest);
  }
  return estimates;
}

Measured Statistic::measure(const Sample& sample) const {
  Measured measured{.value = of(sample), .is_sampled = true};
  if (!measured.value) return measured;
  std::uint32_t largest = 0;
  for (const auto& entry : sample.entries) largest = std::max(largest, entry.group);
  const std::uint32_t groups = std::min(largest + 1, kMostGroups);
  Moments estimates;
  for (const auto& estimate :
       without_parts(sample, groups, [groups](const auto& entry) { return entry.group % groups; }))
    if (estimate) estimates.add(*estimate);
  measured.groups = estimates.count();
  if (const auto variance = estimates.variance()) {
    const double n = static_cast<double>(estimates.count());
    measured.standard_error = (n - 1) / std::sqrt(n) * std::sqrt(*variance);
  }
  return measured;
}

Parts Statistic::parts(const Sample& sample, std::uint32_t draws) const {
  std::uint32_t instances = 0;
  for (const auto& entry : sample.entries) instances = std::max(instances, entry.instance + 1);
  std::uint32_t parts = std::max(kMostGroups / std::max(instances, 1U), 2U);
  for (parts = std::min(parts, draws); parts > 1 && draws % parts != 0;) --parts;
  if (instances == 0 || parts < 2) return {};
  const auto part_of = [&](const Sample::Entry& entry) {
    return entry.instance * parts + entry.draw % parts;
  };
  Parts out{.strata = instances};
  const double whole = of(sample).value_or(std::numeric_limits<double>::quiet_NaN());
  std::vector<bool> is_there(std::size_t{instances} * parts);
  for (const auto& entry : sample.entries) is_there[part_of(entry)] = true;
  const Estimates estimates = without_parts(sample, instances * parts, part_of);
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    out.without.push_back(
        is_there[i] ? estimates[i].value_or(std::numeric_limits<double>::quiet_NaN()) : whole);
  }
  return out;
}

}  // namespace holdfast::reproduction
