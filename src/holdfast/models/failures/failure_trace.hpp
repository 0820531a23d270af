#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/kernel/random.hpp"
#include "holdfast/models/failures/ages.hpp"
#include "holdfast/models/failures/tabulated_law.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace holdfast {

/// One failure of one processor, which is new again from that date on.
struct Failure {
  double date = 0;  ///< date of the failure, seconds on the trace's clock
  /// Date of the processor's previous renewal in seconds. Before its first failure this is minus its age at date 0.
  double renewed = 0;
  std::uint32_t processor = 0;  ///< number of the processor, from 0
  std::int32_t previous = -1;   ///< position of its previous failure in the trace; -1: none

  friend bool operator==(const Failure&, const Failure&) = default;
};

/// A failure that a document fixes: a date and a processor.
struct FailureEvent {
  double date = 0;             ///< date of the failure, seconds
  std::int64_t processor = 0;  ///< number of the processor, from 0
  double repair = -1;          ///< length of the repair, seconds; negative: not given
};

/// The failures of a platform in order of date (then processor): one renewal process per processor, independent of the job. The
/// trace is drawn in stages, only as far as a caller looks, so it may be endless. Its content depends only on key, law and
/// platform, never on who asked for how much.
///
/// Each processor has its own stream (key.entity = processor) and takes one uniform number per lifetime. The number of
/// processors that fail for the first time in a stage is binomial and is drawn from a stream of the stage. These processors get
/// the next free numbers, which is as good as any other numbering because processors of one age are exchangeable. The cost
/// grows with the failures and the groups of ages, not with the processors. This thinning by first failures is exact.
class FailureTrace {
 public:
  /// The horizon of an endless trace.
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  /// Draws the trace of a platform whose processors are all new at date 0.
  /// @param horizon  there are no failures at or after this date, seconds
  /// @pre 1 <= processors < 2^32
  [[nodiscard]] static FailureTrace sample(std::shared_ptr<const TabulatedLaw> law,
                                           std::int64_t processors, const StreamKey& key,
                                           double horizon = kNever);
  /// Draws the trace of processors that have an age at date 0, numbered in the order of `groups`. Their first lifetimes are
  /// residual lifetimes, given that they have survived so far.
  [[nodiscard]] static FailureTrace sample(std::shared_ptr<const TabulatedLaw> law,
                                           std::span<const AgeGroup> groups, const StreamKey& key,
                                           double horizon = kNever);
  /// Draws the trace of a platform on which each failure renews all processors (option `rejuvenation: all`): one renewal
  /// process of cumulative hazard p H(x). All failures are recorded as failures of processor 0.
  /// @param age  age of all processors at date 0, seconds
  [[nodiscard]] static FailureTrace sample_rejuvenated(std::shared_ptr<const TabulatedLaw> law,
                                                       std::int64_t processors, double age,
                                                       const StreamKey& key,
                                                       double horizon = kNever);
  /// Makes a trace from failures that a document fixes, for processors whose ages at date 0 are those of `groups` (numbered in
  /// that order). Dates must be >= 0, sorted and below the horizon. Otherwise the error's place is the position of the event,
  /// "/3/0", which the caller completes.
  [[nodiscard]] static Result<FailureTrace> given(std::span<const AgeGroup> groups,
                                                  std::span<const FailureEvent> events,
                                                  double horizon = kNever);

  /// Makes a trace that another source draws.
  /// @param more  appends failures in order of date; returns a date before which there are no others then
  [[nodiscard]] static FailureTrace fed(std::span<const AgeGroup> groups,
                                        std::function<double(std::vector<Failure>&)> more);

  /// Draws the trace up to failure number `index`; returns false if there is none before the horizon.
  bool reach(std::size_t index) { return index < failures_.size() || draw_until_index(index); }
  /// Draws all failures below that date (and perhaps more).
  void reach_date(double date);

  /// Returns the failures drawn so far. reach() adds to them, which makes earlier spans invalid.
  [[nodiscard]] std::span<const Failure> failures() const { return failures_; }
  /// Returns the number of failures before `date`, which is the position of the first failure at or after it.
  [[nodiscard]] std::size_t index_at(double date);

  /// Returns the date from which on there are no failures, in seconds.
  [[nodiscard]] double horizon() const { return horizon_; }
  /// Returns the number of processors of the platform.
  [[nodiscard]] std::int64_t processors() const { return processors_; }
  /// Returns true if each failure renews all processors.
  [[nodiscard]] bool rejuvenates_all() const { return rejuvenates_all_; }
  /// Returns the ages at date 0, in order of processor number.
  [[nodiscard]] std::span<const AgeGroup> initial_groups() const { return groups_; }

  /// Returns the position of a processor's group in initial_groups().
  /// @pre processor < processors()
  [[nodiscard]] std::size_t group_of(std::uint32_t processor) const;

  /// Returns the ages at a date if only the first `seen` failures have happened. Cost: O(seen log seen).
  /// @pre `seen` failures have been drawn; date >= the last of them
  [[nodiscard]] Ages ages_at(std::size_t seen, double date) const;
  /// Returns the ages at a date if all failures before it have happened.
  [[nodiscard]] Ages ages_at(double date) { return ages_at(index_at(date), date); }

 private:
  /// A processor that has failed or will fail in the current stage.
  struct Slot {
    double next;     ///< date of its next failure, seconds
    double renewed;  ///< date of its last renewal, seconds
    std::uint32_t processor;
    std::uint32_t draws;     ///< uniforms taken from its stream
    std::int32_t last = -1;  ///< position of its last failure in the trace
  };

  FailureTrace() = default;
  void set_groups(std::span<const AgeGroup> groups);
  [[nodiscard]] StreamKey key_of(std::uint64_t entity) const;
  bool draw_until_index(std::size_t index);
  void draw_stage();
  void draw_first_failures(double begin, double end);
  void draw_renewals(double end);
  void draw_platform(double end);
  void emit(double date, double renewed, std::uint32_t processor, std::size_t slot);
  void sort_and_link(std::size_t first);

  std::function<double(std::vector<Failure>&)> more_;  ///< the source, if it is another one
  std::shared_ptr<const TabulatedLaw> law_;
  StreamKey key_;
  double horizon_ = kNever;
  double known_until_ = 0;
  std::int64_t processors_ = 0;
  std::uint32_t stage_ = 0;
  bool rejuvenates_all_ = false;
  std::vector<AgeGroup> groups_;
  std::vector<std::int64_t> group_ends_;  ///< [groups] the number after the group's last processor
  std::vector<std::int64_t> failed_;      ///< [groups] processors that have failed at least once
  std::vector<Slot> slots_;
  std::vector<Failure> failures_;
};

}  // namespace holdfast
