#pragma once

#include "holdfast/domains/cosched/expected_time.hpp"
#include "holdfast/domains/cosched/instance.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace holdfast::cosched {

/// The least processor-seconds that one task needs to end within a time. README.md, "How far from what is possible", has the proofs.
///
/// A task either keeps its count j, and then needs t(j) and its checkpoints within that time, or it moves at least once. Then it
/// may use any mixture of counts, but a move keeps at least half of the processor-seconds m r busy, and saves once.
class LeastArea {
 public:
  /// Returns nothing if there are more than 4096 processors and a profile whose hull is not known in closed form.
  [[nodiscard]] static std::optional<LeastArea> of(const Instance& instance, std::size_t task,
                                                   const TaskTimes& times);

  /// Returns the shortest time of the task, without failures and checkpoints.
  [[nodiscard]] double shortest() const { return hull_.front().time; }
  /// Returns the least processor-seconds of every run that ends within that time, whatever fails.
  /// @param time  at least shortest()
  [[nodiscard]] double certain(double time) const;
  /// Returns a function whose mean, at the random times at which a run may have to end, is at most the mean of its
  /// processor-seconds, for every rule that does not know what will fail.
  [[nodiscard]] double expected(double time) const;

 private:
  struct Place {
    double time = 0;
    double area = 0;
  };

  LeastArea(const Instance& instance, std::size_t task, const TaskTimes& times);

  /// Adds a point of the hull, in order of time.
  void add(const Place& place);
  void add_counts(std::int64_t processors);
  void set_line(std::int64_t processors);
  /// Returns the least area of a mixture of counts that takes at most that time.
  [[nodiscard]] double mixed(double time) const;
  /// Returns the least area j t(j) of a count that can be kept to the end; infinite if there is none.
  [[nodiscard]] double kept(double time) const;
  [[nodiscard]] double kept_on_line(double time) const;

  TaskTimes times_;
  bool is_line_ = false;         // the source's profile: j t(j) = constant_ + slope_ j
  std::int64_t processors_ = 0;  // even
  std::vector<Place> hull_;      // from the shortest time to the least area
  std::vector<Place> steps_ =
      {};  // of profiles that are given: real times, and the least area up to each
  double constant_ = 0, slope_ = 0;
  double saved_ = 0;     // C
  double span_ = 0;      // S; infinite without failures
  double move_ = 0;      // least processor-seconds of a move
  double overhead_ = 1;  // kappa
};

}  // namespace holdfast::cosched
