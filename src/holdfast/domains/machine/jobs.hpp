#pragma once

#include "holdfast/contract/draw.hpp"
#include "holdfast/domains/machine/instance.hpp"
#include "holdfast/kernel/random.hpp"

#include <cstddef>
#include <deque>
#include <vector>

namespace holdfast::machine {

/// The jobs of one scenario: the instance's, or as many drawn ones as somebody asks for. Every strategy meets the same.
class Jobs {
 public:
  /// @param instance  must outlive it
  Jobs(const Instance& instance, const Draw& draw);

  /// Jobs that have a date of arrival; of drawn ones there are more, whenever somebody draws them.
  [[nodiscard]] std::size_t given() const { return instance_.jobs.size(); }
  [[nodiscard]] bool are_drawn() const { return instance_.draws_jobs(); }
  /// Drawn jobs that the queue holds at least.
  [[nodiscard]] std::size_t queued() const { return 4 * instance_.classes.size(); }
  /// Job i in order of arrival; drawn where that is needed. References stay valid.
  [[nodiscard]] const Job& at(std::size_t i);

 private:
  void draw();

  const Instance& instance_;
  Stream stream_;
  std::deque<Job> drawn_;
  std::vector<double> used_;  ///< [classes] node-seconds of the jobs drawn so far
};

}  // namespace holdfast::machine
