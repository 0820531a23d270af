#include "holdfast/domains/moldable/strategies/lpa.hpp"

#include "holdfast/domains/moldable/generator.hpp"
#include "holdfast/domains/moldable/strategies/lpa_ratio.hpp"
#include "holdfast/domains/moldable/test_jobs.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace holdfast::moldable {

TEST_CASE("V1: allocations of single jobs") {
  struct Row {
    const char* why;
    Speedup job;
    std::int64_t processors;
    std::int64_t fastest;
    double least_time;
    std::int64_t lpa;
    std::int64_t ratio;
  };
  const Row rows[] = {
      {"roofline", Speedup::roofline(100, 5), 16, 5, 20, 5, 5},
      {"roofline", Speedup::roofline(100, 5), 64, 5, 20, 5, 5},
      {"communication", Speedup::communication(100, 1), 16, 10, 19, 7, 5},
      {"communication", Speedup::communication(100, 1), 64, 10, 19, 7, 5},
      {"communication, 3 ties", Speedup::communication(6, 1), 16, 2, 4, 2, 1},
      {"communication, 3 ties", Speedup::communication(6, 1), 64, 2, 4, 2, 1},
      {"communication, 4 ties", Speedup::communication(12, 1), 16, 3, 6, 3, 2},
      {"communication, 4 ties", Speedup::communication(12, 1), 64, 3, 6, 3, 2},
      {"amdahl", Speedup::amdahl(100, 0.05), 16, 16, 10.9375, 16, 9},
      {"amdahl", Speedup::amdahl(100, 0.05), 64, 64, 6.484375, 21, 15},
      {"mix", Speedup::mix(100, 8, 0.05, 0.5), 16, 8, 20.375, 8, 5},
      {"mix", Speedup::mix(100, 8, 0.05, 0.5), 64, 8, 20.375, 8, 5},
      {"power, exactly at the bound", Speedup::power(100, 0.5), 16, 16, 25, 4, 4},
      {"power", Speedup::power(100, 0.5), 64, 64, 12.5, 8, 8},
  };
  for (const Row& row : rows) {
    CAPTURE(row.why);
    CAPTURE(row.processors);
    const Limits bounds = limits(row.job, row.processors);
    CHECK(bounds.fastest == row.fastest);
    CHECK(bounds.time == doctest::Approx(row.least_time).epsilon(1e-14));
    const double alpha = default_alpha(row.job.model(), row.processors);
    CHECK(lpa(row.job, bounds, row.processors, alpha) == row.lpa);
    CHECK(lpa_ratio(row.job, bounds, row.processors) == row.ratio);
  }
}

TEST_CASE("lpa and lpa-ratio: fast forms equal the scan") {
  for (std::uint64_t k = 0; k < 6000; ++k) {
    CAPTURE(k);
    Stream random({.instance = k});
    const std::int64_t processors = random.integer(1, 500);
    const Speedup job = random_speedup(random, processors, true);
    const Limits bounds = limits(job, processors);
    const double alpha =
        random.chance(0.5) ? default_alpha(job.model(), processors) : random.uniform(1, 4);
    CAPTURE(std::string(name(job.model())));
    REQUIRE(lpa(job, bounds, processors, alpha) == lpa_by_scan(job, bounds, processors, alpha));
    REQUIRE(lpa_ratio(job, bounds, processors) == lpa_ratio_by_scan(job, bounds, processors));
    Instance one;
    one.processors = processors;
    one.jobs = {job};
    one.error_model = random.chance(0.5) ? ErrorModel::area : ErrorModel::fail_stop;
    one.error_rate = std::pow(10.0, random.uniform(-5, -2));
    const Limits most = limits_for_strategies(one).front();
    REQUIRE(lpa(job, most, processors, alpha, one.errors()) ==
            lpa_by_scan(job, most, processors, alpha, one.errors()));
    REQUIRE(lpa_ratio(job, most, processors, one.errors()) ==
            lpa_ratio_by_scan(job, most, processors, one.errors()));
  }
}

TEST_CASE("lpa and lpa-ratio: fast forms equal the scan on jobs of the experiments") {
  for (std::size_t family = 0; family < kFamilies.size(); ++family) {
    CAPTURE(std::string(kFamilies[family]));
    const Instance instance =
        generate({.model = static_cast<Family>(family), .jobs = 60, .processors = 7500}, 1, 0);
    for (std::size_t j = 0; j < instance.size(); ++j) {
      const Speedup& job = instance.jobs[j];
      const Limits bounds = limits(job, 7500);
      const double alpha = default_alpha(job.model(), 7500);
      REQUIRE(lpa(job, bounds, 7500, alpha) == lpa_by_scan(job, bounds, 7500, alpha));
      REQUIRE(lpa_ratio(job, bounds, 7500) == lpa_ratio_by_scan(job, bounds, 7500));
    }
  }
}

}  // namespace holdfast::moldable
