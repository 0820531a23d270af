#include "holdfast/trace_verbs.hpp"
#include "holdfast/verbs.hpp"

#include <CLI/CLI.hpp>

namespace holdfast::cli {

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
