#pragma once

#include "holdfast/domains/volatile/instance.hpp"
#include "holdfast/domains/volatile/strategy.hpp"

namespace holdfast::volatile_workers {

/// Rules that need no probabilities, only observations so far. The source's conclusion asks for a comparison with such rules.
/// All of them give each task to the best worker that is up and has capacity left, and break ties by (x + 1) w, then by index.
class Observed final : public Builder {
 public:
  enum class Prefer : std::uint8_t {
    fastest,         ///< smallest (x + 1) w
    most_available,  ///< largest share of slots up so far
    longest_up,      ///< longest current period up
    /// Fastest among workers that were up for at least a share of the slots so far; all if there are none.
    threshold,
  };
  Observed(const Instance& instance, Prefer prefer, double threshold)
      : instance_{&instance}, prefer_{prefer}, threshold_{threshold} {}
  [[nodiscard]] bool build(const Situation& situation, Assignment& assignment) override;
  [[nodiscard]] bool watches() const override { return prefer_ != Prefer::fastest; }

 private:
  [[nodiscard]] double rank(const Situation& situation, std::size_t worker) const;

  const Instance* instance_;
  Prefer prefer_;
  double threshold_;
};

}  // namespace holdfast::volatile_workers
