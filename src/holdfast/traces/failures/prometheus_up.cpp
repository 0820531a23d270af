#include "holdfast/base/text.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/traces/failures/node_states.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <map>
#include <string>

namespace holdfast {
namespace {

constexpr std::size_t kMostRangeBytes = std::size_t{1} << 28;

/// Returns the name of the node of a series: the label instance without its port, or the first other label that is known.
std::string node_of_series(const Value& series) {
  const Value* metric = series.find("metric");
  for (const char* label :
       {"instance", "nodename", "node", "hostname", "host", "exported_instance"}) {
    const Value* value = metric == nullptr ? nullptr : metric->find(label);
    if (value == nullptr || value->string() == nullptr || value->string()->empty()) continue;
    const std::string& name = *value->string();
    return name.substr(0, name.rfind(':'));
  }
  return {};
}

/// Takes a sample [time, "0" or "1"]. Returns true if its node is down.
Result<bool> take_sample(NodeStates& states, const std::string& node, const Value& sample) {
  const Value::Array* pair = sample.array_items();
  const bool fits = pair != nullptr && pair->size() == 2 && (*pair)[0].is_number() &&
                    (*pair)[1].string() != nullptr;
  const auto value = fits ? finite_number(*(*pair)[1].string()) : std::nullopt;
  const Duty duty = value && *value > 0 ? Duty::up : Duty::down;
  if (!value || !states.take(node, (*pair)[0].number(), duty)) {
    return fail(ErrorCode::bad_value, {},
                "expected samples [time, \"0\" or \"1\"] in order of time");
  }
  return duty == Duty::down;
}

Result<FailureLog> read_prometheus_up(LineReader lines, std::optional<std::string> system) {
  HOLDFAST_TRY(text, lines.rest(kMostRangeBytes));
  auto document = parse_json(text);
  if (!document) return fail(in_file(lines.name(), std::move(document).error()));
  const Value* result = document->at("/data/result");
  if (result == nullptr || result->array_items() == nullptr || result->array_items()->empty())
    return fail(ErrorCode::bad_format, lines.name(),
                "/data/result: found no series, expected one for each node");
  NodeStates states(true);
  std::int64_t outages = 0, repeated = 0;
  std::map<std::string, int> times_seen;
  for (std::size_t i = 0; i < result->array_items()->size(); ++i) {
    const Value& series = (*result->array_items())[i];
    const std::string where = fmt::format("{}: /data/result/{}", lines.name(), i);
    const Value* values = series.find("values");
    std::string node = node_of_series(series);
    if (node.empty() && result->array_items()->size() == 1) node = kWholeMachines[0];
    if (node.empty() || values == nullptr || values->array_items() == nullptr)
      return fail(ErrorCode::bad_format, where,
                  "expected a label instance, and values over a range of time");
    if (const int before = times_seen[node]++; before > 0) {
      node += fmt::format("#{}", before + 1);
      ++repeated;
    }
    bool was_up = false;
    for (const Value& sample : *values->array_items()) {
      auto is_down = take_sample(states, node, sample);
      if (!is_down) return fail(in_file(where, std::move(is_down).error()));
      if (*is_down && was_up) ++outages;
      was_up = !*is_down;
    }
  }
  if (outages == 0) {
    return fail(ErrorCode::bad_format, lines.name(),
                fmt::format("found no outage of {}, expected at least one value 0 after a 1; if "
                            "this is power, its sum by time is a series: (echo time,power_w; jq -r "
                            "'[.data.result[].values[]]|group_by(.[0])[]|[.[0][0],(map(.[1]|"
                            "tonumber)|add)]|@csv' FILE) > power.csv",
                            counted(result->array_items()->size(), "node")));
  }
  auto log = states.finish("prometheus-up", std::move(system), {}, 0, true);
  if (!log) return fail(in_file(lines.name(), std::move(log).error()));
  log->oddities.add("series of an instance that has another one", repeated,
                    "a node of its own: ask for one job, up{job=\"node\"}");
  return log;
}

bool looks_like_prometheus_up(std::string_view head) {
  return head.find("\"resultType\"") != head.npos && head.find("\"matrix\"") != head.npos;
}

}  // namespace

FormatOf<FailureLog> prometheus_up_format() {
  return {.facts = {.name = "prometheus-up",
                    .summary = "the metric up of nodes over a range of time (Prometheus, JSON)",
                    .recognise = looks_like_prometheus_up},
          .read = read_prometheus_up};
}

}  // namespace holdfast
