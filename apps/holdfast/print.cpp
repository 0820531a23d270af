#include "holdfast/print.hpp"

#include "holdfast/answers/files/finite_document.hpp"
#include "holdfast/answers/files/output_file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/console.hpp"
#include "holdfast/report/text_table.hpp"

#include <fmt/format.h>

#include <ostream>

namespace holdfast::cli {

TextStyle style_of(const Console& console) {
  const Console::Terminal& terminal = console.terminal();
  return {.width = static_cast<std::size_t>(terminal.width > 0 ? terminal.width : 0),
          .color = terminal.color};
}

void print_document(const Value& document, Console& console) {
  console.out() << to_json(document) << '\n';
}

void print_line(std::string_view line, Console& console) {
  console.out() << printable(line) << '\n';
}

void print_text(const Answer& answer, AnswerFormat format, Console& console) {
  console.out() << text_of(answer, format, style_of(console));
  if (const std::string note = left_out(answer, format); !note.empty()) console.note(note);
}

void make_finite(Value& document, Console& console) {
  if (const std::string dropped = drop_non_finite(document); !dropped.empty()) {
    console.warn(dropped);
  }
}

Status write_new_file(const std::filesystem::path& path, std::string_view text, bool force,
                      Console& console) {
  HOLDFAST_CHECK(holdfast::write_new_file(path, text, force));
  console.note(fmt::format("wrote {}", path.string()));
  return {};
}

}  // namespace holdfast::cli
