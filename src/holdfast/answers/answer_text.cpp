#include "holdfast/answers/answer_text.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/report/plain_table.hpp"
#include "holdfast/report/schedule.hpp"
#include "holdfast/report/text_wrap.hpp"

#include <fmt/format.h>

namespace holdfast {
namespace {

// Returns true for a line with an option: it is a command to be copied and is not wrapped.
bool is_command(std::string_view line) {
  return line.find(" --") != std::string_view::npos;
}

void append_lines(std::string& out, const std::vector<std::string>& lines, std::size_t width) {
  for (const std::string& line : lines) {
    for (const std::string& part : wrap(line, is_command(line) ? 0 : width))
      out += printable(part) + '\n';
  }
}

// Appends a part, after an empty line if there are parts before it.
void append_part(std::string& out, const std::string& part) {
  if (!out.empty() && !part.empty()) out += '\n';
  out += part;
}

std::string as_tables(const Answer& answer, const TextStyle& style) {
  std::string out, lines;
  if (!answer.headline.empty()) append_lines(out, {answer.headline}, style.width);
  append_lines(out, answer.verdict, style.width);
  for (const Table& table : answer.tables) append_part(out, to_text(table, style));
  append_lines(lines, answer.lines, style.width);
  append_part(out, lines);
  return out;
}

std::string as_markdown(const Answer& answer) {
  std::string out;
  if (!answer.headline.empty()) append_part(out, to_markdown(answer.headline) + '\n');
  for (const std::string& line : answer.verdict) append_part(out, to_markdown(line) + '\n');
  for (const Table& table : answer.tables) append_part(out, to_markdown(table));
  for (const std::string& line : answer.lines) append_part(out, to_markdown(line) + '\n');
  return out;
}

std::string as_csv(const Answer& answer) {
  if (answer.data) return to_csv(*answer.data);
  return answer.tables.empty() ? std::string() : to_csv(answer.tables.front());
}

}  // namespace

void tell_problem(Answer& answer) {
  if (answer.document.members() == nullptr) return;
  if (!answer.headline.empty()) answer.document.set("problem", answer.headline);
  if (!answer.verdict.empty()) answer.document.set("verdict", Value::list(answer.verdict));
}

std::string text_of(const Answer& answer, AnswerFormat format, const TextStyle& style) {
  switch (format) {
    case AnswerFormat::table:
      return as_tables(answer, style);
    case AnswerFormat::csv:
      return as_csv(answer);
    case AnswerFormat::markdown:
      return as_markdown(answer);
    case AnswerFormat::json:
      return to_json(answer.document) + '\n';
  }
  return {};
}

std::string left_out(const Answer& answer, AnswerFormat format) {
  if (format != AnswerFormat::csv || answer.data || answer.tables.size() < 2) return {};
  return fmt::format("csv has the first of {} tables; --format json has everything",
                     answer.tables.size());
}

void put_schedules(Answer& answer) {
  for (const Schedule& schedule : answer.schedules) {
    Value& place = schedule.result
                       ? (*answer.document.find("results")->array_items())[*schedule.result]
                       : answer.document;
    place.set("schedule", schedule_value(schedule.timeline));
  }
}

}  // namespace holdfast
