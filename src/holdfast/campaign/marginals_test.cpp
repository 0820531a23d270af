#include "holdfast/campaign/marginals.hpp"

#include "holdfast/campaign/fake_domain.hpp"
#include "holdfast/campaign/run.hpp"
#include "holdfast/campaign/summary.hpp"

#include <doctest/doctest.h>

#include "support/scratch.hpp"
#include <cmath>
#include <string>
#include <vector>

using namespace holdfast;

namespace {

Results run(const std::string& parameters, const std::filesystem::path& directory) {
  const auto campaign = parse_campaign(
      "[campaign]\nname = 'x'\ndomain = 'walk'\nscenarios = 40\nstrategies = ['steady', 'bold']\n"
      "baseline = 'steady'\n[parameters]\n" +
          parameters,
      "x.toml", ".", fake::known());
  REQUIRE(campaign);
  REQUIRE(run_campaign(*campaign, directory));
  return Results::open(directory).value();
}

}  // namespace

TEST_CASE("marginals: one per value of each swept parameter and one over everything") {
  const Scratch scratch;
  const Results results = run("steps = [5, 10]\nstride = [1, 2, 4]\n", scratch / "r");
  const auto marginals = ratio_marginals(results, 0, 1);
  REQUIRE(marginals);
  REQUIRE(marginals->size() == 2 + 3 + 1);
  CHECK((*marginals)[0].pairs == 120);
  CHECK((*marginals)[2].axis == 1);
  CHECK((*marginals)[2].pairs == 80);
  CHECK_FALSE(marginals->back().axis);
  CHECK(marginals->back().pairs == 240);

  const std::vector<std::string> by = {"steps"};
  const auto groups = group_ratios(results, "length", "steady", "bold", by);
  REQUIRE(groups);
  CHECK((*marginals)[1].geometric_mean ==
        doctest::Approx((*groups)[1].ratios.ratios().mean().value()).epsilon(1e-14));
}

TEST_CASE("marginals: cells that saw the same realisation count once in the interval") {
  const Scratch scratch;
  // The ratio does not depend on the stride: three points give no more information than one.
  const auto one =
      ratio_marginals(run("steps = 10\nstride = [1]\n", scratch / "one"), 0, 1).value();
  const auto three =
      ratio_marginals(run("steps = 10\nstride = [1, 2, 4]\n", scratch / "three"), 0, 1).value();
  CHECK(three.back().pairs == 3 * one.back().pairs);
  CHECK((*three.back().interval)[0] == doctest::Approx((*one.back().interval)[0]).epsilon(1e-12));
  CHECK((*three.back().interval)[1] == doctest::Approx((*one.back().interval)[1]).epsilon(1e-12));
}

TEST_CASE("marginals: points at which a run was given up are left out, and counted") {
  const Scratch scratch;
  // Of walks of 4 strides of mean 1 some are longer than 9; of those of a thousandth none is.
  const Results results = run("steps = 4\nlimit = 9\nstride = [0.001, 0.002, 1]\n", scratch / "r");
  const auto marginals = ratio_marginals(results, 0, 1);
  REQUIRE(marginals);
  CHECK(marginals->back().pairs == 80);
  CHECK(marginals->back().left_out == 1);
  CHECK((*marginals)[0].left_out == 0);
  CHECK((*marginals)[2].pairs == 0);
  CHECK_FALSE((*marginals)[2].geometric_mean);
}
