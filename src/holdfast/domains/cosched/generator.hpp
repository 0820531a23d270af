#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/cosched/instance.hpp"
#include "holdfast/kernel/random.hpp"

#include <cstdint>
#include <span>

namespace holdfast::cosched {

/// Parameters of the source's random instances: data uniform in [minimum_data, maximum_data]. Times are in seconds.
/// Source: the co-scheduling report, section 6.1.
struct GeneratorParameters {
  std::int64_t tasks = 100;
  double minimum_data = 1.5e6;
  double maximum_data = 2.5e6;
  double sequential_fraction = MLogProfile{}.sequential_fraction;
  std::int64_t processors = 1000;
  double mtbf = Instance{}.mtbf;
  double downtime = Instance{}.downtime;
  double checkpoint_unit_cost = Instance{}.checkpoint_unit_cost;
  double redistribution_unit_cost = Instance{}.redistribution_unit_cost;
  bool fault_free = false;
};

[[nodiscard]] Instance generate(const GeneratorParameters& parameters, Stream stream);

/// Returns an instance of the reduction from 3-partition: numbers that sum to m B in m triplets, each between B/4 and B/2. A
/// schedule of length max + 1 exists if and only if they can be split into triplets of sum B.
/// @returns the instance; bad_value if the numbers do not fit. Source: the co-scheduling report, Theorem 2 and Figure 4.
[[nodiscard]] Result<Instance> three_partition(std::span<const double> numbers);

/// Returns 3m numbers that can be split into triplets of sum B, for the generator of worst cases.
[[nodiscard]] std::vector<double> partition_numbers(std::int64_t triplets, Stream stream);

}  // namespace holdfast::cosched
