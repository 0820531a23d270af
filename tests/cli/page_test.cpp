#include "cli/page.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/catalog/catalog.hpp"

#include <doctest/doctest.h>

#include "cli/workplace.hpp"
#include "support/shared_data.hpp"
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace holdfast::cli {
namespace {

namespace fs = std::filesystem;

// Folders that commands on pages name relative to the project's root.
constexpr std::string_view kShown[] = {"examples", "reproduce", "src"};
constexpr std::string_view kData = "$HOLDFAST_DATA";

// The pages of the project: not those of builds, of tests, of what is hidden.
std::vector<fs::path> pages() {
  std::vector<fs::path> found;
  fs::recursive_directory_iterator at(sources()), end;
  for (; at != end; ++at) {
    const std::string name = at->path().filename().string();
    const bool is_top = at.depth() == 0;
    if (name.starts_with('.') ||
        (is_top && (name == "build" || name == "tests" || name == "tools"))) {
      at.disable_recursion_pending();
    } else if (name.ends_with(".md")) {
      found.push_back(at->path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

// What a page shows of a command: standard output, and after a failure its status and what it says of it. Nothing where its
// data are missing.
std::optional<std::string> printed_by(Step step, const std::optional<fs::path>& data) {
  const bool names_data = step.command.find(kData) != std::string::npos;
  if (names_data && !data) return std::nullopt;
  if (names_data) step.command = replaced(step.command, kData, data->string());
  const Step now = run_step(step, domains());
  std::string text = names_data ? replaced(now.output, data->string(), kData) : now.output;
  if (now.status > 1) text += "[exit " + std::to_string(now.status) + "]\n" + now.errors;
  return text;
}

// A picture that the page shows and that a command of the page has drawn has the same bytes.
void check_pictures(const fs::path& page, const std::string& text, bool update) {
  static const std::regex shown(R"(!\[[^\]]*\]\(([^):]+\.svg)\))");
  for (std::sregex_iterator at(text.begin(), text.end(), shown), end; at != end; ++at) {
    const fs::path picture = page.parent_path() / (*at)[1].str();
    const fs::path drawn = picture.filename();
    if (update && fs::exists(drawn)) write_text(picture, read_text(drawn));
    INFO(page.string() << " shows " << picture.string());
    CHECK(fs::exists(picture));
    if (fs::exists(drawn)) CHECK(read_text(drawn) == read_text(picture));
  }
}

void run_page(const fs::path& file, const std::optional<fs::path>& data, bool update) {
  const std::string text = read_text(file);
  Session page = read_page(text);
  const Workplace workplace;
  for (const std::string_view name : kShown) fs::create_symlink(sources() / name, name);
  for (Session::Part& part : page.parts) {
    if (part.kind != Session::Part::Kind::step) continue;
    const std::string where = file.string() + ":" + std::to_string(part.step.line);
    const auto printed = printed_by(part.step, data);
    if (!printed) {
      MESSAGE(where << ": skipped: it names " << kData);
    } else if (!shows(part.step.output, *printed)) {
      const std::string now = elided(part.step.output, *printed);
      INFO(where << ": " << part.step.command << "\nprints now:\n" << now);
      if (!update) CHECK(now == part.step.output);
      part.step.output = now;
    }
  }
  check_pictures(file, text, update);
  if (update) write_text(file, write_page(page));
}

// What comes after the first words of a help text's lines, under the headings of commands.
std::vector<std::string> verbs_in(const std::string& help) {
  static const std::regex verb("  ([a-z][a-z-]*)  +\\S.*");
  static const std::set<std::string> headings = {"Domains:", "Across domains:", "Verbs:"};
  std::vector<std::string> names;
  std::string heading;
  for (const std::string_view view : split(help, '\n')) {
    const std::string line(view);
    if (line.ends_with(':') && !line.starts_with(' ')) heading = line;
    std::smatch found;
    if (headings.contains(heading) && std::regex_match(line, found, verb))
      names.push_back(found[1]);
  }
  return names;
}

// The examples of a command's help and of all verbs below it.
void add_examples(const std::string& command, std::set<std::string>& examples) {
  static const std::regex example("(?:examples?:)? +(holdfast .*)");
  const std::string help = run_step({.command = command + " --help"}, domains()).output;
  for (const std::string_view view : split(help, '\n')) {
    const std::string line(view);
    std::smatch found;
    if (std::regex_match(line, found, example)) examples.insert(found[1]);
  }
  for (const std::string& verb : verbs_in(help)) add_examples(command + " " + verb, examples);
}

}  // namespace

TEST_SUITE_BEGIN("pages");

TEST_CASE("every page shows what its commands print") {
  auto data = test::shared_data("");
  if (data) data = fs::canonical(*data);
  for (const fs::path& page : pages()) {
    run_page(page, data, std::getenv("HOLDFAST_UPDATE") != nullptr);
  }
}

TEST_CASE("every example of every help text runs from an empty folder") {
  std::set<std::string> examples;
  {
    const Workplace workplace;  // from elsewhere, help names the files of examples by their paths
    add_examples("holdfast", examples);
  }
  CHECK(examples.size() > 30);
  for (const std::string& example : examples) {
    const Workplace workplace;
    const std::string command = replaced(example, "HOLDFAST", sources().string());
    const Step now = run_step({.command = command}, domains());
    INFO(example << "\n" << now.errors);
    CHECK(now.status == 0);
    const bool writes = example.find(" --output ") != std::string::npos ||
                        example.find(" -o ") != std::string::npos;
    CHECK((writes || !now.output.empty()));
  }
}

TEST_SUITE_END();

TEST_CASE("every campaign of examples/ runs at a small scale") {
  for (const auto& entry : fs::directory_iterator(sources() / "examples")) {
    if (entry.path().extension() != ".toml") continue;
    const Workplace workplace;
    const Step now = run_step(
        {.command = "holdfast run '" + entry.path().string() + "' --scale 0.05"}, domains());
    INFO(entry.path().string() << "\n" << now.errors);
    CHECK(now.status == 0);
  }
}

TEST_CASE("a page is read and written as a session is") {
  const std::string text =
      "# page\n\n```\n$ holdfast greet \\\n    'a b'\nhello a b\n```\n\n    $ holdfast not "
      "fenced\n";
  const Session page = read_page(text);
  CHECK(write_page(page) == text);
  REQUIRE(page.parts.size() > 3);
  CHECK(page.parts[3].step.command == "holdfast greet 'a b'");
  CHECK(page.parts[3].step.output == "hello a b\n");
  CHECK(page.parts[3].step.line == 4);
}

TEST_CASE("dots on a page stand for any lines") {
  CHECK(shows("...\nbye\n", "hello\nworld\nbye  \n\n"));
  CHECK(shows("hello\n...\n", "hello\n"));
  CHECK_FALSE(shows("...\nciao\n", "hello\nbye\n"));
  CHECK_FALSE(shows("hello\n", "hello\nbye\n"));
  CHECK(elided("line 1\n...\nlane 5\nlane 6\n...\nend x\n",
               "line 1\nline 2\nline 3\nline 4\nline 5\nline 6\nline 7\nend y\n") ==
        "line 1\n...\nline 5\nline 6\n...\nend y\n");
  CHECK(elided("a\n...\n", "b\nc\n") == "b\n...\n");
}

}  // namespace holdfast::cli
