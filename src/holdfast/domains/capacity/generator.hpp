#pragma once

#include "holdfast/domains/capacity/instance.hpp"
#include "holdfast/kernel/random.hpp"
#include "holdfast/models/workload/three_partition.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast::capacity {

/// The synthetic job families. Source: Perotin's thesis, section 4.6.1, and the author's simulator for profile `author`.
enum class Family : std::uint8_t { uniform, log_scale, log_scale_u, three_types };
inline constexpr auto kFamilies =
    std::to_array<std::string_view>({"uniform", "log-scale", "log-scale-u", "three-types"});

/// The parameters of drawn jobs and of a drawn capacity.
struct GeneratorParameters {
  Family family = Family::uniform;
  /// Number of jobs in [0, end); profile `author`: per week, over three weeks.
  std::int64_t jobs = 20000;
  std::int64_t mean_machines = 24;  ///< M_avg
  std::int64_t machine_range = 8;   ///< M_ra: M+ = M_avg + M_ra, M- = M_avg - M_ra
  std::optional<std::int64_t> walk_step =
      {};                      ///< by how many machines it changes; default: M_ra / 4, rounded down
  std::int64_t period = 1200;  ///< phi: seconds between changes of the capacity
  std::int64_t cores = 24;     ///< N
  std::int64_t begin = 604800;  ///< window [begin, end), seconds
  std::int64_t end = 1814400;
  Profile profile = Profile::standard;
};

/// Returns the capacity over [0, end): in each period one step up, down or (in the text's reading) none, within the range.
[[nodiscard]] std::vector<Step> resource_walk(const GeneratorParameters& parameters, Stream stream);

/// Returns the jobs of the family. The reference of profile `author` is another draw of the same generator.
[[nodiscard]] std::vector<Job> synthetic_jobs(const GeneratorParameters& parameters, Stream stream);

/// Returns the mean length of the synthetic jobs in seconds, with which 26 machines of 24 cores are always busy. (The value
/// that the thesis prints leaves out the cores of a job and the third week, and loads 60 machines.) Profile `author` has its
/// own.
[[nodiscard]] double mean_length(const GeneratorParameters& parameters);

/// Returns capacity and jobs of one instance and scenario. The jobs depend only on the instance, the capacity on both.
[[nodiscard]] Instance generate(const GeneratorParameters& parameters, std::uint64_t seed,
                                std::uint64_t instance, std::uint64_t scenario);
/// Returns only the capacity of generate().
[[nodiscard]] std::vector<Step> generate_walk(const GeneratorParameters& parameters,
                                              std::uint64_t seed, std::uint64_t instance,
                                              std::uint64_t scenario);

/// Returns the reduction from 3-partition: n one-core machines and 3n jobs at time 0, whose lengths are the numbers and add up
/// to n B. The machines are alive on [0, B), and off until B + K B. Source: Theorem 19.
/// @param gap  K
/// @returns bad_value if the numbers do not fit
[[nodiscard]] Result<Instance> three_partition(std::span<const std::int64_t> numbers,
                                               std::int64_t gap);

/// Returns the numbers of n planted triplets, in random order.
[[nodiscard]] std::vector<PlantedNumber> partition_numbers(std::int64_t triplets, Stream stream);
/// Adds the schedule of the proof for strategy `as-given`: each triplet has a machine, and ends when the outage begins.
/// @param instance  the result of three_partition() for these numbers
void place_triplets(std::span<const PlantedNumber> numbers, Instance& instance);

}  // namespace holdfast::capacity
