#include "holdfast/campaign/estimate.hpp"

#include "holdfast/campaign/fake_domain.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace holdfast;

namespace {

Campaign walk(const std::string& head, const std::string& parameters) {
  const auto campaign = parse_campaign(
      "[campaign]\nname = 'x'\ndomain = 'walk'\nstrategies = ['bold:by=1', 'steady']\n" + head +
          "[parameters]\n" + parameters,
      "walk.toml", ".", fake::known());
  REQUIRE(campaign);
  return *campaign;
}

}  // namespace

TEST_CASE("estimate: each strategy counts with its own mean") {
  const TimedCell timed[] = {{0, 1.0}, {0, 3.0}, {1, 10.0}};
  CHECK(time_of_all(timed, 2, 100) == 100 * (2.0 + 10.0));
  // The third was not reached: 14 / 3 s.
  CHECK(time_of_all(timed, 3, 3) == doctest::Approx(3 * (2.0 + 10.0 + 14.0 / 3)));
  CHECK(time_of_all({}, 2, 100) == 0);
}

TEST_CASE("estimate: points and cells of the design, two draws of eight points timed") {
  const auto few =
      estimate_run(walk("scenarios = 5\n", "steps = [1, 2, 3]\nstride = [1, 2]\n"), {.threads = 2});
  REQUIRE(few);
  CHECK(few->positions == 6);
  CHECK(few->points == 6);
  CHECK(few->cells == 6 * 5 * 2);
  CHECK(few->sampled_points == 6);
  CHECK(few->sampled_cells == 6 * 2 * 2);
  CHECK(few->threads == 2);
  CHECK(few->core_seconds > 0);
  CHECK(few->seconds() == few->core_seconds / 2);

  const auto many =
      estimate_run(walk("instances = 3\nscenarios = 1\n",
                        "steps = [1, 2, 3, 4, 5]\nstride = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n"),
                   {.threads = 1});
  REQUIRE(many);
  CHECK(many->cells == 50 * 3 * 2);
  CHECK(many->sampled_points == 8);
  CHECK(many->sampled_cells == 8 * 2 * 2);
}

TEST_CASE("estimate: equal points are one, and one draw is one") {
  const auto made = estimate_run(walk("", "steps = 1\nstride = ['60s', '1min']\n"), {.threads = 4});
  REQUIRE(made);
  CHECK(made->positions == 2);
  CHECK(made->points == 1);
  CHECK(made->cells == 2);
  CHECK(made->sampled_cells == 2);
  CHECK(made->threads == 2);  // no more than there are cells
}

TEST_CASE("estimate: a point that cannot be opened is the error of the run") {
  const auto made = estimate_run(walk("", "steps = -1\n"), {});
  REQUIRE_FALSE(made);
  CHECK(made.error().where.find("walk.toml") != std::string::npos);
}
