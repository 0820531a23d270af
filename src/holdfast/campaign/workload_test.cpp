#include "holdfast/campaign/workload.hpp"

#include "holdfast/campaign/design.hpp"
#include "holdfast/campaign/executors/local.hpp"
#include "holdfast/campaign/fake_domain.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <tuple>

using namespace holdfast;

namespace {

using Cell = std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, std::uint32_t>;

Campaign campaign_of(const std::string& text) {
  auto parsed = parse_campaign("[campaign]\nname = 'x'\ndomain = 'walk'\n" + text, "walk.toml", ".",
                               fake::known());
  REQUIRE(parsed);
  return std::move(*parsed);
}

const IsDone kNothing = [](const CellKey&) { return false; };

/// How often each cell was handed over.
struct Seen {
  std::map<Cell, int> cells;
  std::map<Cell, double> first_metric;

  Status operator()(const Batch& batch) {
    if (batch.empty()) return {};
    const std::size_t metrics = batch.values.size() / batch.size();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const CellKey& key = batch.keys[i];
      const Cell cell = {key.point, key.instance, key.scenario, key.strategy};
      ++cells[cell];
      first_metric[cell] = batch.values[i * metrics];
    }
    return {};
  }
};

Seen run(const Campaign& file, const IsDone& is_done, unsigned threads) {
  auto design = Design::make(file);
  REQUIRE(design);
  const Workload workload(file, *design, is_done, threads);
  Seen seen;
  const auto status = run_local(workload, {.threads = threads}, std::ref(seen));
  REQUIRE(status);
  CHECK(seen.cells.size() == workload.cells());
  return seen;
}

}  // namespace

TEST_CASE("workload: every cell runs once, whatever the threads") {
  const Campaign file = campaign_of(
      "instances = 2\nscenarios = 7\n[parameters]\nsteps = [3, 4]\nstride = [1, 2, 3]\nfixed = "
      "[true, false]\n");
  const Seen one = run(file, kNothing, 1);
  CHECK(one.cells.size() == (6 + 6 * 14) * 2);
  for (const auto& [cell, count] : one.cells) CHECK(count == 1);
  for (const unsigned threads : {2u, 3u, 7u}) {
    const Seen many = run(file, kNothing, threads);
    CHECK(many.cells == one.cells);
    CHECK(many.first_metric == one.first_metric);
  }
}

TEST_CASE("workload: cells that share a realisation draw it once") {
  // One realisation per (steps, scenario): 2 * 40, seen by 3 strides and 2 strategies.
  const Campaign file =
      campaign_of("scenarios = 40\n[parameters]\nstride = [1, 2, 3]\nsteps = [3, 4]\n");
  fake::realisations_drawn = 0;
  run(file, kNothing, 1);
  CHECK(fake::realisations_drawn == 2 * 40);
}

TEST_CASE("workload: a domain that shares nothing has groups of one point") {
  Domain lonely = fake::domain();
  lonely.shared_parameters.clear();
  Campaign file = campaign_of("scenarios = 40\n[parameters]\nstride = [1, 2, 3]\n");
  file.domain = &lonely;
  auto design = Design::make(file);
  REQUIRE(design);
  CHECK(Workload(file, *design, kNothing, 1).groups() == 3 * 40);
}

TEST_CASE("workload: one large group is split so that all workers have something to do") {
  const Campaign file = campaign_of("[parameters]\nstride = [1,2,3,4,5,6,7,8,9,10,11,12]\n");
  auto design = Design::make(file);
  REQUIRE(design);
  CHECK(Workload(file, *design, kNothing, 1).groups() ==
        12);  // 16 are aimed at, but there are 12 points
  CHECK(run(file, kNothing, 4).cells.size() == 24);
}

TEST_CASE("workload: cells that are stored already are not run again") {
  const Campaign file = campaign_of("scenarios = 10\n[parameters]\nstride = [1, 2]\n");
  const auto is_done = [](const CellKey& key) { return key.scenario < 9 || key.strategy == 0; };
  const Seen seen = run(file, is_done, 2);
  CHECK(seen.cells.size() == 2);
  const auto everything = [](const CellKey&) { return true; };
  auto design = Design::make(file);
  CHECK(Workload(file, *design, everything, 2).groups() == 0);
}

TEST_CASE("local executor: of several errors, the first in the order of the design counts") {
  const Campaign file =
      campaign_of("scenarios = 200\n[parameters]\nsteps = [3, 4]\nfails_from = 20\n");
  for (const unsigned threads : {1u, 2u, 7u}) {
    auto design = Design::make(file);
    REQUIRE(design);
    const Workload workload(file, *design, kNothing, threads);
    Seen seen;
    const auto status = run_local(workload, {.threads = threads}, std::ref(seen));
    REQUIRE_FALSE(status);
    CHECK(status.error().text() ==
          "walk.toml: steps = 3, instance 0, scenario 20, strategy bold: /steps: the walker is "
          "tired");
    CHECK(exit_code(status.error().code) == 1);
    CHECK(seen.cells.size() >= 40);  // what finished before is handed over
  }
}

TEST_CASE("local executor: an exception of a library is the error of a cell") {
  const Campaign file = campaign_of("[parameters]\nstride = 666\n");
  auto design = Design::make(file);
  REQUIRE(design);
  const Workload workload(file, *design, kNothing, 2);
  const auto status = run_local(workload, {.threads = 2}, [](const Batch&) { return Status{}; });
  REQUIRE_FALSE(status);
  CHECK(status.error().text() ==
        "walk.toml: instance 0, scenario 0, strategy bold: the run failed: no memory");
}

TEST_CASE("local executor: memory that runs out between cells ends the run, not the program") {
  for (const unsigned threads : {1u, 2u, 7u}) {
    const Campaign file = campaign_of("scenarios = 50\n");
    auto design = Design::make(file);
    REQUIRE(design);
    const Workload workload(file, *design, kNothing, threads);
    const auto sink = [](const Batch&) { return Status{}; };
    static_cast<void>(design->take(0));  // a worker has to open the point again
    fake::out_of_memory = true;
    const auto status = run_local(workload, {.threads = threads}, sink);
    fake::out_of_memory = false;
    REQUIRE_FALSE(status);
    CHECK(status.error().text() == "not enough memory for this campaign");
    CHECK(exit_code(status.error().code) == 4);
  }
}

TEST_CASE("local executor: an error of the sink ends the run") {
  const Campaign file = campaign_of("scenarios = 100000\n");
  auto design = Design::make(file);
  REQUIRE(design);
  const Workload workload(file, *design, kNothing, 2);
  int calls = 0;
  const auto status = run_local(workload, {.threads = 2}, [&](const Batch&) -> Status {
    ++calls;
    return fail(ErrorCode::io_failure, "disk", "full");
  });
  REQUIRE_FALSE(status);
  CHECK(status.error().text() == "disk: full");
  CHECK(calls == 1);
}

TEST_CASE("local executor: stopping keeps what finished and runs nothing more") {
  const Campaign file = campaign_of("scenarios = 100000\n[parameters]\nbusy = '100us'\n");
  auto design = Design::make(file);
  REQUIRE(design);
  const Workload workload(file, *design, kNothing, 2);
  std::atomic<bool> stop = false;
  Seen seen;
  const auto status = run_local(workload, {.threads = 2, .stop = &stop}, [&](const Batch& batch) {
    stop = true;
    return seen(batch);
  });
  CHECK(status);
  CHECK_FALSE(seen.cells.empty());
  CHECK(seen.cells.size() < 20000);
}

TEST_CASE("executors: known by name") {
  CHECK(((*find_executor("local"))->start == start_local));
  CHECK(find_executor("locl").error().text() ==
        "/executor: unknown executor 'locl'; did you mean 'local'?");
}
