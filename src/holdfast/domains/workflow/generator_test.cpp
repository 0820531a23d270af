#include "holdfast/domains/workflow/generator.hpp"

#include "holdfast/domains/workflow/failure_free.hpp"
#include "holdfast/domains/workflow/length_law.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace holdfast;
using namespace holdfast::workflow;

namespace {

Generated drawn(Family family, std::int64_t tasks, std::uint64_t seed = 1) {
  return generate({.family = family, .tasks = tasks, .scale = Scale::none}, seed, 0);
}

}  // namespace

TEST_CASE("generator: sizes that the recipes give for 50 000 tasks") {
  struct Row {
    Family family;
    std::size_t low, high;
  };
  const Row rows[] = {
      {Family::blast, 50'000, 50'000},       {Family::bwa, 50'000, 50'000},
      {Family::seismology, 50'000, 50'000},  {Family::srasearch, 51'000, 51'000},
      {Family::cycles, 45'477, 45'477},      {Family::genome, 49'984, 49'984},
      {Family::epigenomics, 40'000, 50'000}, {Family::montage, 12'000, 50'000},
      {Family::soykb, 49'950, 50'050},
  };
  for (const Row& row : rows) {
    CAPTURE(static_cast<int>(row.family));
    const Generated workflow = drawn(row.family, 50'000);
    CHECK(workflow.lengths.size() >= row.low);
    CHECK(workflow.lengths.size() <= row.high);
    CHECK(workflow.graph.duplicates() == 0);
    CHECK(std::ranges::min(workflow.lengths) > 0);
  }
}

TEST_CASE("generator: the smallest workflow of every family, and a few beyond") {
  for (std::size_t family = 0; family < kFamilyNames.size(); ++family) {
    CAPTURE(kFamilyNames[family]);
    const auto kind = static_cast<Family>(family);
    for (std::int64_t extra = 0; extra < 40; ++extra) {
      for (std::uint64_t seed = 1; seed < 4; ++seed) {
        const Generated workflow = drawn(kind, least_tasks(kind) + extra, seed);
        CHECK(workflow.lengths.size() == workflow.graph.size());
        CHECK(workflow.lengths.size() >= 3);
      }
    }
  }
}

TEST_CASE("generator: shapes of small workflows") {
  // blast: split, then n - 3, each before both gathering tasks.
  const Generated blast = drawn(Family::blast, 10);
  CHECK(blast.graph.size() == 10);
  CHECK(blast.graph.edges() == 7 + 2 * 7);
  CHECK(blast.name(1) == "blastall_00000002");
  // seismology: n - 1 before one.
  CHECK(drawn(Family::seismology, 10).graph.edges() == 9);
  // bwa: two before n - 4, each before both.
  CHECK(drawn(Family::bwa, 10).graph.edges() == 2 * 6 + 2 * 6);
  // srasearch, k = 24: 24 dumps and bowtie2, the build, one merge; with 26 two merges and a last one.
  CHECK(drawn(Family::srasearch, 50).graph.size() == 2 * 24 + 2);
  CHECK(drawn(Family::srasearch, 54).graph.size() == 2 * 26 + 1 + 3);
  // cycles of 7: one chain of four, three summaries.
  CHECK(drawn(Family::cycles, 7).graph.size() == 7);
  CHECK(drawn(Family::cycles, 7).graph.edges() == 7 - 1);
  // genome of 5: one of each.
  CHECK(drawn(Family::genome, 5).graph.size() == 5);
  CHECK(drawn(Family::montage, 133).graph.size() == 133);
}

TEST_CASE("generator: scaled workflows take what was asked for, at the point of the experiments") {
  for (const Scale scale : {Scale::large, Scale::small}) {
    const Generated workflow =
        generate({.family = Family::blast, .tasks = 50'000, .scale = scale}, 3, 1);
    Instance instance;
    instance.processors = 16'384;
    instance.graph = workflow.graph;
    instance.lengths = workflow.lengths;
    const double days = failure_free_schedule(instance).makespan / 86400;
    CHECK(days >= (scale == Scale::large ? 3 : 15.0 / 24) * (1 - 1e-9));
    CHECK(days <= (scale == Scale::large ? 5 : 1) * (1 + 1e-9));
  }
  // The factor is kept when the size varies.
  const Generated small = generate({.family = Family::blast, .tasks = 100}, 3, 1);
  const Generated unscaled =
      generate({.family = Family::blast, .tasks = 100, .scale = Scale::none}, 3, 1);
  const Generated large = generate({.family = Family::blast, .tasks = 50'000}, 3, 1);
  const Generated measured =
      generate({.family = Family::blast, .tasks = 50'000, .scale = Scale::none}, 3, 1);
  CHECK(small.lengths[1] / unscaled.lengths[1] ==
        doctest::Approx(large.lengths[1] / measured.lengths[1]).epsilon(1e-12));
  FactorCache cache;
  CHECK(generate({.family = Family::blast, .tasks = 100}, 3, 1, &cache).lengths == small.lengths);
  CHECK(cache.size() == 1);
  CHECK(generate({.family = Family::blast, .tasks = 100}, 3, 1, &cache).lengths == small.lengths);
}

TEST_CASE("generator: one workflow per seed and instance, the same each time") {
  const auto lengths = [](std::uint64_t seed, std::uint64_t instance) {
    return generate({.family = Family::genome, .tasks = 200, .scale = Scale::none}, seed, instance)
        .lengths;
  };
  CHECK(lengths(1, 0) == lengths(1, 0));
  CHECK(lengths(1, 0) != lengths(1, 1));
  CHECK(lengths(1, 0) != lengths(2, 0));
}

TEST_CASE("generator: laws have the means that follow from their formulas") {
  struct Row {
    const char* why;
    LengthLaw law;
    double mean, tolerance;
  };
  // The least, 0.1, cuts none of these.
  const Row rows[] = {
      {"constant", {.shape = Shape::constant, .largest = 3, .location = 0, .scale = 1}, 3, 1e-12},
      {"arcsine: half",
       {.shape = Shape::arcsine, .largest = 1, .location = 0.5, .scale = 1},
       1,
       0.01},
      {"triangular: 2/3",
       {.shape = Shape::triangular, .largest = 1, .location = 0.2, .scale = 1},
       0.2 + 2.0 / 3,
       0.01},
      {"argus(0): mean of 3 z sqrt(1 - z^2), 3 pi / 16",
       {.shape = Shape::argus, .largest = 1, .location = 0.2, .scale = 1},
       0.2 + 0.589049,
       0.01},
      {"argus(1.59954)",
       {.shape = Shape::argus, .largest = 1, .location = 0.2, .scale = 1, .a = 1.59954},
       0.2 + 0.664783,
       0.01},
      {"normal", {.shape = Shape::normal, .largest = 1, .location = 5, .scale = 0.5}, 5, 0.02},
      {"beta(2, 6): a quarter",
       {.shape = Shape::beta, .largest = 1, .location = 1, .scale = 1, .a = 2, .b = 6},
       1.25,
       0.01},
      {"arc of order 3: symmetric",
       {.shape = Shape::arc_of_order, .largest = 1, .location = 2, .scale = 1, .a = 3},
       2,
       0.02},
      {"double Weibull: symmetric",
       {.shape = Shape::double_weibull, .largest = 1, .location = 20, .scale = 1, .a = 1.4},
       20,
       0.05},
      {"inverse Gaussian: 1",
       {.shape = Shape::inverse_gaussian, .largest = 1, .location = 1, .scale = 1},
       2,
       0.03},
      {"log-logistic: (pi/c) / sin(pi/c)",
       {.shape = Shape::fisk, .largest = 1, .location = 1, .scale = 1, .a = 4},
       2.110721,
       0.03},
      {"double gamma: symmetric",
       {.shape = Shape::double_gamma, .largest = 1, .location = 20, .scale = 1, .a = 0.5},
       20,
       0.05},
      {"never below a tenth",
       {.shape = Shape::constant, .largest = 3, .location = -5, .scale = 1},
       0.3,
       1e-12},
  };
  for (const Row& row : rows) {
    CAPTURE(row.why);
    Stream stream({.seed = 11, .purpose = Purpose::instance});
    double sum = 0;
    constexpr int kCount = 40'000;
    for (int i = 0; i < kCount; ++i) sum += sample_length(stream, row.law);
    CHECK(std::abs(sum / kCount - row.mean) <= row.tolerance);
  }
}
