#pragma once

#include "holdfast/domains/moldable/instance.hpp"
#include "holdfast/inputs/logged_sizes.hpp"
#include "holdfast/kernel/random.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace holdfast::moldable {

/// The job families of the published experiments. The two mixes differ only in their overheads.
enum class Family : std::uint8_t { roofline, communication, amdahl, mix_low_com, mix, power };

/// The names of the families, in the same order.
inline constexpr auto kFamilies = std::to_array<std::string_view>(
    {"roofline", "communication", "amdahl", "mix-low-com", "mix", "power"});

struct GeneratorParameters {
  Family model = Family::amdahl;
  std::int64_t jobs = 500;
  std::int64_t processors = 7500;
  ErrorModel error_model = ErrorModel::work;
  double error_rate = 1e-7;  ///< errors per second of work on one processor
  double checkpoint = 0;     ///< seconds, as in Instance
  double recovery = 0;       ///< seconds
  /// Jobs of the families amdahl and mix: their sequential fraction, instead of a random one.
  std::optional<double> sequential_fraction = {};
  std::shared_ptr<const LoggedSizes> log = {};  ///< jobs of a log; null: random ones
  std::optional<Speedup> speedup =
      {};  ///< the shape of the speedup of every job of the log; nothing: that of random jobs
  LoggedReleases releases = LoggedReleases::at_once;  ///< of the jobs of the log
};

/// Returns the number of jobs of an instance.
[[nodiscard]] std::int64_t jobs_of(const GeneratorParameters& parameters);

/// Draws random jobs: work uniform in [5000, 4000000] s; roofline bound whole, uniform in [100, 4000]; overhead u 2^r with u in
/// [1, 2] and r whole in [0, 3]; sequential fraction u 10^-r with u in [0, 10] and r whole in [2, 7]; `mix` has three times the
/// overhead of `mix-low-com`; exponent uniform in [0, 1]. A job depends only on the seed, the instance and its own position:
/// its work is the same with more jobs or another family. Source: Perotin's thesis, section 2.6.1.
///
/// With a log, the jobs are those of the log from a random one on, in its order and at most all. Each has the speedup of such a random
/// job, or the given one, stretched so that it takes its logged time on its logged processors, which are also its given allocation.
[[nodiscard]] Instance generate(const GeneratorParameters& parameters, std::uint64_t seed,
                                std::uint64_t instance);

}  // namespace holdfast::moldable
