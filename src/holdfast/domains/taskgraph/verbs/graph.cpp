#include "holdfast/base/units.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/taskgraph/bounds.hpp"
#include "holdfast/domains/taskgraph/guarantee.hpp"
#include "holdfast/domains/taskgraph/instance_io.hpp"
#include "holdfast/domains/taskgraph/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace holdfast::taskgraph {
namespace {

struct GraphOptions {
  bool dot = false;
};
constexpr auto kGraphOptions = std::to_array<Field<GraphOptions>>({
    {.name = "dot",
     .summary = "print the graph for Graphviz instead of the table",
     .member = member<&GraphOptions::dot>},
});

struct Shape {
  std::int64_t tasks = 0, edges = 0, layers = 0, widest_layer = 0, sources = 0, sinks = 0;
};

Shape shape_of(const Dag& graph) {
  Shape shape{.tasks = static_cast<std::int64_t>(graph.size()),
              .edges = static_cast<std::int64_t>(graph.edges())};
  std::vector<std::int64_t> widths;
  const auto layer_of = depths(graph);
  for (std::size_t task = 0; task < graph.size(); ++task) {
    widths.resize(std::max<std::size_t>(widths.size(), layer_of[task] + std::size_t{1}));
    ++widths[layer_of[task]];
    if (graph.parents(task).empty()) ++shape.sources;
    if (graph.children(task).empty()) ++shape.sinks;
  }
  shape.layers = static_cast<std::int64_t>(widths.size());
  shape.widest_layer = *std::ranges::max_element(widths);
  return shape;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::vector<std::string> dot_of(const Instance& instance) {
  std::vector<std::string> lines{"digraph taskgraph {"};
  for (std::size_t task = 0; task < instance.size(); ++task) {
    lines.push_back(fmt::format("  {};", quoted(instance.name(task))));
    for (const TaskIndex parent : instance.graph.parents(task)) {
      lines.push_back(
          fmt::format("  {} -> {};", quoted(instance.name(parent)), quoted(instance.name(task))));
    }
  }
  lines.emplace_back("}");
  return lines;
}

Table table_of(const Instance& instance, const Shape& shape, const Bounds& bounds) {
  return {.title = "task graph",
          .columns = {{.title = "what"}, {.title = "value"}},
          .rows = {{"tasks", shape.tasks},
                   {"edges", shape.edges},
                   {"layers", shape.layers},
                   {"widest layer", shape.widest_layer},
                   {"sources", shape.sources},
                   {"sinks", shape.sinks},
                   {"smallest model of all tasks", name(common_model(instance.tasks))},
                   {"area bound", format_duration(bounds.area)},
                   {"critical path", format_duration(bounds.critical_path)}}};
}

Result<Answer> run_graph(const GraphOptions& options, const Request& request) {
  HOLDFAST_TRY(instance, instance_of(request));
  const Shape shape = shape_of(instance.graph);
  const Bounds bounds = lower_bounds(instance, instance.failures);
  Answer answer;
  answer.document = Value::object({{"tasks", shape.tasks},
                                   {"edges", shape.edges},
                                   {"layers", shape.layers},
                                   {"widest_layer", shape.widest_layer},
                                   {"sources", shape.sources},
                                   {"sinks", shape.sinks},
                                   {"model", name(common_model(instance.tasks))},
                                   {"area_bound", bounds.area},
                                   {"critical_path", bounds.critical_path},
                                   {"lower_bound", bounds.lower()}});
  if (options.dot) {
    answer.lines = dot_of(instance);
  } else {
    answer.tables.push_back(table_of(instance, shape, bounds));
  }
  answer.warnings = warnings(instance);
  return answer;
}

constexpr auto kGraphResults = std::to_array<ResultField>(
    {{"tasks", "number of tasks", Holds::integer},
     {"edges", "number of edges", Holds::integer},
     {"layers", "tasks on the longest path", Holds::integer},
     {"widest_layer", "tasks of the widest layer", Holds::integer},
     {"sources", "tasks without parents", Holds::integer},
     {"sinks", "tasks without children", Holds::integer},
     {"model", "smallest model of speedup that covers all tasks", Holds::text},
     {"area_bound", "lower bound from the work", Unit::seconds},
     {"critical_path", "lower bound from the longest path", Unit::seconds},
     {"lower_bound", "the larger of both", Unit::seconds}});

}  // namespace

Verb graph_verb() {
  return {.name = "graph",
          .summary = "describe a graph (tasks, layers, bounds), or draw it",
          .example = "holdfast taskgraph graph --tasks 12 --dot",
          .options = fields_of<kGraphOptions>().parameters(),
          .results = kGraphResults,
          .run = with_options<run_graph, fields_of<kGraphOptions>>};
}

}  // namespace holdfast::taskgraph
