#include "holdfast/trace_verbs.hpp"
#include "holdfast/verbs.hpp"

#include <CLI/CLI.hpp>

namespace holdfast::cli {

void add_oddities(const std::vector<Oddity>& oddities, Answer& answer) {
  Value list = Value::array();
  Table table{.title = "what is odd, and what is done about it",
              .columns = {{.title = "count"}, {.title = "what"}, {.title = "what is done"}}};
  for (const Oddity& oddity : oddities) {
    list.push(
        Value::object({{"what", oddity.what}, {"count", oddity.count}, {"action", oddity.action}}));
    table.rows.push_back({oddity.count, oddity.what, oddity.action});
  }
  answer.document.set("oddities", std::move(list));
  if (!table.rows.empty()) answer.tables.push_back(std::move(table));
}

void add_trace(CLI::App& root, Console& console) {
  CLI::App* trace = root.add_subcommand(
      "trace", "real traces: what is in them, other formats, parts, fitted models");
  trace->require_subcommand(0, 1);
  add_trace_info(*trace, console);
  add_trace_convert(*trace, console);
  add_trace_slice(*trace, console);
  add_trace_fit(*trace, console);
  trace->footer("example: holdfast trace info examples/data/sample-failures.csv");
}

}  // namespace holdfast::cli
