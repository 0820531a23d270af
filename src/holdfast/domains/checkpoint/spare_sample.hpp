#pragma once

#include "holdfast/domains/checkpoint/spare_count.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace holdfast::checkpoint {

/// What numbers of spares are worth by simulation, for laws and repairs without a closed form: draws of the platform in its steady
/// state, or from the job's start if the job is shorter than five mean repairs. All numbers of spares see the same draws.
class SampledSpares {
 public:
  /// Prepares the draws.
  /// @param repair_factor, repair_failure  as for closed_forms()
  SampledSpares(const Instance& instance, double repair_factor, double repair_failure,
                std::uint64_t seed);

  /// Returns the means of the draws.
  [[nodiscard]] SpareRow row(std::int64_t spares);
  /// Returns the 95 % interval of the smallest number of spares with that share of the time: draws are drawn with replacement.
  /// @param needed  the number by all draws
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> interval(double share, std::int64_t needed);

  /// Number of draws.
  static constexpr int kDraws = 100;

 private:
  struct Sample {
    std::vector<double> full;  ///< [draws] share of the time
    SpareRow means;
  };
  const Sample& sample(std::int64_t spares);

  Instance job_;
  std::shared_ptr<const TabulatedLaw> law_;
  std::uint64_t seed_;
  double from_ = 0;  ///< what comes before is left out, seconds
  double to_ = 0;
  std::map<std::int64_t, Sample> samples_;
};

}  // namespace holdfast::checkpoint
