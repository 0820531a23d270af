#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/control.hpp"
#include "holdfast/campaign/workload.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// A function that takes finished cells. It is called many times a second during a run, by one thread at a time. The batch is
/// empty if no cell has finished; the call then makes sure that earlier cells reach the disk. An error ends the run.
using Sink = std::function<Status(const Batch&)>;

/// The settings of executors that use other machines; the local one needs none.
struct ExecutorSetup {
  std::filesystem::path results;     ///< directory of the results
  std::vector<std::string> program;  ///< the command that starts this program on another machine
  unsigned threads = 0;  ///< threads of each process or task; 0 for the executor's default
  /// For slurm: tasks of the job array; 0 to derive the number from the number of cells.
  unsigned tasks = 0;
  std::vector<std::string> batch_options;  ///< slurm: options that are passed to sbatch
  /// For slurm: options of the `run --merge` that follows the tasks.
  std::vector<std::string> final_options;
};

/// A way to run the groups of a workload. All executors give the same cells: an executor decides only where and when a group
/// runs.
class Executor {
 public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  /// Returns false in a process that only helps another one. Such a process calls help() and does not touch the directory.
  [[nodiscard]] virtual bool leads() const { return true; }
  /// Returns the number of threads of all processes that will run cells. The workload is cut accordingly.
  [[nodiscard]] virtual unsigned workers(const Control& control) const { return control.threads; }

  /// Runs every group once and passes finished cells to the sink soon after they finish. Returns early, without error, once
  /// control.stopped(). If several cells fail, it returns the error of the first one in the order of the design.
  virtual Status run(const Workload& workload, const Control& control, const Sink& sink) = 0;
  /// Runs cells for the leading process.
  /// @pre !leads()
  virtual Status help(const Campaign& campaign, const Control& control);
  /// Returns messages for the user about cells that run() has submitted to run elsewhere without waiting for them. Empty if
  /// there are none.
  [[nodiscard]] virtual std::vector<std::string> submitted() const { return {}; }
};

/// A row of the table of executors.
struct ExecutorEntry {
  std::string_view name;
  std::string_view summary;
  Result<std::unique_ptr<Executor>> (*start)(const ExecutorSetup& setup);
};

/// Returns the table. A new executor is a file in executors/ and a row in executors.cpp.
[[nodiscard]] std::span<const ExecutorEntry> executors();

/// Returns the executor of that name, or a usage error at --executor with a suggestion.
[[nodiscard]] Result<const ExecutorEntry*> find_executor(std::string_view name);

}  // namespace holdfast
