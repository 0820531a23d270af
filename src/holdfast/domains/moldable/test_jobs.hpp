#pragma once

#include "holdfast/domains/moldable/instance.hpp"
#include "holdfast/domains/moldable/simulate.hpp"
#include "holdfast/domains/moldable/strategies.hpp"
#include "holdfast/domains/moldable/validate.hpp"
#include "holdfast/kernel/random.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace holdfast::moldable {

/// The shape of random problems for the tests of this folder.
struct RandomShape {
  std::int64_t jobs = 5;
  std::int64_t processors = 10;
  bool tables = true;  ///< true: some of the jobs are tables
  bool failures = false;
};

inline Speedup random_speedup(Stream& random, std::int64_t processors, bool tables) {
  const double work =
      random.chance(0.3) ? static_cast<double>(random.integer(1, 100)) : random.uniform(1, 1000);
  const double fraction = random.uniform() * random.uniform();
  const double overhead = random.uniform(0, work / 20);
  const std::int64_t cap = random.integer(1, processors + 3);
  switch (random.integer(0, tables ? 5 : 4)) {
    case 0:
      return Speedup::roofline(work, cap);
    case 1:
      return Speedup::communication(work, overhead);
    case 2:
      return Speedup::amdahl(work, fraction);
    case 3:
      return Speedup::mix(work, cap, fraction, overhead);
    case 4:
      return Speedup::power(work, random.uniform());
    default:
      break;
  }
  std::vector<double> times;
  for (std::int64_t p = 1; p <= processors; ++p) {
    times.push_back(work / (1 + static_cast<double>(p) * random.uniform()));
  }
  return Speedup::table(std::move(times));
}

inline Instance random_instance(Stream& random, const RandomShape& shape) {
  Instance out;
  out.processors = shape.processors;
  for (std::int64_t job = 0; job < shape.jobs; ++job) {
    out.jobs.push_back(random_speedup(random, shape.processors, shape.tables));
    if (shape.failures) out.failures.push_back(random.chance(0.4) ? random.integer(0, 5) : 0);
  }
  return out;
}

inline std::unique_ptr<Strategy> strategy(std::string_view text, const Instance& instance) {
  const auto table = strategies();
  return make_strategy(parse_strategy(text, table).value(), instance).value();
}

/// What a run gave.
struct Run {
  Metrics metrics;
  std::vector<Attempt> attempts;
  std::vector<std::int64_t> failures;
};

/// Runs a strategy on an instance, under the errors that it fixes or else those of that key. Throws if the validator rejects the
/// schedule.
inline Run run(const Instance& instance, std::string_view text,
               const StreamKey& key = {.purpose = Purpose::failures}) {
  const auto rule = strategy(text, instance);
  const PreparedInstance prepared(instance);
  Simulator simulator(prepared, *rule);
  ErrorRealisation errors = errors_of(prepared, key);
  const std::optional<Strikes> strikes = errors.strikes();
  Run out;
  out.metrics = simulator.run(errors, &out.attempts);
  out.failures = errors.failures();
  const Status valid =
      validate(instance, out.failures, out.attempts, rule->is_batched(), rule->may_wait(), strikes);
  if (!valid) throw std::runtime_error(valid.error().text());
  return out;
}

/// The mean makespan of many runs, and its standard error, in seconds.
struct MeanMakespan {
  double mean = 0, error = 0;
};
inline MeanMakespan mean_makespan(const Instance& instance, std::string_view text,
                                  std::uint64_t runs) {
  double sum = 0, squares = 0;
  for (std::uint64_t k = 0; k < runs; ++k) {
    const double end =
        run(instance, text, {.purpose = Purpose::failures, .scenario = k}).metrics.makespan;
    sum += end;
    squares += end * end;
  }
  const double count = static_cast<double>(runs), mean = sum / count;
  return {mean, std::sqrt((squares / count - mean * mean) / count)};
}

}  // namespace holdfast::moldable
