#include "cli/session.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/catalog/catalog.hpp"

#include <doctest/doctest.h>

#include "cli/schema_faults.hpp"
#include "cli/toy_domain.hpp"
#include "cli/workplace.hpp"
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace holdfast::cli {
namespace {

namespace fs = std::filesystem;

void make_file(const fs::path& file, const std::string& text) {
  if (file.has_parent_path()) fs::create_directories(file.parent_path());
  write_text(file, text);
}

// Asks a command for its document, if it has not printed it, and holds that to its schema.
void check_document(const Step& step, Documents& documents, Domains known) {
  std::vector<std::string> words = words_of(step.command);
  const auto has = [&words](std::string_view word) {
    return std::ranges::find(words, word) != words.end();
  };
  if (step.status > 1 || words.front() != "holdfast" || has("|") || has("&&") || has("--") ||
      has("--list-strategies"))
    return;
  Step asked = step;
  if (!has("--json")) asked.command += " --json";
  words.erase(words.begin());
  const Step now = has("--json") ? step : run_step(asked, known);
  if (now.status <= 1) CHECK(join(documents.faults(words, now.output), "\n") == "");
}

void run_session(const fs::path& file, Domains known, Documents& documents, bool update) {
  Session session = read_session(read_text(file));
  {
    const Workplace workplace;
    for (Session::Part& part : session.parts) {
      if (part.kind == Session::Part::Kind::file) make_file(part.name, part.text);
      if (part.kind != Session::Part::Kind::step) continue;
      const Step now = run_step(part.step, known);
      if (!update) {
        INFO(file.filename().string()
             << ":" << part.step.line << ": " << part.step.why << "\n$ " << part.step.command);
        CHECK(now.output == part.step.output);
        CHECK(now.errors == part.step.errors);
        CHECK(now.status == part.step.status);
        check_document(now, documents, known);
      }
      part.step = now;
    }
  }
  if (update) write_text(file, write_session(session));
}

}  // namespace

TEST_CASE("every session says exactly what its file says") {
  const bool update = std::getenv("HOLDFAST_UPDATE") != nullptr;
  const fs::path folder = sources() / "tests/cli";
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".txt") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  REQUIRE_FALSE(files.empty());
  const Domain* const toy[] = {&toy_domain()};
  Documents of_toy{Domains(toy)}, of_all{domains()};
  for (const fs::path& file : files) {
    // What lies here is about the toy domain alone, so that a new domain changes nothing in it.
    const bool is_toy = file.parent_path() == folder;
    run_session(file, is_toy ? Domains(toy) : domains(), is_toy ? of_toy : of_all, update);
  }
  if (!update) CHECK(of_all.counts().members()->size() > 15);
}

TEST_CASE("a session is written as it was read") {
  const std::string text =
      "# why\nfile a.json\n| {\n|\n| }\n\n$ holdfast x\n< in\n> out\n>\n! err\nexit 3\n\n# more\n$ "
      "holdfast y\n";
  CHECK(write_session(read_session(text)) == text);
  CHECK(words_of("a  'b c' \"d\"e ''") == std::vector<std::string>{"a", "b c", "de", ""});
}

}  // namespace holdfast::cli
