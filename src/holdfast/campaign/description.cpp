#include "holdfast/campaign/description.hpp"

#include "holdfast/base/version.hpp"

#include <fmt/format.h>

namespace holdfast {
namespace {

std::string text_at(const Value& object, std::string_view name) {
  const Value* value = object.find(name);
  return value != nullptr && value->string() != nullptr ? *value->string() : std::string();
}

std::uint64_t count_at(const Value& object, std::string_view name) {
  std::uint64_t out = 0;
  const Value* value = object.find(name);
  return value != nullptr && value->is_number() && value->get_unsigned(out) ? out : 0;
}

std::vector<Axis> axes_at(const Value& object, std::string_view name) {
  std::vector<Axis> out;
  const Value* axes = object.find(name);
  if (axes == nullptr || axes->array_items() == nullptr) return out;
  for (const Value& axis : *axes->array_items()) {
    const Value* values = axis.find("values");
    if (values == nullptr || values->array_items() == nullptr) continue;
    out.push_back({.name = text_at(axis, "name"), .values = *values->array_items()});
  }
  return out;
}

tl::unexpected<Error> refused(const Value& object, std::string_view name,
                              std::string_view expected) {
  const Value* value = object.find(name);
  return fail(ErrorCode::bad_format, "/" + std::string(name),
              fmt::format("found {} in the description of the campaign, expected {}; run the "
                          "campaign again in another directory (--output)",
                          value == nullptr ? "nothing" : "something else", expected));
}

/// Checks that a description, which is an input, has the members that are read.
Status check_description(const Value& object) {
  for (const std::string_view name : {"name", "domain", "version"}) {
    const Value* value = object.find(name);
    if (value == nullptr || value->string() == nullptr) return refused(object, name, "a text");
  }
  for (const std::string_view name : {"seed", "instances", "scenarios"}) {
    const Value* value = object.find(name);
    std::uint64_t count = 0;
    const bool is_count = value != nullptr && value->is_number() && value->get_unsigned(count);
    if (!is_count) return refused(object, name, "a whole number");
  }
  const Value* axes = object.find("axes");
  if (axes == nullptr || axes->array_items() == nullptr) return refused(object, "axes", "a list");
  for (const Value& axis : *axes->array_items()) {
    const Value* values = axis.find("values");
    const bool has_values = values != nullptr && values->array_items() != nullptr;
    if (!has_values || values->array_items()->empty()) {
      return refused(object, "axes", "parameters with at least one value each");
    }
  }
  const Value* scale = object.find("scale");
  if (scale != nullptr && !(scale->is_number() && scale->number() > 0)) {
    return refused(object, "scale", "a number greater than 0");
  }
  return {};
}

std::vector<std::string> texts_at(const Value& object, std::string_view name) {
  std::vector<std::string> out;
  const Value* list = object.find(name);
  if (list == nullptr || list->array_items() == nullptr) return out;
  for (const Value& item : *list->array_items()) {
    if (item.string() != nullptr) out.push_back(*item.string());
  }
  return out;
}

/// Returns the positions in a list, which are whole numbers in increasing order; others are left out.
std::vector<std::size_t> positions_at(const Value& object, std::string_view name) {
  std::vector<std::size_t> out;
  const Value* list = object.find(name);
  if (list == nullptr || list->array_items() == nullptr) return out;
  for (const Value& item : *list->array_items()) {
    std::uint64_t position = 0;
    const bool is_next =
        item.is_number() && item.get_unsigned(position) && (out.empty() || position > out.back());
    if (is_next) out.push_back(position);
  }
  return out;
}

/// Returns the metrics that are bounds, with only their names and the metrics that they bound.
std::vector<StoredMetric> bounding_metrics_at(const Value& object) {
  std::vector<StoredMetric> out;
  const Value* table = object.find("bounding_metrics");
  if (table == nullptr || table->members() == nullptr) return out;
  for (const auto& [name, bounded] : *table->members()) {
    if (bounded.string() == nullptr) continue;
    StoredMetric metric;
    metric.name = name;
    metric.bounds = *bounded.string();
    out.push_back(std::move(metric));
  }
  return out;
}

}  // namespace

std::vector<StoredMetric> describe_metrics(const Domain& domain) {
  std::vector<StoredMetric> out;
  out.reserve(domain.metrics.size());
  for (const Metric& metric : domain.metrics) {
    out.push_back({.name = std::string(metric.name),
                   .unit = std::string(symbol(metric.unit)),
                   .better = metric.better,
                   .summary = std::string(metric.summary),
                   .numerator = std::string(metric.numerator),
                   .denominator = std::string(metric.denominator),
                   .bounds = std::string(metric.bounds)});
  }
  return out;
}

std::vector<std::size_t> bounds_among(const Domain& domain,
                                      std::span<const StrategySpec> strategies) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < strategies.size(); ++i) {
    if (domain.strategies[strategies[i].index].is_bound) out.push_back(i);
  }
  if (out.size() == strategies.size()) out.clear();
  return out;
}

Description describe_campaign(const Campaign& campaign) {
  Description out{.name = campaign.name,
                  .domain = std::string(campaign.domain->name),
                  .seed = campaign.seed,
                  .instances = campaign.instances,
                  .scenarios = campaign.scenarios,
                  .axes = campaign.axes,
                  .strategies = {},
                  .shown = {},
                  .baseline = campaign.baseline,
                  .bounds = bounds_among(*campaign.domain, campaign.strategies),
                  .metrics = describe_metrics(*campaign.domain),
                  .report = campaign.report,
                  .scale = campaign.scale,
                  .version = std::string(version())};
  for (const StrategySpec& spec : campaign.strategies) {
    out.strategies.push_back(spec.text);
    out.shown.push_back(spec.shown);
  }
  return out;
}

Description Description::for_people() const {
  Description out = *this;
  if (shown.size() == strategies.size()) out.strategies = shown;
  return out;
}

std::string to_text(const Description& description) {
  Value axes = Value::array();
  for (const Axis& axis : description.axes) {
    axes.push(Value::object({{"name", axis.name}, {"values", Value(Value::Array(axis.values))}}));
  }
  Value out = Value::object({{"name", description.name},
                             {"domain", description.domain},
                             {"seed", description.seed},
                             {"instances", description.instances},
                             {"scenarios", description.scenarios},
                             {"scale", description.scale},
                             {"axes", std::move(axes)},
                             {"strategies", Value::list(description.shown)},
                             {"report", description.report},
                             {"version", description.version}});
  if (!description.problem.empty()) out.set("problem", description.problem);
  if (description.baseline) out.set("baseline", std::uint64_t{*description.baseline});
  if (!description.bounds.empty()) {
    const std::vector<std::uint64_t> bounds(description.bounds.begin(), description.bounds.end());
    out.set("bounds", Value::list(bounds));
  }
  Value metrics = Value::object();
  for (const StoredMetric& metric : description.metrics) {
    if (!metric.bounds.empty()) metrics.set(metric.name, metric.bounds);
  }
  if (!metrics.members()->empty()) out.set("bounding_metrics", std::move(metrics));
  return to_compact_json(out);
}

Result<Description> parse_description(std::string_view text) {
  const auto parsed = parse_json(text);
  if (!parsed || parsed->members() == nullptr) {
    return fail(ErrorCode::bad_format, {},
                "found no description of a campaign; run the campaign again");
  }
  HOLDFAST_CHECK(check_description(*parsed));
  Description out;
  out.name = text_at(*parsed, "name");
  out.domain = text_at(*parsed, "domain");
  out.seed = count_at(*parsed, "seed");
  out.instances = count_at(*parsed, "instances");
  out.scenarios = count_at(*parsed, "scenarios");
  out.axes = axes_at(*parsed, "axes");
  out.shown = texts_at(*parsed, "strategies");
  out.version = text_at(*parsed, "version");
  out.problem = text_at(*parsed, "problem");
  if (parsed->find("baseline") != nullptr) out.baseline = count_at(*parsed, "baseline");
  if (const Value* report = parsed->find("report")) out.report = *report;
  const Value* scale = parsed->find("scale");
  if (scale != nullptr && scale->is_number()) out.scale = scale->number();
  out.bounds = positions_at(*parsed, "bounds");
  out.metrics = bounding_metrics_at(*parsed);
  return out;
}

void complete_description(Description& description, std::vector<std::string> strategies,
                          std::vector<StoredMetric> metrics) {
  for (StoredMetric& metric : metrics) {
    for (const StoredMetric& bounding : description.metrics) {
      if (bounding.name == metric.name) metric.bounds = bounding.bounds;
    }
  }
  description.strategies = std::move(strategies);
  description.metrics = std::move(metrics);
  std::erase_if(description.bounds,
                [&](std::size_t position) { return position >= description.strategies.size(); });
  if (description.bounds.size() == description.strategies.size()) description.bounds.clear();
}

Better parse_better(std::string_view text) {
  if (text == "lower") return Better::lower;
  return text == "higher" ? Better::higher : Better::neither;
}

}  // namespace holdfast
