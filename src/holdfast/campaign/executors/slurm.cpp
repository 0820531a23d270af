#include "holdfast/campaign/executors/slurm.hpp"

#include "holdfast/base/file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/campaign/executors/command.hpp"
#include "holdfast/campaign/tasks.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace holdfast {
namespace {

namespace fs = std::filesystem;

/// Tasks where nobody says how many: enough that their lengths even out, and each worth starting.
constexpr unsigned kMostTasks = 64;
constexpr std::uint64_t kCellsPerTask = 1000;

/// A word of a shell command.
std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string quoted(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + quoted(word);
  return out;
}

class SlurmExecutor final : public Executor {
 public:
  explicit SlurmExecutor(const ExecutorSetup& setup) : setup_(setup) {
    setup_.results = fs::absolute(setup.results);
  }

  [[nodiscard]] unsigned workers(const Control& /*control*/) const override {
    // Groups of a family are cut as for so many workers: a slice is at least one group.
    return setup_.tasks == 0 ? kMostTasks : setup_.tasks;
  }

  Status run(const Workload& workload, const Control& /*control*/, const Sink& /*sink*/) override {
    if (workload.groups() == 0) return {};
    HOLDFAST_TRY(plan, plan_tasks(setup_.results, workload, count_tasks(workload)));
    auto submission = submit(plan);
    if (!submission) {
      std::error_code ignored;
      fs::remove_all(plan.folder, ignored);
      return fail(std::move(submission).error());
    }
    return {};
  }

  [[nodiscard]] std::vector<std::string> submitted() const override { return submitted_; }

 private:
  [[nodiscard]] unsigned count_tasks(const Workload& workload) const {
    if (setup_.tasks != 0) return setup_.tasks;
    const std::uint64_t worth = (workload.cells() + kCellsPerTask - 1) / kCellsPerTask;
    return static_cast<unsigned>(std::clamp<std::uint64_t>(worth, 1, kMostTasks));
  }

  Status submit(const TaskPlan& plan) {
    const unsigned threads = std::max(1U, setup_.threads);
    const std::string program = quoted(setup_.program);
    const std::string results = quoted(setup_.results.string());
    HOLDFAST_TRY(
        script, write_script(plan.folder / "task.sh",
                             fmt::format("exec {} run {} --task {}/\"$SLURM_ARRAY_TASK_ID\" "
                                         "--threads {}\n",
                                         program, results, quoted(plan.folder.string()), threads)));
    std::vector<std::string> words = {
        fmt::format("--array=0-{}", plan.slices - 1),
        fmt::format("--cpus-per-task={}", threads),
        "--job-name=holdfast",
        "--requeue",
        "--open-mode=append",
        fmt::format("--output={}", (plan.folder / "%a.log").string())};
    HOLDFAST_TRY(tasks, sbatch(std::move(words), script));
    HOLDFAST_CHECK(write_file(plan.folder / "job", tasks + "\n"));
    submitted_.push_back(fmt::format("job {}: {} tasks", tasks, plan.slices));

    HOLDFAST_TRY(merge, write_script(plan.folder / "merge.sh",
                                     fmt::format("exec {} run {} --merge {}\n", program, results,
                                                 quoted(setup_.final_options))));
    words = {fmt::format("--dependency=afterany:{}", tasks), "--job-name=holdfast-merge",
             fmt::format("--output={}", (setup_.results / "merge.log").string())};
    HOLDFAST_TRY(after, sbatch(std::move(words), merge));
    submitted_.push_back(fmt::format("job {}: merges them, and says how it went in {}", after,
                                     (setup_.results / "merge.log").string()));
    return {};
  }

  static Result<fs::path> write_script(const fs::path& path, const std::string& command) {
    HOLDFAST_CHECK(write_file(path, "#!/bin/sh\n" + command));
    ::chmod(path.c_str(), 0755);
    return path;
  }

  /// The number of the job. The user's options come last: where two say the same, sbatch takes the last.
  Result<std::string> sbatch(std::vector<std::string> options, const fs::path& script) const {
    std::vector<std::string> words = {"sbatch", "--parsable"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), setup_.batch_options.begin(), setup_.batch_options.end());
    words.push_back(script.string());
    auto ran = run_command(words);
    if (!ran) {
      Error error = std::move(ran).error();
      error.message += "; --executor slurm is for a machine that can submit jobs";
      return fail(std::move(error));
    }
    if (ran->status != 0) {
      return fail(
          ErrorCode::io_failure, "sbatch",
          fmt::format("{}; nothing was submitted by this call: mend that, and start again on "
                      "the same directory",
                      trim(ran->err)));
    }
    // "123", or "123;cluster"
    const std::string number(trim(ran->out));
    return number.substr(0, number.find(';'));
  }

  ExecutorSetup setup_;
  std::vector<std::string> submitted_;
};

}  // namespace

Result<std::unique_ptr<Executor>> start_slurm(const ExecutorSetup& setup) {
  for (const fs::path& folder : task_folders(setup.results)) {
    const std::string job = job_of(folder);
    const auto count = ask_queue(job);
    if (!count || count->pending + count->running == 0) continue;
    return fail(
        ErrorCode::io_failure, setup.results.string(),
        fmt::format("job {} of this campaign has {} tasks running and {} waiting; wait until "
                    "they end (see --status), or 'scancel {}', and start again",
                    job, count->running, count->pending, job));
  }
  return std::make_unique<SlurmExecutor>(setup);
}

std::optional<QueueCount> ask_queue(const std::string& job) {
  if (job.empty()) return std::nullopt;
  const auto ran = run_command({"squeue", "--noheader", "--array", "--format=%t", "--jobs=" + job});
  if (!ran) return std::nullopt;
  QueueCount out;
  if (ran->status != 0) {
    // Slurm forgets a job some minutes after its end, and then knows no such number.
    if (ran->err.find("Invalid job id") != std::string::npos) return out;
    return std::nullopt;
  }
  for (std::size_t at = 0; at < ran->out.size();) {
    const std::size_t end = std::min(ran->out.find('\n', at), ran->out.size());
    const std::string_view state = trim(std::string_view(ran->out).substr(at, end - at));
    if (state == "PD" || state == "RQ" || state == "RH" || state == "S") {
      ++out.pending;
    } else if (!state.empty()) {
      ++out.running;
    }
    at = end + 1;
  }
  return out;
}

}  // namespace holdfast
