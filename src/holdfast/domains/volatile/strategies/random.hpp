#pragma once

#include "holdfast/domains/volatile/instance.hpp"
#include "holdfast/domains/volatile/strategy.hpp"
#include "holdfast/kernel/random.hpp"

namespace holdfast::volatile_workers {

/// A builder that gives each task to a random worker that is up and has capacity left. Source: Casanova et al. 2012, RANDOM.
class Random final : public Builder {
 public:
  Random(const Instance& instance, Stream stream) : instance_{&instance}, stream_{stream} {}
  [[nodiscard]] bool build(const Situation& situation, Assignment& assignment) override;

 private:
  const Instance* instance_;
  Stream stream_;
  std::vector<std::size_t> open_;
};

}  // namespace holdfast::volatile_workers
