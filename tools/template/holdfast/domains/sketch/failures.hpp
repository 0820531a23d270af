#pragma once

#include "holdfast/contract/domain.hpp"
#include "holdfast/domains/sketch/instance.hpp"
#include "holdfast/kernel/random.hpp"

#include <cstddef>

namespace holdfast::sketch {

/// The failures of one scenario, in order: those of the instance, or drawn as they are asked for.
/// The instance must outlive it.
class Failures {
 public:
  Failures(const Instance& instance, const Draw& draw);

  /// Date of the first failure that was not passed yet, in seconds; infinity where there is none.
  [[nodiscard]] double next() const { return next_; }
  /// Goes on to the failure after it.
  void pass();

 private:
  const Instance& instance_;
  Stream stream_;
  std::size_t passed_ = 0;
  double next_ = 0;
};

}  // namespace holdfast::sketch
