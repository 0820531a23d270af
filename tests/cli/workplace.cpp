#include "cli/workplace.hpp"

#include "holdfast/answers/asked/command_line.hpp"
#include "holdfast/program.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <utility>
#include <vector>

namespace holdfast::cli {
namespace {

namespace fs = std::filesystem;

// Found before the first command changes the current directory.
const fs::path kSources = fs::canonical(fs::path(HOLDFAST_SOURCE_DIR));

// Where its path has a blank, or the like, the program quotes it, and the words that are left need no quotes.
std::string without_place(std::string text) {
  const std::string place = kSources.string(), quoted = "'" + place;
  const bool is_quoted = command_line(std::vector{place}).ends_with('\'');
  for (auto at = text.find(quoted); is_quoted && at != std::string::npos;
       at = text.find(quoted, at)) {
    text.erase(text.find('\'', at + 1), 1);
    text.erase(at, 1);
  }
  return replaced(std::move(text), place, "HOLDFAST");
}

// One command: the program, or one of two that sessions need beside it.
int run_command(std::vector<std::string> words, std::istream& in, std::ostream& out,
                std::ostream& err, Domains known) {
  REQUIRE_FALSE(words.empty());
  const std::string program = words.front();
  words.erase(words.begin());
  if (program == "cat") {
    for (const std::string& file : words) out << read_text(file);
  } else if (program == "rm") {
    for (const std::string& file : words) fs::remove_all(file);
  } else {
    REQUIRE((program == "holdfast" || program == "./run"));
    Console console(out, err, in);
    return run_program(words, console, known);
  }
  return 0;
}

}  // namespace

const fs::path& sources() {
  return kSources;
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

Step run_step(const Step& step, Domains known) {
  Step now = step;
  std::ostringstream out, err;
  std::string input = step.input;
  std::vector<std::string> words;
  now.status = 0;
  const auto run_words = [&] {
    std::istringstream in(input);
    now.status = run_command(std::exchange(words, {}), in, out, err, known);
  };
  for (const std::string& word : words_of(step.command)) {
    if (word == "&&" || word == "|") run_words();
    if (word == "|") input = std::exchange(out, {}).str();
    if (word == "&&" && now.status != 0) break;
    if (word != "&&" && word != "|") words.push_back(word);
  }
  if (!words.empty()) run_words();
  now.output = without_place(out.str());
  now.errors = without_place(err.str());
  return now;
}

}  // namespace holdfast::cli
