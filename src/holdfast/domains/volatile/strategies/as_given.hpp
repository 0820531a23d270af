#pragma once

#include "holdfast/domains/volatile/instance.hpp"
#include "holdfast/domains/volatile/strategy.hpp"

namespace holdfast::volatile_workers {

/// A builder that uses the instance's assignment as soon as all of its workers are up.
class AsGiven final : public Builder {
 public:
  explicit AsGiven(const Instance& instance) : instance_{&instance} {}
  [[nodiscard]] bool build(const Situation& situation, Assignment& assignment) override;

 private:
  const Instance* instance_;
};

}  // namespace holdfast::volatile_workers
