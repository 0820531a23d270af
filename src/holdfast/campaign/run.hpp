#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/control.hpp"
#include "holdfast/campaign/executors.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace holdfast {

struct RunOptions {
  Control control = {};
  std::string executor = "local";  ///< a name of executors()
  std::string command = {};        ///< that asked for it, as typed: said on the report's page
  bool force = false;              ///< write into a directory that this program did not write
  bool merge_only = false;         ///< gather what tasks have left (tasks.hpp), and run nothing
  /// For executors beyond this machine; `results` and `threads` are filled in.
  ExecutorSetup setup = {};
};

struct RunReport {
  Progress progress;         ///< as it ended
  bool interrupted = false;  ///< stopped by Control::stop; what was finished is kept
  /// Warnings of the points (each text once), and about the directory.
  std::vector<std::string> warnings;
  /// Another process leads this run and reports: nothing else here is filled in.
  bool is_helper = false;
  /// Where the missing cells run now, in words for people; empty if they have run.
  std::vector<std::string> submitted;
};

/// Runs the cells that are missing in `results` (made if it does not exist), and stores them there.
///
/// Every point is opened and checked before the first cell runs. A directory of the same campaign
/// is continued; any other that is not empty is refused unless options.force. Where the file has
/// changed, cells that it still asks for are found again and the others stay, unseen. Errors:
///  - bad input, placed at FILE:LINE (a parameter) or naming the point, instance, scenario and
///  strategy (a cell);
///  - io_failure if the directory is in use by another process, cannot be written, or the disk
///  is full.
/// What finished before an error is kept. When this process is killed, at most the cells of its
/// last 50 ms are lost.
[[nodiscard]] Result<RunReport> run_campaign(const Campaign& campaign,
                                             const std::filesystem::path& results,
                                             const RunOptions& options = {});

}  // namespace holdfast
