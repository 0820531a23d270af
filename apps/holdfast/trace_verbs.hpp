#pragma once

namespace CLI {
class App;
}

namespace holdfast::cli {

class Console;

/// The verbs of `holdfast trace`, one file each.
void add_trace_info(CLI::App& trace, Console& console);
void add_trace_convert(CLI::App& trace, Console& console);
void add_trace_slice(CLI::App& trace, Console& console);
void add_trace_fit(CLI::App& trace, Console& console);

}  // namespace holdfast::cli
