#include "holdfast/domains/moldable/balance.hpp"
#include "holdfast/domains/moldable/generator.hpp"
#include "holdfast/domains/moldable/test_jobs.hpp"

#include <doctest/doctest.h>

#include <string>

namespace holdfast::moldable {
namespace {

// A job that takes as long as so many attempts, one after the other on the same processors.
Speedup repeated(const Speedup& job, std::int64_t attempts) {
  const auto n = static_cast<double>(attempts);
  if (job.model() == SpeedupModel::amdahl) {
    return Speedup::amdahl_of_parts(n * job.parallel_work(), n * job.sequential_work());
  }
  return Speedup::mix_of_parts(n * job.parallel_work(), n * job.sequential_work(),
                               job.max_parallelism(), n * job.overhead());
}

struct Foreseen {
  double bound = 0, planned = 0, rolling = 0;  // means, each divided by lower_bound
};

// What a schedule can reach that knows the failures: each job with its failed attempts is one job of an instance without errors.
// That one's relaxed_bound is a bound on every schedule (a chain of attempts may be split between allocations), and its schedule
// by `rolling` is one that foresight allows.
Foreseen foreseen(const GeneratorParameters& point, int sets, int scenarios) {
  Foreseen out;
  for (int set = 0; set < sets; ++set) {
    const Instance instance = generate(point, 21, static_cast<std::uint64_t>(set));
    for (int k = 0; k < scenarios; ++k) {
      const Run blind = run(instance, "rolling",
                            {.seed = 21,
                             .purpose = Purpose::failures,
                             .instance = static_cast<std::uint64_t>(set),
                             .scenario = static_cast<std::uint64_t>(k)});
      Instance known;
      known.processors = instance.processors;
      for (std::size_t job = 0; job < instance.size(); ++job) {
        known.jobs.push_back(repeated(instance.jobs[job], blind.failures[job] + 1));
      }
      const PreparedInstance prepared(known);
      const double bound = relaxed_bound(prepared.state(prepared.all), 1);
      const double planned = run(known, "rolling").metrics.makespan;
      const double least = blind.metrics.lower_bound;
      REQUIRE(bound >= least * (1 - 1e-9));
      REQUIRE(bound <= planned * (1 + 1e-9));
      REQUIRE(bound <= blind.metrics.makespan * (1 + 1e-9));
      out.bound += bound / least / (sets * scenarios);
      out.planned += planned / least / (sets * scenarios);
      out.rolling += blind.metrics.ratio / (sets * scenarios);
    }
  }
  MESSAGE(std::string(kFamilies[static_cast<std::size_t>(point.model)])
          << ", " << point.jobs << " jobs, " << point.processors << " processors: bound "
          << out.bound << ", with foresight " << out.planned << ", rolling " << out.rolling);
  return out;
}

}  // namespace

TEST_CASE("foresight: what it is worth to know the failures, with few processors for each job" *
          doctest::test_suite("slow")) {
  for (const Family model : {Family::amdahl, Family::mix, Family::communication}) {
    for (const auto& [jobs, processors] : {std::pair<std::int64_t, std::int64_t>{100, 1000},
                                           {500, 1000},
                                           {500, 3000},
                                           {500, 7500},
                                           {2000, 7500}}) {
      const Foreseen found =
          foreseen({.model = model, .jobs = jobs, .processors = processors}, 2, 4);
      CHECK(found.planned < found.rolling + 0.02);
    }
  }
}

}  // namespace holdfast::moldable
