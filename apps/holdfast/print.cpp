#include "holdfast/print.hpp"

#include "holdfast/console.hpp"
#include "holdfast/report/text_table.hpp"

#include <ostream>

namespace holdfast::cli {

void print_document(const Value& document, Console& console) {
  console.out() << to_json(document) << '\n';
}

void print_table(const Table& table, Console& console) {
  const Console::Terminal& terminal = console.terminal();
  const auto width = static_cast<std::size_t>(terminal.width > 0 ? terminal.width : 0);
  console.out() << to_text(table, {.width = width, .color = terminal.color});
}

void print_line(std::string_view line, Console& console) {
  console.out() << line << '\n';
}

void print_answer(const Answer& answer, bool json, Console& console) {
  for (const std::string& warning : answer.warnings) console.warn(warning);
  if (json) {
    print_document(answer.document, console);
    return;
  }
  bool first = true;
  for (const Table& table : answer.tables) {
    if (!first) console.out() << '\n';
    first = false;
    print_table(table, console);
  }
  if (!first && !answer.lines.empty()) console.out() << '\n';
  for (const std::string& line : answer.lines) print_line(line, console);
}

}  // namespace holdfast::cli
