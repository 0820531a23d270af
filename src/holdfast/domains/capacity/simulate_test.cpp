#include "holdfast/domains/capacity/simulate.hpp"

#include "holdfast/domains/capacity/instance_io.hpp"
#include "holdfast/domains/capacity/testing.hpp"

#include <doctest/doctest.h>

#include "support/shared_data.hpp"
#include <cmath>
#include <filesystem>
#include <string>

using namespace holdfast;
using namespace holdfast::capacity;
using testing::Run;
using testing::run_of;
using testing::text_of;

namespace {

Instance v1() {
  Instance instance{.machines = 3,
                    .safe_machines = 1,
                    .cores = 4,
                    .alive = {{0, 3}, {10, 1}, {20, 3}},
                    .begin = 0,
                    .end = 40,
                    .distance = 1};
  const auto add = [&](std::int64_t r, std::int64_t c, std::int64_t w, double category) {
    instance.jobs.push_back({std::to_string(instance.jobs.size()), r, c, w, category});
  };
  add(0, 4, 30, .2), add(0, 2, 8, .9), add(1, 2, 12, .5), add(2, 4, 6, .95), add(5, 1, 20, .4),
      add(12, 3, 5, .9), add(21, 2, 4, 1.0);
  return instance;
}

}  // namespace

TEST_CASE("V1 with a delay of 15 s: killed jobs wait until 25, and others start before them") {
  Instance instance = v1();
  instance.requeue_delay = 15;
  CHECK(text_of(run_of(instance, "first-fit-aware")) ==
        "0@0:0-30 1@1:0-8 2@1:1-10x 3@2:2-8 4@1:8-10x 5@1:20-25 6@2:21-25 2@1:25-37 4@1:25-40 ");
  instance.requeue_delay = 100;  // until after the window
  const Metrics metrics = run_of(instance, "target-asap").metrics;
  CHECK(metrics.waiting == metrics.kills);
}

TEST_CASE("V1: first fit, event by event") {
  const Run run = run_of(v1(), "first-fit-aware");
  CHECK(text_of(run) ==
        "0@0:0-30 1@1:0-8 2@1:1-10x 3@2:2-8 4@1:8-10x 2@1:20-32 4@1:20-40 5@2:20-25 6@2:25-29 ");
  CHECK(run.metrics.capacity == 400);
  CHECK(run.metrics.useful == 227);
  CHECK(run.metrics.aborted == 20);
  CHECK(run.metrics.aborted_time == 11);
  CHECK(run.metrics.kills == 2);
  CHECK(run.metrics.completed == 7);
  CHECK(run.metrics.largest_stretch == doctest::Approx(2.6));
}

TEST_CASE("V1: the three target policies agree, event by event") {
  for (const std::string_view strategy : {"target-stretch", "target-asap", "packed-target-asap"}) {
    CAPTURE(strategy);
    const Run run = run_of(v1(), strategy);
    CHECK(
        text_of(run) ==
        "0@0:0-30 1@1:0-8 4@2:5-10x 3@1:8-10x 2@1:20-32 4@1:20-40 3@0:30-36 5@1:32-37 6@0:36-40 ");
    CHECK(run.metrics.useful == 227);
    CHECK(run.metrics.aborted == 13);
    CHECK(run.metrics.aborted_time == 7);
    CHECK(run.metrics.largest_stretch == doctest::Approx(17.0 / 3));
  }
}

TEST_CASE("V6: a recorded week under profile author, beside the author's own program") {
  const auto jobs = test::shared_data("batch/borg-cell-7d-864000.txt.gz");
  const auto reference = test::shared_data("batch/borg-cell-7d-604800.txt.gz");
  if (!jobs || !reference) return;
  Value document = Value::object({{"profile", "author"},
                                  {"jobs", std::filesystem::absolute(*jobs).string()},
                                  {"reference", std::filesystem::absolute(*reference).string()},
                                  {"machines", 32},
                                  {"safe_machines", 16},
                                  {"distance", 11},
                                  {"window", Value::list(std::vector<int>{864000, 1468800})}});
  Value alive = Value::array();
  for (std::int64_t i = 0; 1200 * i <= 1468800; ++i) {
    const std::int64_t machines = i == 0 ? 24 : 24 + 2 * (((7919 * i) % 11) % 5 - 2);
    alive.push(Value(Value::Array{1200 * i, machines}));
  }
  document.set("alive", std::move(alive));
  const auto problem = read_problem(document);
  REQUIRE(problem);
  const struct {
    const char* strategy;
    double goodput, aborted;
  } rows[] = {{"first-fit-aware", .8633, .1308},
              {"target-stretch", .8439, .0299},
              {"target-asap", .8986, .0668},
              {"packed-target-asap", .9002, .0654}};
  for (const auto& row : rows) {
    CAPTURE(row.strategy);
    const auto metrics = values(run_of(problem->fixed, row.strategy).metrics);
    CHECK(std::abs(*metrics[0] - row.goodput) <= .005);
    CHECK(std::abs(*metrics[4] - row.aborted) <= .005);
  }
}
