#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/control.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// An estimate of how long a campaign will run.
struct RunEstimate {
  std::uint64_t positions = 0;        ///< points of the design
  std::uint64_t points = 0;           ///< different points (5d and 120h are the same point)
  std::uint64_t cells = 0;            ///< runs of a strategy on a draw
  double core_seconds = 0;            ///< processor time of all cells
  unsigned threads = 1;               ///< threads of the run
  std::uint64_t sampled_cells = 0;    ///< cells that were run and timed for the estimate
  std::uint64_t sampled_points = 0;   ///< points to which these cells belong
  std::vector<std::string> warnings;  ///< warnings of the points, each text once

  /// Returns the wall-clock time in seconds if each thread has its own core.
  [[nodiscard]] double seconds() const { return core_seconds / threads; }
};

/// Opens every point as a run would. Then it runs every strategy on the first two draws of at most eight points, spread evenly
/// over the design, for at most five seconds. It stores nothing. Errors are those of a run.
[[nodiscard]] Result<RunEstimate> estimate_run(const Campaign& campaign, const Control& control);

/// A cell that was timed.
struct TimedCell {
  std::size_t strategy = 0;
  double seconds = 0;  ///< processor time
};

/// Returns the processor time of all cells in seconds: for each strategy, the mean of its timed cells times its number of
/// cells. A strategy without timed cells uses the mean of all timed cells. 0 if no cell was timed.
/// @param cells  number of cells of each strategy
[[nodiscard]] double time_of_all(std::span<const TimedCell> timed, std::size_t strategies,
                                 std::uint64_t cells);

}  // namespace holdfast
