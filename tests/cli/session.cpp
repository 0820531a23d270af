#include "cli/session.hpp"

#include "holdfast/base/text.hpp"

#include <utility>

namespace holdfast::cli {
namespace {

// The rest of a marked line: "> text" and ">" (an empty line).
std::string rest_of(std::string_view line) {
  return std::string(line.size() > 1 ? line.substr(2) : std::string_view{}) + "\n";
}

void append_marked(std::string& out, char mark, const std::string& text) {
  if (text.empty()) return;
  std::string_view body = text;
  const bool ends = body.ends_with('\n');
  if (ends) body.remove_suffix(1);
  for (const std::string_view line : split(body, '\n')) {
    out += mark;
    if (!line.empty()) out += " " + std::string(line);
    out += '\n';
  }
  if (!ends) out += std::string(1, mark) + "(no line end)\n";
}

}  // namespace

Session read_session(std::string_view text) {
  Session session;
  std::string why;
  std::size_t number = 0;
  if (text.ends_with('\n')) text.remove_suffix(1);
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    Session::Part* last = session.parts.empty() ? nullptr : &session.parts.back();
    const bool in_step = last != nullptr && last->kind == Session::Part::Kind::step;
    const bool in_file = last != nullptr && last->kind == Session::Part::Kind::file;
    const char mark = line.empty() ? '\0' : line.front();
    if (mark == '$') {
      session.parts.push_back({Session::Part::Kind::step, "", "", {}});
      Step& step = session.parts.back().step;
      step.line = number;
      step.why = why;
      step.command = line.substr(2);
    } else if (line.starts_with("file ")) {
      session.parts.push_back({Session::Part::Kind::file, "", std::string(line.substr(5)), {}});
    } else if (in_file && mark == '|') {
      last->text += rest_of(line);
    } else if (in_step && mark == '<') {
      last->step.input += rest_of(line);
    } else if (in_step && mark == '>') {
      last->step.output += rest_of(line);
    } else if (in_step && mark == '!') {
      last->step.errors += rest_of(line);
    } else if (in_step && line.starts_with("exit ")) {
      last->step.status = std::stoi(std::string(line.substr(5)));
    } else {
      if (mark == '#') why = line.substr(line.size() > 1 ? 2 : 1);
      session.parts.push_back({Session::Part::Kind::text, std::string(line), "", {}});
    }
  }
  return session;
}

std::string write_session(const Session& session) {
  std::string out;
  for (const Session::Part& part : session.parts) {
    switch (part.kind) {
      case Session::Part::Kind::text:
        out += part.text + "\n";
        break;
      case Session::Part::Kind::file:
        out += "file " + part.name + "\n";
        append_marked(out, '|', part.text);
        break;
      case Session::Part::Kind::step:
        out += "$ " + part.step.command + "\n";
        append_marked(out, '<', part.step.input);
        append_marked(out, '>', part.step.output);
        append_marked(out, '!', part.step.errors);
        if (part.step.status != 0) out += "exit " + std::to_string(part.step.status) + "\n";
        break;
    }
  }
  return out;
}

std::vector<std::string> words_of(std::string_view command) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = '\0';
  for (const char c : command) {
    if (quote != '\0') {
      if (c == quote)
        quote = '\0';
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c == ' ') {
      if (in_word) words.push_back(std::exchange(word, {}));
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(word);
  return words;
}

}  // namespace holdfast::cli
