#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/control.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// What a run of a campaign would be.
struct RunEstimate {
  std::uint64_t positions = 0;        ///< points of the design
  std::uint64_t points = 0;           ///< of these, different ones: 5d and 120h are one point
  std::uint64_t cells = 0;            ///< runs of a strategy on a draw
  double core_seconds = 0;            ///< processor time of all cells
  unsigned threads = 1;               ///< that would share it
  std::uint64_t sampled_cells = 0;    ///< that were run and timed for this, and thrown away
  std::uint64_t sampled_points = 0;   ///< at so many points
  std::vector<std::string> warnings;  ///< of the points, each text once

  /// Wall time, if the threads have a core each.
  [[nodiscard]] double seconds() const { return core_seconds / threads; }
};

/// Opens every point, as a run would, and runs the first two draws of at most eight points that are spread evenly over
/// the design, with every strategy; stops that after five seconds. Stores nothing. Errors are those of a run.
[[nodiscard]] Result<RunEstimate> estimate_run(const Campaign& campaign, const Control& control);

/// A cell that was timed.
struct TimedCell {
  std::size_t strategy = 0;
  double seconds = 0;  ///< processor time
};

/// The time of all cells: for each strategy the mean of its timed cells, times as many cells as it has. A strategy of which
/// none was timed takes the mean of all. 0 where none was timed at all.
/// @param cells  of each strategy
[[nodiscard]] double time_of_all(std::span<const TimedCell> timed, std::size_t strategies,
                                 std::uint64_t cells);

}  // namespace holdfast
