#include "cli/session.hpp"

#include "holdfast/answers/command_line.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/program.hpp"

#include <doctest/doctest.h>

#include "cli/toy_domain.hpp"
#include "support/scratch.hpp"
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace holdfast::cli {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void make_file(const fs::path& file, const std::string& text) {
  if (file.has_parent_path()) fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

// An empty directory that is the current one while this lives.
class Workplace {
 public:
  Workplace() : before_(fs::current_path()) { fs::current_path(own_.path()); }
  ~Workplace() { fs::current_path(before_); }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

 private:
  fs::path before_;
  Scratch own_;
};

// Sessions call the folder of the sources HOLDFAST, wherever it lies.
// (Found before the first session changes the current directory.)
const std::string kPlace = fs::canonical(fs::path(HOLDFAST_SOURCE_DIR)).string();

// Where its path has a blank, or the like, the program quotes it, and the words that are left need no quotes.
const bool kIsQuoted = command_line(std::vector{kPlace}).ends_with('\'');

std::string without_place(std::string text) {
  const std::string quoted = "'" + kPlace;
  for (auto at = text.find(quoted); kIsQuoted && at != std::string::npos;
       at = text.find(quoted, at)) {
    text.erase(text.find('\'', at + 1), 1);
    text.erase(at, 1);
  }
  for (auto at = text.find(kPlace); at != std::string::npos; at = text.find(kPlace, at)) {
    text.replace(at, kPlace.size(), "HOLDFAST");
  }
  return text;
}

Step run(const Step& step, Domains known) {
  Step now = step;
  std::vector<std::string> words = words_of(step.command);
  REQUIRE_FALSE(words.empty());
  const std::string program = words.front();
  words.erase(words.begin());
  std::ostringstream out, err;
  std::istringstream in(step.input);
  now.status = 0;
  if (program == "cat") {
    for (const std::string& file : words) out << contents(file);
  } else if (program == "rm") {
    for (const std::string& file : words) fs::remove_all(file);
  } else {
    REQUIRE(program == "holdfast");
    Console console(out, err, in);
    now.status = run_program(words, console, known);
  }
  now.output = without_place(out.str());
  now.errors = without_place(err.str());
  return now;
}

void run_session(const fs::path& file, Domains known, bool update) {
  Session session = read_session(contents(file));
  {
    const Workplace workplace;
    for (Session::Part& part : session.parts) {
      if (part.kind == Session::Part::Kind::file) make_file(part.name, part.text);
      if (part.kind != Session::Part::Kind::step) continue;
      const Step now = run(part.step, known);
      if (!update) {
        INFO(file.filename().string()
             << ":" << part.step.line << ": " << part.step.why << "\n$ " << part.step.command);
        CHECK(now.output == part.step.output);
        CHECK(now.errors == part.step.errors);
        CHECK(now.status == part.step.status);
      }
      part.step = now;
    }
  }
  if (update) std::ofstream(file, std::ios::binary) << write_session(session);
}

}  // namespace

TEST_CASE("every session says exactly what its file says") {
  const bool update = std::getenv("HOLDFAST_UPDATE") != nullptr;
  const fs::path folder = fs::absolute(fs::path(HOLDFAST_SOURCE_DIR) / "tests/cli");
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".txt") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  REQUIRE_FALSE(files.empty());
  const Domain* const toy[] = {&toy_domain()};
  for (const fs::path& file : files) {
    // What lies here is about the toy domain alone, so that a new domain changes nothing in it.
    run_session(file, file.parent_path() == folder ? Domains(toy) : domains(), update);
  }
}

TEST_CASE("a session is written as it was read") {
  const std::string text =
      "# why\nfile a.json\n| {\n|\n| }\n\n$ holdfast x\n< in\n> out\n>\n! err\nexit 3\n\n# more\n$ "
      "holdfast y\n";
  CHECK(write_session(read_session(text)) == text);
  CHECK(words_of("a  'b c' \"d\"e ''") == std::vector<std::string>{"a", "b c", "de", ""});
}

}  // namespace holdfast::cli
