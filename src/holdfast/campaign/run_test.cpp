#include "holdfast/campaign/run.hpp"

#include "holdfast/campaign/database.hpp"
#include "holdfast/campaign/export.hpp"
#include "holdfast/campaign/fake_domain.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/results_lock.hpp"
#include "holdfast/campaign/store.hpp"

#include <doctest/doctest.h>

#include "support/scratch.hpp"
#include <filesystem>
#include <string>

using namespace holdfast;

namespace {

const std::string kHead = "[campaign]\nname = 'walks'\ndomain = 'walk'\n";

Campaign walks(const std::string& text) {
  auto parsed = parse_campaign(text, "walk.toml", ".", fake::known());
  REQUIRE(parsed);
  return std::move(*parsed);
}

RunReport run(const Campaign& file, const std::filesystem::path& directory) {
  const auto report = run_campaign(file, directory, {.control = {.threads = 2}});
  if (!report) MESSAGE(report.error().text());
  REQUIRE(report);
  return *report;
}

std::string exported(const std::filesystem::path& directory) {
  const auto results = Results::open(directory);
  REQUIRE(results);
  const auto path = export_results(*results, ExportFormat::csv);
  REQUIRE(path);
  return read_text(*path);
}

}  // namespace

TEST_CASE("run: a campaign in one go, then nothing left to do") {
  const Scratch scratch;
  const Campaign file =
      walks(kHead + "scenarios = 10\n[parameters]\nsteps = [2, 3]\nstride = [1, 2, 3]\n");
  const RunReport first = run(file, scratch / "out");
  CHECK(first.progress.total == 120);
  CHECK(first.progress.found == 0);
  CHECK(first.progress.done == 120);
  CHECK_FALSE(first.interrupted);
  CHECK(read_text(scratch / "out" / "campaign.toml") == file.text);

  const RunReport second = run(file, scratch / "out");
  CHECK(second.progress.found == 120);
  CHECK(second.progress.done == 120);

  const auto results = Results::open(scratch / "out");
  REQUIRE(results);
  CHECK(results->description().name == "walks");
  CHECK(results->points() == 6);
  const auto status = results->status();
  REQUIRE(status);
  CHECK(status->cells_done == 120);
  CHECK(status->points_done == 6);
  CHECK_FALSE(status->is_running);
}

TEST_CASE("run: a changed file keeps the cells that it still asks for") {
  const Scratch scratch;
  run(walks(kHead + "scenarios = 10\n[parameters]\nsteps = [2, 3]\n"), scratch / "out");
  const Campaign more = walks(
      kHead +
      "scenarios = 12\nstrategies = ['steady', 'bold:3', 'bold']\n[parameters]\nsteps = [3, 4]\n");
  const RunReport report = run(more, scratch / "out");
  CHECK(report.progress.total == 2 * 12 * 3);
  CHECK(report.progress.found == 10 * 2);  // steps 3, strategies steady and bold
  // The same bytes as in an empty directory: order of strategies and points is that of the file.
  run(more, scratch / "fresh");
  CHECK(exported(scratch / "out") == exported(scratch / "fresh"));
}

TEST_CASE("run: another seed gives other draws") {
  const Scratch scratch;
  const std::string rest = "scenarios = 3\n[parameters]\nsteps = 2\n";
  run(walks(kHead + rest), scratch / "out");
  const std::string one = exported(scratch / "out");
  const RunReport report = run(walks(kHead + "seed = 2\n" + rest), scratch / "out");
  CHECK(report.progress.found == 0);
  CHECK(exported(scratch / "out") != one);
  // Back again: everything is found.
  CHECK(run(walks(kHead + rest), scratch / "out").progress.found == 6);
  CHECK(exported(scratch / "out") == one);
}

TEST_CASE("run: continued from its directory, with the scale it had") {
  const Scratch scratch;
  std::filesystem::create_directory(scratch / "files");
  write_text(scratch / "files" / "log.csv", "");
  write_text(scratch / "files" / "walk.toml",
             kHead + "scenarios = 20\n[parameters]\nfile = 'log.csv'\n");
  const auto file = read_campaign(scratch / "files" / "walk.toml", fake::known());
  REQUIRE(file);
  run(scaled(*file, 0.5), scratch / "out");
  CHECK(holds_results(scratch / "out"));
  CHECK_FALSE(holds_results(scratch / "files"));

  const auto again = read_campaign_of(scratch / "out", fake::known());
  REQUIRE(again);
  CHECK(again->scenarios == 10);
  CHECK(again->directory == std::filesystem::absolute(scratch / "files"));
  CHECK(run(*again, scratch / "out").progress.found == 20);
}

TEST_CASE("run: a directory that it did not write is refused, unless forced") {
  const Scratch scratch;
  const Campaign file = walks(kHead + "[parameters]\nsteps = 2\n");
  write_text(scratch / "diary.txt", "dear diary");
  const auto refused = run_campaign(file, scratch.path());
  REQUIRE_FALSE(refused);
  CHECK(refused.error().text() ==
        scratch.path().string() +
            ": found files that are not results of a campaign; name another directory with "
            "--output, or give --force");
  CHECK(exit_code(refused.error().code) == 4);
  CHECK(run_campaign(file, scratch.path(), {.force = true}));
  CHECK(read_text(scratch / "diary.txt") == "dear diary");

  write_text(scratch / "file", "");
  CHECK(run_campaign(file, scratch / "file", {.force = true}).error().message ==
        "found a file, expected a directory; name another one with --output");
}

TEST_CASE("run: results of another campaign are refused, unless forced") {
  const Scratch scratch;
  run(walks(kHead + "[parameters]\nsteps = 2\n"), scratch / "out");
  Campaign other = walks(kHead + "[parameters]\nsteps = 2\n");
  other.name = "runs";
  CHECK(run_campaign(other, scratch / "out").error().message ==
        "found results of the campaign 'walks', expected 'runs'; name another directory with "
        "--output, or give --force");
  // The same domain: forced, its cells serve the other campaign as well.
  CHECK(run_campaign(other, scratch / "out", {.force = true})->progress.found == 2);

  Domain swim = fake::domain();
  swim.name = "swim";
  other.domain = &swim;
  CHECK(run_campaign(other, scratch / "out").error().message ==
        "found results of 'runs' in the domain walk, expected the domain swim; name another "
        "directory with --output, or give --force");
  CHECK(run_campaign(other, scratch / "out", {.force = true})->progress.found == 0);
}

TEST_CASE("run: a newer schema, a foreign or a damaged database are refused clearly") {
  const Scratch scratch;
  const Campaign file = walks(kHead + "[parameters]\nsteps = 2\n");
  const std::filesystem::path out = scratch / "out";
  run(file, out);
  const std::string database = (out / "results.sqlite").string();
  {
    const auto db = Database::open(database, Database::Mode::write);
    REQUIRE(db->execute("PRAGMA user_version = 99"));
  }
  const auto newer = run_campaign(file, out);
  REQUIRE_FALSE(newer);
  CHECK(newer.error().text() ==
        database +
            ": found results of a newer holdfast (schema 99, this program reads up to 3); update "
            "holdfast, or name another directory with --output");
  CHECK(Results::open(out).error().message == newer.error().message);
  {
    const auto db = Database::open(database, Database::Mode::write);
    REQUIRE(db->execute("PRAGMA user_version = 2; PRAGMA application_id = 3"));
  }
  CHECK(run_campaign(file, out).error().message ==
        "found a database of another program, expected the results of a campaign");
  write_text(out / "results.sqlite", std::string(5000, 'x'));
  const auto damaged = run_campaign(file, out);
  REQUIRE_FALSE(damaged);
  CHECK(damaged.error().message ==
        "not a results file, or a damaged one (file is not a database); name another directory "
        "with --output, or replace this one with --force");
  CHECK(exit_code(damaged.error().code) == 3);
  CHECK(run_campaign(file, out, {.force = true}));
}

TEST_CASE("run: an empty results file, as a killed run may leave it, is treated as a new one") {
  const Scratch scratch;
  write_text(scratch / "results.sqlite", "");
  CHECK(run(walks(kHead + "[parameters]\nsteps = 2\n"), scratch.path()).progress.done == 2);
}

TEST_CASE("run: a second run in the same directory is refused while the first goes on") {
  const Scratch scratch;
  const Campaign file = walks(kHead + "[parameters]\nsteps = 2\n");
  run(file, scratch / "out");
  CHECK_FALSE(DirectoryLock::is_held(scratch / "out", kResultsLock.file));
  const auto lock = DirectoryLock::acquire(scratch / "out", kResultsLock);
  REQUIRE(lock);
  CHECK(DirectoryLock::is_held(scratch / "out", kResultsLock.file));
  const auto refused = run_campaign(file, scratch / "out");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().text() ==
        (scratch / "out").string() + ": another process " + std::to_string(::getpid()) +
            " is running this campaign; wait until it ends, or name another directory with "
            "--output");
  CHECK(exit_code(refused.error().code) == 4);
  CHECK(Results::open(scratch / "out")->status()->is_running);
  // Removing the file does not help: the directory is locked too.
  std::filesystem::remove(scratch / "out" / "results.lock");
  CHECK_FALSE(run_campaign(file, scratch / "out"));
}

TEST_CASE("run: a link in place of the lock is not followed") {
  const Scratch scratch;
  std::filesystem::create_directory(scratch / "out");
  write_text(scratch / "precious", "precious");
  std::filesystem::create_symlink(scratch / "precious", scratch / "out" / "results.lock");
  CHECK_FALSE(run_campaign(walks(kHead + "[parameters]\nsteps = 2\n"), scratch / "out"));
  CHECK(read_text(scratch / "precious") == "precious");
}

TEST_CASE("run: a link in place of a file of ours is refused, wherever it leads") {
  const Scratch scratch;
  const Campaign file = walks(kHead + "[parameters]\nsteps = 2\n");
  REQUIRE(run_campaign(file, scratch / "elsewhere"));
  const auto refused_with_link = [&](const std::filesystem::path& leads_to) {
    CAPTURE(leads_to.string());
    std::filesystem::remove_all(scratch / "out");
    std::filesystem::create_directory(scratch / "out");
    std::filesystem::create_symlink(leads_to, scratch / "out" / Store::kFile);
    const auto refused = run_campaign(file, scratch / "out");
    REQUIRE_FALSE(refused);
    CHECK(exit_code(refused.error().code) == 4);
    CHECK(refused.error().text() ==
          (scratch / "out" / Store::kFile).string() +
              ": found a link, expected a regular file or none; remove the link, or name the "
              "directory of the file itself");
    CHECK_FALSE(Results::open(scratch / "out"));
  };
  refused_with_link(scratch / "nothing");
  CHECK_FALSE(std::filesystem::exists(scratch / "nothing"));
  refused_with_link(scratch / "elsewhere" / Store::kFile);

  write_text(scratch / "precious", "precious");
  const auto results = Results::open(scratch / "elsewhere");
  REQUIRE(results);
  std::filesystem::create_symlink(scratch / "precious", scratch / "elsewhere" / "results.csv");
  CHECK_FALSE(export_results(*results, ExportFormat::csv));
  CHECK(read_text(scratch / "precious") == "precious");
}

TEST_CASE("run: a directory that cannot be read is not taken for one without results") {
  const Scratch scratch;
  std::filesystem::create_directory_symlink("round", scratch / "round");
  CHECK(holds_results(scratch / "round"));
  const auto refused = Results::open(scratch / "round");
  REQUIRE_FALSE(refused);
  CHECK(exit_code(refused.error().code) == 4);
  CHECK(refused.error().text() ==
        (scratch / "round").string() + ": cannot be read: Too many levels of symbolic links");
}

TEST_CASE("run: a directory behind a link is a directory") {
  const Scratch scratch;
  std::filesystem::create_directory(scratch / "real");
  std::filesystem::create_directory_symlink(scratch / "real", scratch / "link");
  const Campaign file = walks(kHead + "[parameters]\nsteps = 2\n");
  REQUIRE(run_campaign(file, scratch / "link"));
  CHECK(Results::open(scratch / "link")->status()->cells_done == 2);
  REQUIRE(export_results(*Results::open(scratch / "link"), ExportFormat::csv));
  CHECK(std::filesystem::exists(scratch / "real" / "results.csv"));
}

TEST_CASE("run: an error of a cell names it; what finished before is kept") {
  const Scratch scratch;
  const Campaign file = walks(kHead + "scenarios = 9\n[parameters]\nsteps = [2]\nfails_from = 4\n");
  const auto report = run_campaign(file, scratch / "out", {.control = {.threads = 1}});
  REQUIRE_FALSE(report);
  CHECK(report.error().text() ==
        "walk.toml: steps = 2, instance 0, scenario 4, strategy bold: /steps: the walker is tired");
  CHECK(Results::open(scratch / "out")->status()->cells_done == 8);
}

TEST_CASE("run: stopped before it begins, nothing is run") {
  const Scratch scratch;
  const std::atomic<bool> stop = true;
  const auto report = run_campaign(walks(kHead + "[parameters]\nsteps = 2\n"), scratch / "out",
                                   {.control = {.stop = &stop}});
  REQUIRE(report);
  CHECK(report->interrupted);
  CHECK(report->progress.done == 0);
}

TEST_CASE("run: progress goes up to the end") {
  const Scratch scratch;
  std::uint64_t last = 0;
  Progress final;
  RunOptions options;
  options.control.progress = [&](const Progress& progress) {
    CHECK(progress.done >= last);
    last = progress.done;
    final = progress;
  };
  const Campaign file = walks(kHead + "scenarios = 300\n[parameters]\nbusy = '1ms'\n");
  REQUIRE(run_campaign(file, scratch / "out", options));
  CHECK(final.done == 600);
  CHECK(final.total == 600);
  CHECK(final.rate > 0);
  CHECK(final.remaining() == 0);
}

TEST_CASE("run: a new metric gets a column, in which earlier cells have no value") {
  const Scratch scratch;
  const std::string text =
      kHead + "scenarios = 2\nstrategies = ['steady']\n[parameters]\nsteps = 2\n";
  Domain before = fake::domain();
  before.metrics.pop_back();
  before.metrics.pop_back();
  // A domain with fewer metrics, as an older program had it.
  before.open = [](const Value& parameters, std::span<const StrategySpec> strategies,
                   const std::filesystem::path& directory) -> Result<std::unique_ptr<Point>> {
    class Older final : public Point {
     public:
      explicit Older(std::unique_ptr<Point> point) : point_(std::move(point)) {}
      const Value& definition() const override { return point_->definition(); }
      Result<Outcome> run(const Draw& draw, std::size_t strategy, Workspace& workspace,
                          bool want_timeline) const override {
        auto outcome = point_->run(draw, strategy, workspace, want_timeline);
        if (outcome) outcome->metrics.resize(1);
        return outcome;
      }

     private:
      std::unique_ptr<Point> point_;
    };
    HOLDFAST_TRY(point, fake::open(parameters, strategies, directory));
    return std::make_unique<Older>(std::move(point));
  };
  Campaign old = walks(text);
  old.domain = &before;
  run(old, scratch / "out");
  CHECK(run(walks(text), scratch / "out").progress.found == 2);
  const auto results = Results::open(scratch / "out");
  CHECK(results->description().metrics.size() == 3);
  CHECK(results->for_each_point([](const PointCells& cells) -> Status {
    CHECK(cells.value(0, 0, 0));
    CHECK_FALSE(cells.value(0, 0, 1));
    return {};
  }));
}

TEST_CASE("results: a directory without results, and a file that does not exist") {
  const Scratch scratch;
  CHECK(Results::open(scratch.path()).error().text() ==
        scratch.path().string() + ": found no results.sqlite, expected the results of a campaign");
  CHECK_FALSE(Results::open(scratch / "nowhere"));
  CHECK_FALSE(read_campaign_of(scratch.path(), fake::known()));
}

TEST_CASE("run: where nothing can be written, the message says what to do") {
  const Campaign file = walks(kHead + "[parameters]\nsteps = 2\n");
  const auto refused = run_campaign(file, "/proc/holdfast-results");
  REQUIRE_FALSE(refused);
  CHECK(exit_code(refused.error().code) == 4);
  CHECK(refused.error().message.ends_with("; name another directory with --output"));
}
