#include "holdfast/campaign/export.hpp"
#include "holdfast/campaign/fake_domain.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/run.hpp"
#include "holdfast/campaign/summary.hpp"
#include "holdfast/kernel/random.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/scratch.hpp"
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

using namespace holdfast;

namespace {

/// 12 points, 2 instances, 40 scenarios, 3 strategies: 2880 cells of 250 microseconds, some of which fail or lack a
/// metric.
constexpr std::string_view kCampaign = R"([campaign]
name = "walks"
domain = "walk"
seed = 3
instances = 2
scenarios = 40
strategies = ["bold", "steady", "bold:3"]
baseline = "steady"

[parameters]
stride = ["1s", "1min"]
steps = [4, 1, 9]
limit = [0, 8]
busy = "250us"
)";
constexpr std::uint64_t kCells = std::uint64_t{12} * 2 * 40 * 3;

Campaign long_campaign() {
  auto parsed = parse_campaign(kCampaign, "walk.toml", ".", fake::known());
  REQUIRE(parsed);
  return std::move(*parsed);
}

struct Exports {
  std::string csv;
  std::string json;
  friend bool operator==(const Exports&, const Exports&) = default;
};

Exports exports(const std::filesystem::path& directory) {
  const auto results = Results::open(directory);
  REQUIRE(results);
  CHECK(results->status()->cells_done == kCells);
  REQUIRE(export_results(*results, ExportFormat::csv));
  REQUIRE(export_results(*results, ExportFormat::json));
  return {read_text(directory / "results.csv"), read_text(directory / "results.json")};
}

/// Returns what one uninterrupted run on one thread gives: the reference.
const Exports& reference() {
  static const Exports kReference = [] {
    const Scratch scratch;
    REQUIRE(run_campaign(long_campaign(), scratch / "out", {.control = {.threads = 1}}));
    return exports(scratch / "out");
  }();
  return kReference;
}

/// This program again, running the case "child of ..." below. Not a plain fork: threads do not survive one.
pid_t start_child(const std::filesystem::path& directory, unsigned threads, long file_limit = 0) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::setenv("HOLDFAST_CHILD_DIRECTORY", directory.c_str(), 1);
  ::setenv("HOLDFAST_CHILD_THREADS", std::to_string(threads).c_str(), 1);
  ::setenv("HOLDFAST_CHILD_FILE_LIMIT", std::to_string(file_limit).c_str(), 1);
  const int null = ::open("/dev/null", O_WRONLY);
  ::dup2(null, STDOUT_FILENO);
  ::execl("/proc/self/exe", "campaign_test", "--no-skip", "--test-case=child of same bytes*",
          static_cast<char*>(nullptr));
  ::_exit(127);
}

int wait_for(pid_t child) {
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return status;
}

bool is_running(pid_t child) {
  siginfo_t info = {};
  ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT);
  return info.si_pid == 0;
}

std::uint64_t cells_done(const std::filesystem::path& directory) {
  const auto results = Results::open(directory);
  if (!results) return 0;
  const auto status = results->status();
  return status ? status->cells_done : 0;
}

}  // namespace

TEST_CASE("child of same bytes: runs the campaign until it is killed" * doctest::skip()) {
  const char* directory = std::getenv("HOLDFAST_CHILD_DIRECTORY");
  REQUIRE(directory != nullptr);
  if (const long limit = std::atol(std::getenv("HOLDFAST_CHILD_FILE_LIMIT")); limit > 0) {
    // As a full disk: files cannot grow beyond the limit.
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit most = {static_cast<rlim_t>(limit), static_cast<rlim_t>(limit)};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &most) == 0);
  }
  const auto threads = static_cast<unsigned>(std::atoi(std::getenv("HOLDFAST_CHILD_THREADS")));
  const auto report = run_campaign(long_campaign(), directory, {.control = {.threads = threads}});
  if (report) return;
  // The message goes where the parent looks for it; the exit status is that of the program.
  write_text(std::filesystem::path(directory).string() + ".error", report.error().text());
  ::_exit(exit_code(report.error().code));
}

TEST_CASE("same bytes: with 1, 2 and 7 threads") {
  for (const unsigned threads : {2u, 7u}) {
    const Scratch scratch;
    REQUIRE(run_campaign(long_campaign(), scratch / "out", {.control = {.threads = threads}}));
    CHECK(exports(scratch / "out") == reference());
  }
}

TEST_CASE("same bytes: interrupted twenty times at random moments") {
  const Scratch scratch;
  Stream moments({.seed = 17, .purpose = Purpose::tool});
  std::uint64_t last = 0;
  int interrupted = 0;
  for (int i = 0; i < 20; ++i) {
    std::atomic<bool> stop = false;
    std::thread interrupter([&stop, wait = moments.uniform(0, 0.012)] {
      std::this_thread::sleep_for(std::chrono::duration<double>(wait));
      stop = true;
    });
    const unsigned threads = 1 + static_cast<unsigned>(i % 7);
    const auto report = run_campaign(long_campaign(), scratch / "out",
                                     {.control = {.threads = threads, .stop = &stop}});
    interrupter.join();
    REQUIRE(report);
    CHECK(report->progress.found == last);  // nothing that was reported done is lost
    interrupted += report->interrupted ? 1 : 0;
    last = report->progress.done;
  }
  CHECK(interrupted > 0);
  REQUIRE(run_campaign(long_campaign(), scratch / "out", {.control = {.threads = 2}}));
  CHECK(exports(scratch / "out") == reference());
}

TEST_CASE("same bytes: killed twenty times at random moments") {
  const Scratch scratch;
  Stream moments({.seed = 18, .purpose = Purpose::tool});
  std::uint64_t last = 0;
  int killed = 0;
  for (int i = 0; i < 20; ++i) {
    const pid_t child = start_child(scratch / "out", 1 + static_cast<unsigned>(i % 3));
    // Half of the moments lie in the start, before and while the directory is made; half after new cells.
    while (i % 2 == 1 && is_running(child) && cells_done(scratch / "out") == last) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    std::this_thread::sleep_for(std::chrono::duration<double>(moments.uniform(0, 0.03)));
    ::kill(child, SIGKILL);
    if (WIFSIGNALED(wait_for(child))) ++killed;
    const std::uint64_t done = cells_done(scratch / "out");
    CHECK(done >= last);  // what was stored stays stored
    last = done;
  }
  CHECK(killed > 0);
  MESSAGE("killed ", killed, " times; cells stored by then: ", last, " of ", kCells);
  REQUIRE(run_campaign(long_campaign(), scratch / "out", {.control = {.threads = 2}}));
  CHECK(exports(scratch / "out") == reference());
}

TEST_CASE("same bytes: after a disk that was full") {
  const Scratch scratch;
  const int status = wait_for(start_child(scratch / "out", 2, 100'000));
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 4);
  const std::string message = read_text(scratch / "out.error");
  CAPTURE(message);
  CHECK(message.ends_with("run the same command again: what was finished is kept"));
  REQUIRE(run_campaign(long_campaign(), scratch / "out", {.control = {.threads = 2}}));
  CHECK(exports(scratch / "out") == reference());
}

TEST_CASE(
    "same bytes: cells that are kept in memory, in a file, or read again because there is no room "
    "for one") {
  const Scratch scratch;
  REQUIRE(run_campaign(long_campaign(), scratch / "out"));
  auto results = Results::open(scratch / "out");
  REQUIRE(results);
  const auto told = [&] {
    std::string out;
    const Description& asked = results->description();
    const auto read = results->for_each_point([&](const PointCells& cells) -> Status {
      out += to_json(to_value(summarize(cells, asked.metrics, asked.baseline), asked.strategies,
                              asked.metrics));
      for (std::size_t draw = 0; draw < cells.draws(); ++draw) {
        for (std::size_t strategy = 0; strategy < cells.strategies(); ++strategy)
          out += cells.cell(draw, strategy) ? std::to_string(cells.metric(draw, strategy, 0)) : "-";
      }
      return {};
    });
    REQUIRE(read);
    return out;
  };
  const std::string in_memory = told();
  results->keep_at_most(0);
  CHECK(told() == in_memory);
  CHECK(told() == in_memory);
  const auto path = export_results(*results, ExportFormat::csv);
  REQUIRE(path);
  CHECK(read_text(*path) == exports(scratch / "out").csv);
  results->keep_at_most(0);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handled = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit none{.rlim_cur = 1024, .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &none);
  CHECK(told() == in_memory);
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handled);
}

TEST_CASE("same bytes: a second process in the same directory is refused while one runs") {
  const Scratch scratch;
  const pid_t child = start_child(scratch / "out", 1);
  while (cells_done(scratch / "out") == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const auto refused = run_campaign(long_campaign(), scratch / "out");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message ==
        "another process " + std::to_string(child) +
            " is running this campaign; wait until it ends, or name another directory with "
            "--output");
  // Status and exports can be read meanwhile.
  const auto results = Results::open(scratch / "out");
  CHECK(results->status()->is_running);
  CHECK(export_results(*results, ExportFormat::csv));
  ::kill(child, SIGKILL);
  wait_for(child);
  REQUIRE(run_campaign(long_campaign(), scratch / "out", {.control = {.threads = 2}}));
  CHECK(exports(scratch / "out") == reference());
}
