#pragma once

#include "holdfast/contract/draw.hpp"
#include "holdfast/domains/machine/instance.hpp"
#include "holdfast/kernel/random.hpp"

#include <cstddef>
#include <deque>
#include <vector>

namespace holdfast::machine {

/// The jobs of one scenario: those of the instance, or as many drawn ones as are asked for. All strategies get the same jobs.
class Jobs {
 public:
  /// @param instance  must outlive this object
  Jobs(const Instance& instance, const Draw& draw);

  /// Returns the number of jobs with an arrival date. If jobs are drawn, there are always more.
  [[nodiscard]] std::size_t given() const { return instance_.jobs.size(); }
  [[nodiscard]] bool are_drawn() const { return instance_.draws_jobs(); }
  /// Returns the smallest number of drawn jobs that the queue holds.
  [[nodiscard]] std::size_t queued() const { return 4 * instance_.classes.size(); }
  /// Returns job i in order of arrival, and draws it if necessary. References stay valid.
  [[nodiscard]] const Job& at(std::size_t i);

 private:
  void draw();

  const Instance& instance_;
  Stream stream_;
  std::deque<Job> drawn_;
  std::vector<double> used_;  ///< [classes] node-seconds of the jobs drawn so far
};

}  // namespace holdfast::machine
