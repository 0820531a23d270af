#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/cell.hpp"
#include "holdfast/campaign/control.hpp"
#include "holdfast/campaign/executors.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace holdfast {

struct RunOptions {
  Control control = {};
  std::string executor = "local";  ///< a name from executors()
  /// The command that started the run, as typed; shown on the report's page.
  std::string command = {};
  bool force = false;  ///< write into a directory that this program did not make
  /// True: only collect the cells that tasks have left (tasks.hpp), and run nothing.
  bool merge_only = false;
  /// Settings for executors on other machines; `results` and `threads` are filled in by run_campaign().
  ExecutorSetup setup = {};
  /// Returns true for the cells, by their positions in the design, that are to run; the others stay missing. Empty: all cells. Only
  /// for executors that run every cell in this process.
  std::function<bool(std::size_t position, const CellKey&)> wanted = {};
};

struct RunReport {
  Progress progress;         ///< the progress at the end
  bool interrupted = false;  ///< stopped by Control::stop; finished cells are kept
  /// Warnings of the points (each text once) and of the directory.
  std::vector<std::string> warnings;
  /// True if another process leads this run and reports; all other members are then empty.
  bool is_helper = false;
  /// Messages about where the missing cells run now; empty if they have run.
  std::vector<std::string> submitted;
};

/// Runs the cells that are missing in `results` (which is created if it does not exist), and stores them there.
///
/// Every point is opened and checked before the first cell runs. A directory of the same campaign is continued. Any other
/// directory that is not empty is refused unless options.force is set. If the file has changed, cells that it still asks for
/// are reused; the others stay in the file but are not shown. Errors:
///  - bad input, placed at FILE:LINE (a parameter) or naming the point, instance, scenario and strategy (a cell);
///  - io_failure if the directory is in use by another process, cannot be written, or the disk is full.
/// Cells that finished before an error are kept. If this process is killed, at most the cells of its last 50 ms are lost.
[[nodiscard]] Result<RunReport> run_campaign(const Campaign& campaign,
                                             const std::filesystem::path& results,
                                             const RunOptions& options = {});

}  // namespace holdfast
