#pragma once

#include "holdfast/models/failures/failure_trace.hpp"
#include "holdfast/models/failures/hazard_curve.hpp"
#include "holdfast/models/failures/tabulated_law.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace holdfast {

/// Processors with the same renewal date. A negative weight subtracts them.
struct Renewals {
  double date = 0;    ///< date of the renewal, seconds
  double weight = 1;  ///< number of processors, negative to subtract them
};

/// A platform at one epoch of its trace: a table of the hazard of all processors that were renewed before the latest few
/// failures, and the processors that never failed.
struct RenewalEpoch {
  std::size_t begin = 0;   ///< the epoch includes all failures before this one
  double date = 0;         ///< date of the table's x = 0, seconds
  double youngest = 0;     ///< smallest age in the table at that date, seconds
  bool has_table = false;  ///< true if the table contains any processors
  HazardCurve table;       ///< hazard from that date on
  /// Processors that never failed, per initial group, if there are few such groups; otherwise they are in the table.
  std::vector<Renewals> never_failed;
};

/// The epochs of a trace, one every 8 failures, each made when it is first needed. An epoch sums over at most a few hundred
/// bins of ages, so it costs 20 to 40 microseconds; the bins themselves are recounted every 1024 failures. See decision 0010.
class RenewalEpochs {
 public:
  /// Prepares for a trace. Law and trace must outlive this object.
  RenewalEpochs(const TabulatedLaw& law, const FailureTrace& trace) : law_{law}, trace_{trace} {}

  /// Returns the latest epoch that the first `seen` failures reach; it is valid until the next call and depends only on the
  /// trace and `seen`.
  /// @pre `seen` failures of the trace have been drawn
  [[nodiscard]] const RenewalEpoch& before(std::size_t seen);

  /// Returns true if failure i is the processor's last one among the first `seen`.
  [[nodiscard]] bool is_latest(std::size_t i, std::size_t seen) const { return ended_[i] >= seen; }

 private:
  /// A count of all renewals before a failure, binned by age.
  struct Census {
    std::size_t begin = 0;
    std::vector<Renewals> bins;
    std::vector<std::int64_t> failed;  ///< per initial group: processors that are no longer new
  };

  void follow_trace();
  [[nodiscard]] const Census& census_before(std::size_t begin);
  void build(RenewalEpoch& epoch, std::size_t index);

  const TabulatedLaw& law_;
  const FailureTrace& trace_;
  std::vector<std::uint32_t> ended_;  ///< per failure: the next one of the same processor
  std::vector<std::unique_ptr<Census>> censuses_;
  std::vector<std::unique_ptr<RenewalEpoch>> epochs_;
  std::size_t kept_ = 0;  ///< number of epochs that exist
};

}  // namespace holdfast
