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

/// Takes finished cells. Called from one thread at a time, many times a second while a run lasts: with a
/// batch without cells where none finished meanwhile, so that what was taken reaches the disk. An error
/// ends the run.
using Sink = std::function<Status(const Batch&)>;

/// What executors beyond this machine need to know; the local one needs nothing.
struct ExecutorSetup {
  std::filesystem::path results;     ///< directory of the results
  std::vector<std::string> program;  ///< how this program is started on another machine
  unsigned threads = 0;              ///< of each process or task; 0: the executor's own default
  unsigned tasks = 0;                ///< slurm: of the job array; 0: by the number of cells
  std::vector<std::string> batch_options;  ///< slurm: for sbatch, as they are
  std::vector<std::string> final_options;  ///< slurm: for the `run --merge` after the tasks
};

/// A way to run the groups of a workload. All executors give the same cells: an executor decides
/// where and when a group runs, never what comes out.
class Executor {
 public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  /// False in a process that only helps another one: it calls help() and leaves the directory alone.
  [[nodiscard]] virtual bool leads() const { return true; }
  /// Threads that will run cells, of all processes: how finely the workload is to be cut.
  [[nodiscard]] virtual unsigned workers(const Control& control) const { return control.threads; }

  /// Runs every group once and hands what finishes to the sink, soon. Returns early, without error,
  /// when control.stopped(); of errors of several cells, that of the first cell in the order of the
  /// design counts.
  virtual Status run(const Workload& workload, const Control& control, const Sink& sink) = 0;
  /// @pre !leads()
  virtual Status help(const Campaign& campaign, const Control& control);
  /// What the user should know after run(): that cells run elsewhere, and where. Not empty: run()
  /// has submitted them and did not wait.
  [[nodiscard]] virtual std::vector<std::string> submitted() const { return {}; }
};

struct ExecutorEntry {
  std::string_view name;
  std::string_view summary;
  Result<std::unique_ptr<Executor>> (*start)(const ExecutorSetup& setup);
};

/// The table: a further executor is a file in executors/ and a line here.
[[nodiscard]] std::span<const ExecutorEntry> executors();

/// By name; the error (usage, at --executor) suggests.
[[nodiscard]] Result<const ExecutorEntry*> find_executor(std::string_view name);

}  // namespace holdfast
