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
  CHECK(std::fabs(best->share / (optimum * rate * survived / (1 - survived)) - 1) < 1e-5);
}

TEST_CASE("fixed period: those of a picture grow, and none is better than the best") {
  Instance instance;
  instance.checkpoint = 60;
  instance.law = exponential_law(20 * 3600);
  const auto best = best_fixed_period(instance);
  const auto drawn = fixed_periods(instance);
  REQUIRE(best);
  REQUIRE(drawn);
  REQUIRE(drawn->size() > 40);
  for (std::size_t i = 1; i < drawn->size(); ++i)
    CHECK((*drawn)[i - 1].period < (*drawn)[i].period);
  for (const FixedPeriod& one : *drawn) CHECK(one.share <= best->share * (1 + 1e-6));
  // A job that is shorter than the longest of them ends the row.
  instance.work = best->period;
  const auto few = fixed_periods(instance);
  REQUIRE(few);
  CHECK(few->back().period == instance.work);
  CHECK(few->size() < drawn->size());
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
  for (const Row& row : rows) CHECK(setting_of(row.tool, 4067, 60, 0)->line == row.expected);
  CHECK(setting_of(Tool::fti, 30, 1, 0)->line == "ckpt_l4 = 1");
  CHECK(setting_of(Tool::fti, 30, 1, 0)->period == 60);
  CHECK(setting_of(Tool::shell, 12.34, 1, 0)->line == "HOLDFAST_INTERVAL=12.3");
}

TEST_CASE("fixed period: in steps, for the tools that count them") {
  struct Row {
    Tool tool;
    std::string_view expected;
  };
  const Row rows[] = {
      {Tool::megatron, "--save-interval 339"},
      {Tool::torchtitan, "--checkpoint.interval 339"},
      {Tool::hf, "--save_strategy steps --save_steps 339"},
      {Tool::deepspeed, "if engine.global_steps % 339 == 0: engine.save_checkpoint(save_dir)"},
      {Tool::orbax, "save_interval_steps=339"},
      {Tool::lightning, "every_n_train_steps=339"},
  };
  for (const Row& row : rows) {
    const auto setting = setting_of(row.tool, 4067, 60, 12);
    REQUIRE(setting);
    CHECK(setting->line == row.expected);
    CHECK(setting->period == 339 * 12);
    if (row.tool == Tool::lightning) continue;  // it takes seconds too
    const auto without = setting_of(row.tool, 4067, 60, 0);
    REQUIRE(!without);
    CHECK(without.error().where == "/iteration");
  }
  CHECK(setting_of(Tool::megatron, 3, 1, 12)->line == "--save-interval 1");
}

TEST_CASE("fixed period: a whole number of iterations, if the job can save only between them") {
  Instance job;
  job.checkpoint = 60;
  job.iteration = 700;
  job.law = exponential_law(20 * 3600);
  CHECK(best_fixed_period(job)->period == 4 * 700);  // 2938 s without them
}
