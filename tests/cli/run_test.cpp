#include "holdfast/answers/progress_text.hpp"
#include "holdfast/answers/version_answer.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/base/version.hpp"
#include "holdfast/program.hpp"
#include "holdfast/progress_line.hpp"

#include <doctest/doctest.h>

#include "cli/toy_domain.hpp"
#include "support/scratch.hpp"
#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace holdfast::cli {
namespace {

struct Said {
  int status = 0;
  std::string out;
  std::string err;
};

Said say(const std::vector<std::string>& arguments, bool interrupted = false,
         Console::Terminal terminal = {}) {
  std::ostringstream out, err;
  std::istringstream in;
  const std::atomic<bool> stop{interrupted};
  Console console(out, err, in, terminal, &stop);
  const Domain* const known[] = {&toy_domain()};
  const int status = run_program(arguments, console, known);
  return {status, out.str(), err.str()};
}

void write_campaign(const std::filesystem::path& file) {
  std::ofstream(file) << "[campaign]\nname = 'x'\ndomain = 'toy'\nscenarios = 100\n"
                         "strategies = ['steady']\n[parameters]\nwork = ['1h', '2h']\n"
                         "failures = { mtbf = '4h' }\n";
}

}  // namespace

TEST_CASE("run: Ctrl-C ends with 130, and the same command finishes what was left") {
  const Scratch scratch;
  write_campaign(scratch / "c.toml");
  const std::vector<std::string> run = {"run", (scratch / "c.toml").string(), "--output",
                                        (scratch / "r").string()};
  const Said stopped = say(run, true);
  CHECK(stopped.status == 130);
  CHECK(stopped.err.find("holdfast: stopped: ") == 0);
  CHECK(stopped.out.empty());
  const Said finished = say(run);
  CHECK(finished.status == 0);
  CHECK(say({"run", "--status", (scratch / "r").string()}).out ==
        "x: 200 of 200 cells, 2 of 2 points\n");
}

TEST_CASE("run --dry-run: points, cells and an estimate as a document, and nothing is stored") {
  const Scratch scratch;
  write_campaign(scratch / "c.toml");
  const std::vector<std::string> run = {"run",       (scratch / "c.toml").string(),
                                        "--output",  (scratch / "r").string(),
                                        "--dry-run", "--json",
                                        "--threads", "2"};
  const Said said = say(run);
  CHECK(said.status == 0);
  const auto document = parse_json(said.out);
  REQUIRE(document);
  const auto number = [&](const char* name) {
    const Value* value = document->find(name);
    return value == nullptr ? -1.0 : value->number();
  };
  CHECK(number("points") == 2);
  CHECK(number("cells") == 200);
  CHECK(number("sampled_cells") == 4);
  CHECK(number("threads") == 2);
  CHECK(number("core_seconds") > 0);
  CHECK(number("seconds") == number("core_seconds") / 2);
  CHECK_FALSE(std::filesystem::exists(scratch / "r"));
  CHECK(say(run, true).status == 130);
}

TEST_CASE("simulate: Ctrl-C ends with 130 and prints no result") {
  const Said stopped =
      say({"toy", "simulate", "--work", "1h", "--mtbf", "2h", "--scenarios", "100000"}, true);
  CHECK(stopped.status == 130);
  CHECK(stopped.out.empty());
}

TEST_CASE("the version and the commit, and nothing else") {
  const std::string commit(built_commit());
  CHECK(say({"--version"}).out == "holdfast " + std::string(holdfast::version()) +
                                      (commit.empty() ? "" : " (commit " + commit + ")") + "\n");
  CHECK(commit.find_first_not_of("0123456789abcdef") == std::string::npos);
}

TEST_CASE("an output that cannot be written is an error of its own: exit status 4") {
  std::ostringstream err;
  std::istringstream in;
  std::ostream full(nullptr);  // no buffer: every write fails
  Console console(full, err, in);
  const std::vector<std::string> arguments = {"--version"};
  CHECK(run_program(arguments, console, {}) == 4);
  CHECK(err.str() == "holdfast: standard output: could not be written\n");
}

TEST_CASE("a terminal gets bold titles, a pipe does not") {
  const std::vector<std::string> simulate = {"toy", "simulate", "--work", "1h", "--mtbf", "2h"};
  CHECK(say(simulate).out.find('\x1b') == std::string::npos);
  CHECK(say(simulate, false, {.out = true, .err = true, .width = 80, .color = true})
            .out.find("\x1b[1mmakespan\x1b[0m") != std::string::npos);
  CHECK(say(simulate, false, {.out = true, .err = true, .width = 80, .color = false})
            .out.find('\x1b') == std::string::npos);
}

TEST_CASE(
    "a message has lines of the width of its terminal, and what is to be typed one of its own") {
  const Scratch scratch;
  const std::string file = (scratch / "t.csv").string();
  std::ofstream(file) << "Knooppunt,Uitval,Weer op\nn1,2025-03-01 10:00,2025-03-01 11:00\n";
  const std::string remedy = "--columns \"node=Knooppunt,down=Uitval,up='Weer op'\"\n";
  const std::string whole = say({"trace", "info", file}).err;
  CHECK(whole.ends_with("; try " + remedy));
  std::string lines = say({"trace", "info", file}, false, {.err = true, .err_width = 80}).err;
  REQUIRE(lines.ends_with("\ntry " + remedy));
  lines.resize(lines.size() - remedy.size() - 5);
  std::istringstream rest(lines);
  for (std::string line; std::getline(rest, line);) CHECK(line.size() <= 80);
}

TEST_CASE("progress: how much, how fast, how long still") {
  Progress progress;
  progress.total = 288000;
  progress.done = 12400;
  progress.rate = 1240;
  progress.seconds = 10;
  CHECK(progress_text(progress) == "12 400 of 288 000 cells, 4.3 %, 1 240/s, 3 min 43 s left");
  progress.rate = 0;
  CHECK(progress_text(progress) == "12 400 of 288 000 cells, 4.3 %");
}

TEST_CASE("progress: one line on a terminal from the second second on, taken away at the end") {
  Progress progress;
  progress.total = 10;
  progress.done = 5;
  const auto shown = [&progress](double seconds, bool is_terminal) {
    std::ostringstream out, err;
    std::istringstream in;
    Console console(out, err, in, {.out = true, .err = is_terminal}, nullptr);
    progress.seconds = seconds;
    {
      ProgressLine line(console);
      line.show(progress);
    }
    return err.str();
  };
  CHECK(shown(1, true).empty());
  CHECK(shown(3, false).empty());
  CHECK(shown(3, true) ==
        "\r\x1b[?7l[##########..........] 5 of 10 cells, 50.0 %\x1b[K\x1b[?7h\r\x1b[K");
}

TEST_CASE("progress: the log of a batch job gets a line every ten per cent, and one a minute") {
  std::ostringstream out, err;
  std::istringstream in;
  Console console(out, err, in, {}, nullptr);
  ProgressLine line(console);
  const auto shown = [&](std::uint64_t done, double seconds) {
    Progress progress;
    progress.total = 1000;
    progress.done = done;
    progress.seconds = seconds;
    err.str("");
    line.show(progress);
    return err.str();
  };
  CHECK(shown(150, 9).empty());   // short runs say nothing
  CHECK(shown(199, 11).empty());  // 10 % have passed unseen, 20 % not yet
  CHECK(shown(200, 12) == "200 of 1 000 cells, 20.0 %\n");
  CHECK(shown(299, 71).empty());
  CHECK(shown(299, 72) == "299 of 1 000 cells, 29.9 %\n");  // a minute later
  CHECK(shown(300, 73) == "300 of 1 000 cells, 30.0 %\n");
  CHECK(shown(550, 74) == "550 of 1 000 cells, 55.0 %\n");
  CHECK(shown(1000, 75) == "1 000 of 1 000 cells, 100.0 %\n");
  CHECK(shown(1000, 75).empty());
  console.set_quiet(true);
  CHECK(shown(1000, 200).empty());
}

}  // namespace holdfast::cli
