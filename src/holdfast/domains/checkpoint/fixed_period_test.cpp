#include "holdfast/domains/checkpoint/fixed_period.hpp"

#include "holdfast/models/resilience/period.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string_view>

using namespace holdfast;
using namespace holdfast::checkpoint;

TEST_CASE("fixed period: of memoryless failures the optimal one") {
  Instance job;
  job.checkpoint = 60;
  job.law = exponential_law(20 * 3600);
  const auto best = best_fixed_period(job);
  REQUIRE(best.has_value());
  const double optimum = optimal_period(60, 20 * 3600);
  CHECK(std::fabs(best->period / optimum - 1) < 0.05);
  const double rate = 1.0 / (20 * 3600);
  const double survived = std::exp(-rate * (optimum + 60));
  CHECK(std::fabs(best->efficiency / (optimum * rate * survived / (1 - survived)) - 1) < 1e-5);
}

TEST_CASE("fixed period: a short job is one segment") {
  Instance job;
  job.checkpoint = 60;
  job.work = 600;
  job.law = exponential_law(20 * 3600);
  CHECK(best_fixed_period(job)->period == 600);
}

TEST_CASE("fixed period: as each tool reads it") {
  struct Row {
    Tool tool;
    std::string_view expected;
  };
  const Row rows[] = {
      {Tool::shell, "HOLDFAST_INTERVAL=4067"},
      {Tool::scr, "SCR_CHECKPOINT_SECONDS=4067 SCR_HALT_SECONDS=120"},
      {Tool::fti, "ckpt_l4 = 67"},
      {Tool::veloc, "persistent_interval = 4067"},
      {Tool::dmtcp, "-i 4067"},
      {Tool::gromacs, "-cpt 67.8"},
      {Tool::slurm, "--signal=B:USR2@180"},
      {Tool::lightning, "train_time_interval=timedelta(seconds=4067)"},
  };
  for (const Row& row : rows) CHECK(setting_of(row.tool, 4067, 60) == row.expected);
  CHECK(setting_of(Tool::fti, 30, 1) == "ckpt_l4 = 1");
  CHECK(setting_of(Tool::shell, 12.34, 1) == "HOLDFAST_INTERVAL=12.3");
}
