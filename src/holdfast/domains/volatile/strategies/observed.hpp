#pragma once

#include "holdfast/domains/volatile/instance.hpp"
#include "holdfast/domains/volatile/strategy.hpp"

namespace holdfast::volatile_workers {

/// Rules that need no probabilities, only what was seen so far: what the source's conclusion asks
/// to be compared with. All give each task to the best worker that is up and has room, and break
/// ties by (x + 1) w, then by index.
class Observed final : public Builder {
 public:
  enum class Prefer : std::uint8_t {
    fastest,         ///< smallest (x + 1) w
    most_available,  ///< largest share of slots up so far
    longest_up,      ///< longest present stretch of up
    threshold,  ///< fastest among those up for at least a share of the slots so far; all if none
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
