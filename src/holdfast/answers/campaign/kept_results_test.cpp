#include "holdfast/answers/campaign/kept_results.hpp"

#include "holdfast/answers/campaign/report_file.hpp"
#include "holdfast/campaign/fake_domain.hpp"
#include "holdfast/campaign/run.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/scratch.hpp"
#include <filesystem>
#include <string>

using namespace holdfast;

namespace {

namespace fs = std::filesystem;

void run_walks(const fs::path& directory, int scenarios) {
  const auto campaign = parse_campaign(
      fmt::format("[campaign]\nname = 'walks'\ndomain = 'walk'\nscenarios = {}\n", scenarios),
      "walk.toml", ".", fake::known());
  REQUIRE(campaign);
  REQUIRE(run_campaign(*campaign, directory, {.command = "holdfast run walk.toml"}));
}

Host host_with(const fs::path& program) {
  Host host;
  host.places.program = {program.string()};
  return host;
}

/// Keeps an answer and a page, as after a run.
void keep_all(const Results& results, const Host& host) {
  Answer answer;
  answer.headline = "a walk";
  answer.verdict = {"bold ends sooner"};
  write_text(results.directory() / kReportFile, "<p>a walk</p>");
  auto kept = KeptResults::read(results, host);
  REQUIRE(kept);
  kept->keep(&answer, true);
}

bool has_both(const Results& results, const Host& host) {
  const auto kept = KeptResults::read(results, host);
  REQUIRE(kept);
  const auto answer = kept->answer();
  const bool is_there = answer && answer->headline == "a walk" &&
                        answer->verdict == std::vector<std::string>{"bold ends sooner"};
  CHECK(is_there == kept->has_page());
  return is_there;
}

}  // namespace

TEST_CASE(
    "kept results: answer and page are good until cells, program, or file of the campaign change") {
  const Scratch scratch;
  const fs::path out = scratch / "out";
  run_walks(out, 10);
  write_text(scratch / "program", "one");
  const Host host = host_with(scratch / "program");
  const auto results = Results::open(out);
  REQUIRE(results);
  CHECK_FALSE(has_both(*results, host));
  keep_all(*results, host);
  CHECK(has_both(*results, host));
  CHECK(has_both(*Results::open(out), host));

  SUBCASE("cells") {
    run_walks(out, 11);
    CHECK_FALSE(has_both(*Results::open(out), host));
  }
  SUBCASE("the program") {
    write_text(scratch / "program", "another");
    CHECK_FALSE(has_both(*results, host));
  }
  SUBCASE("no program that is known") {
    CHECK_FALSE(has_both(*results, host_with(scratch / "missing")));
  }
  SUBCASE("the file of the campaign, which the page shows") {
    write_text(out / "campaign.toml", "# none");
    CHECK_FALSE(has_both(*results, host));
  }
}

TEST_CASE("kept results: a page that was changed, or is gone, is written again") {
  const Scratch scratch;
  const fs::path out = scratch / "out";
  run_walks(out, 10);
  write_text(scratch / "program", "one");
  const Host host = host_with(scratch / "program");
  const auto results = Results::open(out);
  REQUIRE(results);
  keep_all(*results, host);
  CHECK(KeptResults::read(*results, host)->has_page());
  write_text(out / kReportFile, "<p>another</p>");
  CHECK_FALSE(KeptResults::read(*results, host)->has_page());
  fs::remove(out / kReportFile);
  const auto kept = KeptResults::read(*results, host);
  CHECK_FALSE(kept->has_page());
  CHECK(kept->answer());
}

TEST_CASE("kept results: what other processes add meanwhile is not covered by an older answer") {
  const Scratch scratch;
  const fs::path out = scratch / "out";
  run_walks(out, 10);
  write_text(scratch / "program", "one");
  const Host host = host_with(scratch / "program");
  const auto results = Results::open(out);
  REQUIRE(results);
  auto kept = KeptResults::read(*results, host);
  REQUIRE(kept);
  run_walks(out, 11);
  Answer answer;
  answer.headline = "a walk";
  kept->keep(&answer, true);
  CHECK_FALSE(KeptResults::read(*Results::open(out), host)->answer());
}
