#include "holdfast/domains/cosched/generator.hpp"

#include "holdfast/models/workload/three_partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace holdfast::cosched {
namespace {

// Each processor of the proof is a pair here: one time per number of pairs, the same for the odd count and the even one.
Task task_of_pairs(std::string id, std::span<const double> times_of_pairs) {
  std::vector<double> times;
  for (const double time : times_of_pairs) {
    times.push_back(time);
    times.push_back(time);
  }
  return {.id = std::move(id), .data = 2, .profile = Speedup::table(std::move(times))};
}

}  // namespace

Instance generate(const GeneratorParameters& parameters, Stream stream) {
  Instance instance{.processors = parameters.processors,
                    .mtbf = parameters.mtbf,
                    .downtime = parameters.downtime,
                    .checkpoint_unit_cost = parameters.checkpoint_unit_cost,
                    .redistribution_unit_cost = parameters.redistribution_unit_cost,
                    .fault_free = parameters.fault_free,
                    .tasks = {},
                    .failures = {},
                    .given = {}};
  for (std::int64_t i = 0; i < parameters.tasks; ++i) {
    instance.tasks.push_back(
        {.id = fmt::format("{}", i),
         .data = stream.uniform(parameters.minimum_data, parameters.maximum_data),
         .profile = MLogProfile{parameters.sequential_fraction}});
  }
  return instance;
}

Result<Instance> three_partition(std::span<const double> numbers) {
  if (numbers.empty() || numbers.size() % 3 != 0) {
    return fail(ErrorCode::bad_value, "/numbers",
                fmt::format("found {} numbers, expected a multiple of 3", numbers.size()));
  }
  const auto triplets = static_cast<double>(numbers.size() / 3);
  const double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0) / triplets;  // B
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!(numbers[i] > sum / 4 && numbers[i] < sum / 2)) {
      return fail(ErrorCode::bad_value, fmt::format("/numbers/{}", i),
                  fmt::format("found {}, expected a number between {} and {}", numbers[i], sum / 4,
                              sum / 2));
    }
  }
  const double deadline = *std::max_element(numbers.begin(), numbers.end()) + 1;  // D
  Instance instance;
  instance.fault_free = true;
  instance.redistribution_unit_cost = 0;
  instance.processors = static_cast<std::int64_t>(8 * (numbers.size() / 3));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double a = numbers[i];
    instance.tasks.push_back(task_of_pairs(fmt::format("small-{}", i), std::vector{a, 0.75 * a}));
  }
  const double work = 4 * deadline - sum;
  for (std::size_t i = 0; i < numbers.size() / 3; ++i) {
    instance.tasks.push_back(task_of_pairs(
        fmt::format("large-{}", i), std::vector{work, work / 2, work / 3, work / 4, 2 * work / 9}));
  }
  return instance;
}

std::vector<double> partition_numbers(std::int64_t triplets, Stream stream) {
  std::vector<double> numbers;
  for (const PlantedNumber& number : planted_numbers(triplets, stream)) {
    numbers.push_back(static_cast<double>(number.value));
  }
  return numbers;
}

}  // namespace holdfast::cosched
