#include "holdfast/campaign/kept_answer.hpp"

#include "holdfast/campaign/database.hpp"
#include "holdfast/campaign/fake_domain.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/run.hpp"
#include "holdfast/campaign/store.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "support/scratch.hpp"
#include <filesystem>
#include <string>

using namespace holdfast;

namespace {

namespace fs = std::filesystem;

/// 3 points, 2 strategies.
Campaign walks(int scenarios) {
  auto parsed = parse_campaign(
      fmt::format(
          "[campaign]\nname = 'walks'\ndomain = 'walk'\nscenarios = {}\n[parameters]\nsteps "
          "= [2, 3, 4]\n",
          scenarios),
      "walk.toml", ".", fake::known());
  REQUIRE(parsed);
  return std::move(*parsed);
}

std::uint64_t state_of(const fs::path& directory) {
  const auto results = Results::open(directory);
  REQUIRE(results);
  const auto state = results->state();
  REQUIRE(state);
  REQUIRE(*state);
  return **state;
}

void keep_complete(const fs::path& directory) {
  keep(directory, {.state = state_of(directory), .is_complete = true});
}

std::uint64_t found_by(const Campaign& campaign, const fs::path& directory) {
  const auto report = run_campaign(campaign, directory);
  REQUIRE(report);
  CHECK(report->progress.done == report->progress.total);
  return report->progress.found;
}

void change(const fs::path& directory, const std::string& sql) {
  const auto db = Database::open((directory / Store::kFile).string(), Database::Mode::write);
  REQUIRE(db);
  REQUIRE(db->execute(sql));
}

}  // namespace

TEST_CASE("kept answer: it is read as it was written, and not at all if a byte has changed") {
  const Scratch scratch;
  CHECK_FALSE(read_kept(scratch / "."));
  const KeptAnswer answer{.state = ~std::uint64_t{0},
                          .made_by = 2,
                          .page = std::uint64_t{1} << 63,
                          .is_complete = true,
                          .headline = "a job of 5 d",
                          .verdict = {"\"young\" ends\nsooner", ""},
                          .lines = {"best: young"}};
  keep(scratch / ".", answer);
  const auto found = read_kept(scratch / ".");
  REQUIRE(found);
  CHECK(found->state == answer.state);
  CHECK(found->made_by == answer.made_by);
  CHECK(found->page == answer.page);
  CHECK(found->is_complete);
  CHECK(found->headline == answer.headline);
  CHECK(found->verdict == answer.verdict);
  CHECK(found->lines == answer.lines);

  const std::string whole = read_text(scratch / KeptAnswer::kFile);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string other = whole;
    other[at] = static_cast<char>(other[at] ^ 1);
    write_text(scratch / KeptAnswer::kFile, other);
    CHECK_FALSE(read_kept(scratch / "."));
    write_text(scratch / KeptAnswer::kFile, whole.substr(0, at));
    CHECK_FALSE(read_kept(scratch / "."));
  }
  fs::remove(scratch / KeptAnswer::kFile);
  REQUIRE(::mkfifo((scratch / KeptAnswer::kFile).c_str(), 0600) == 0);
  CHECK_FALSE(read_kept(scratch / "."));  // and does not wait for a writer
}

TEST_CASE(
    "kept answer: the state of results changes with every cell that is added, and with the "
    "campaign") {
  const Scratch scratch;
  const fs::path out = scratch / "out";
  REQUIRE(run_campaign(walks(10), out));
  const std::uint64_t first = state_of(out);
  REQUIRE(run_campaign(walks(10), out));
  CHECK(state_of(out) == first);
  REQUIRE(run_campaign(walks(11), out));
  CHECK(state_of(out) != first);
  REQUIRE(run_campaign(walks(10), out));  // more cells than are asked for
  CHECK(state_of(out) != first);
}

TEST_CASE("kept answer: a run believes that all cells are there only while nothing has changed") {
  const Scratch scratch;
  const fs::path out = scratch / "out";
  REQUIRE(run_campaign(walks(10), out));
  keep_complete(out);
  CHECK(found_by(walks(10), out) == 60);
  CHECK(found_by(walks(12), out) == 60);  // a larger campaign in the same directory
  keep_complete(out);
  change(out, "DELETE FROM blocks WHERE id = 1");
  CHECK(found_by(walks(12), out) < 72);
  keep(out, {.state = state_of(out) + 1, .is_complete = true});
  CHECK(found_by(walks(13), out) == 72);
}

TEST_CASE("kept answer: what is kept does not hide damage") {
  const Scratch scratch;
  const fs::path out = scratch / "out";
  REQUIRE(run_campaign(walks(10), out));
  keep_complete(out);
  change(out, "UPDATE blocks SET bytes = zeroblob(length(bytes)) WHERE id = 1");
  constexpr std::string_view kSays =
      "table blocks, row 1: the row is damaged: its checksum differs";
  const auto again = run_campaign(walks(10), out);
  REQUIRE_FALSE(again);
  CHECK(again.error().text().find(kSays) != std::string::npos);
  const auto results = Results::open(out);
  REQUIRE(results);
  const auto state = results->state();
  REQUIRE_FALSE(state);
  CHECK(state.error().text().find(kSays) != std::string::npos);
}
