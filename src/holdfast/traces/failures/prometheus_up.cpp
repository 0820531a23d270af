#include "holdfast/base/text.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/traces/failures/failure_log.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
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

/// One series of 0 (down) and 1 (up), read into outages.
struct SeriesOfNode {
  FailureLogBuilder& builder;
  std::string node;
  double first = std::numeric_limits<double>::infinity(), last = 0, down = 0;
  bool is_up = false, is_down = false;
  std::int64_t samples = 0, began_down = 0;

  void end(double up) {
    const std::string line = fmt::format("{} {}", node, down);
    if (is_down) builder.add({.system = "", .node = node, .down = down, .up = up, .line = line});
    is_down = false;
  }
  Status take(const Value& sample, const std::string& where) {
    const Value::Array* pair = sample.array_items();
    const bool fits = pair != nullptr && pair->size() == 2 && (*pair)[0].is_number() &&
                      (*pair)[1].string() != nullptr;
    const auto value = fits ? finite_number(*(*pair)[1].string()) : std::nullopt;
    if (!value || (samples > 0 && (*pair)[0].number() < last)) {
      return fail(ErrorCode::bad_value, where,
                  "expected samples [time, \"0\" or \"1\"] in order of time");
    }
    last = (*pair)[0].number();
    if (samples++ == 0) first = last;
    if (*value > 0) {
      end(last);
    } else if (is_up) {
      down = last;
      is_down = true;
    } else if (samples == 1) {
      ++began_down;
    }
    is_up = *value > 0;
    return {};
  }
};

Result<FailureLog> read_prometheus_up(LineReader lines, std::optional<std::string> system) {
  HOLDFAST_TRY(text, lines.rest(kMostRangeBytes));
  auto document = parse_json(text);
  if (!document) return fail(in_file(lines.name(), std::move(document).error()));
  const Value* result = document->at("/data/result");
  if (result == nullptr || result->array_items() == nullptr || result->array_items()->empty())
    return fail(ErrorCode::bad_format, lines.name(),
                "/data/result: found no series, expected one for each node");
  FailureLogBuilder builder{std::move(system)};
  double from = std::numeric_limits<double>::infinity(), to = 0;
  std::int64_t began_down = 0, outages = 0, repeated = 0;
  std::map<std::string, int> times_seen;
  for (std::size_t i = 0; i < result->array_items()->size(); ++i) {
    const Value& series = (*result->array_items())[i];
    const std::string where = fmt::format("{}: /data/result/{}", lines.name(), i);
    const Value* values = series.find("values");
    SeriesOfNode node{.builder = builder, .node = node_of_series(series)};
    if (node.node.empty() || values == nullptr || values->array_items() == nullptr)
      return fail(ErrorCode::bad_format, where,
                  "expected a label instance, and values over a range of time");
    if (const int before = times_seen[node.node]++; before > 0) {
      node.node += fmt::format("#{}", before + 1);
      ++repeated;
    }
    builder.node("", node.node);
    for (const Value& sample : *values->array_items()) {
      const bool was_down = node.is_down;
      HOLDFAST_CHECK(node.take(sample, where));
      if (node.is_down && !was_down) ++outages;
    }
    node.end(std::numeric_limits<double>::infinity());
    from = std::min(from, node.first);
    to = std::max(to, node.last);
    began_down += node.began_down;
  }
  if (outages == 0) {
    return fail(ErrorCode::bad_format, lines.name(),
                fmt::format("found no outage of {}, expected at least one value 0 after a 1",
                            counted(result->array_items()->size(), "node")));
  }
  auto log = builder.finish("prometheus-up", 0, true, from, to);
  if (!log) return fail(in_file(lines.name(), std::move(log).error()));
  // Nodes without an outage are named too.
  for (LoggedSystem& machine : log->systems) machine.nodes = machine.nodes_with_rows;
  log->oddities.add("series of an instance that has another one", repeated,
                    "a node of its own: ask for one job, up{job=\"node\"}");
  log->oddities.add("nodes that were down when the record began", began_down,
                    "that is no failure that anybody saw");
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
