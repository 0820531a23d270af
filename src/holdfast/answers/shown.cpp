#include "holdfast/answers/shown.hpp"

#include "holdfast/report/plain_table.hpp"
#include "holdfast/report/text_wrap.hpp"

#include <fmt/format.h>

#include <utility>

namespace holdfast {
namespace {

// Returns true for a line with an option: it is a command to be copied and is not wrapped.
bool is_command(std::string_view line) {
  return line.find(" --") != std::string_view::npos;
}

void append_lines(std::string& out, const std::vector<std::string>& lines, std::size_t width) {
  for (const std::string& line : lines) {
    for (const std::string& part : wrap(line, is_command(line) ? 0 : width)) out += part + '\n';
  }
}

// Appends a part, after an empty line if there are parts before it.
void append_part(std::string& out, const std::string& part) {
  if (!out.empty() && !part.empty()) out += '\n';
  out += part;
}

std::string as_tables(const Shown& shown, const TextStyle& style) {
  std::string out, lines;
  if (!shown.headline.empty()) append_lines(out, {shown.headline}, style.width);
  append_lines(out, shown.verdict, style.width);
  for (const Table& table : shown.tables) append_part(out, to_text(table, style));
  append_lines(lines, shown.lines, style.width);
  append_part(out, lines);
  return out;
}

std::string as_markdown(const Shown& shown) {
  std::string out;
  if (!shown.headline.empty()) append_part(out, to_markdown(shown.headline) + '\n');
  for (const std::string& line : shown.verdict) append_part(out, to_markdown(line) + '\n');
  for (const Table& table : shown.tables) append_part(out, to_markdown(table));
  for (const std::string& line : shown.lines) append_part(out, to_markdown(line) + '\n');
  return out;
}

std::string as_csv(const Shown& shown) {
  if (shown.data) return to_csv(*shown.data);
  return shown.tables.empty() ? std::string() : to_csv(shown.tables.front());
}

}  // namespace

void tell_problem(const std::string& headline, const std::vector<std::string>& verdict,
                  Value& document) {
  if (document.members() == nullptr) return;
  if (!headline.empty()) document.set("problem", headline);
  if (!verdict.empty()) document.set("verdict", Value::list(verdict));
}

Shown shown_of(Answer answer) {
  tell_problem(answer.headline, answer.verdict, answer.document);
  return {.headline = std::move(answer.headline),
          .verdict = std::move(answer.verdict),
          .tables = std::move(answer.tables),
          .lines = std::move(answer.lines),
          .data = {},
          .document = std::move(answer.document)};
}

std::string text_of(const Shown& shown, AnswerFormat format, const TextStyle& style) {
  switch (format) {
    case AnswerFormat::table:
      return as_tables(shown, style);
    case AnswerFormat::csv:
      return as_csv(shown);
    case AnswerFormat::markdown:
      return as_markdown(shown);
    case AnswerFormat::json:
      return to_json(shown.document) + '\n';
  }
  return {};
}

std::string left_out(const Shown& shown, AnswerFormat format) {
  if (format != AnswerFormat::csv || shown.data || shown.tables.size() < 2) return {};
  return fmt::format("csv has the first of {} tables; --format json has everything",
                     shown.tables.size());
}

}  // namespace holdfast
