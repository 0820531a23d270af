#pragma once

#include "holdfast/contract/answer.hpp"
#include "holdfast/traces/oddity.hpp"

#include <span>

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

/// What was odd about a file and what was done about it: "oddities" of the document, a table for people where there
/// are any.
void add_oddities(const std::vector<Oddity>& oddities, Answer& answer);

}  // namespace holdfast::cli
