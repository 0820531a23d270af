#include "holdfast/campaign/executors/slurm.hpp"

#include "holdfast/base/command.hpp"
#include "holdfast/base/new_file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/campaign/tasks.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

namespace holdfast {
namespace {

namespace fs = std::filesystem;

/// The largest default number of tasks, with which their lengths even out, and the cells that make a task worth starting.
constexpr unsigned kMostTasks = 64;
constexpr std::uint64_t kCellsPerTask = 1000;

/// Returns a word in quotes for a shell command.
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

/// Options that this executor sets itself: another value would run other cells or none, or hide the job's number.
constexpr std::array<std::string_view, 8> kOwnOptions = {"--array",    "--dependency", "--wrap",
                                                         "--parsable", "--test-only",  "--help",
                                                         "--usage",    "--version"};
constexpr std::string_view kOwnLetters = "adhV";

bool is_own(std::string_view option) {
  if (!option.starts_with("--")) return kOwnLetters.find(option[1]) != std::string_view::npos;
  // sbatch also accepts abbreviated names.
  const std::string_view name = option.substr(0, option.find('='));
  return std::any_of(kOwnOptions.begin(), kOwnOptions.end(),
                     [&](std::string_view own) { return own.starts_with(name); });
}

class SlurmExecutor final : public Executor {
 public:
  explicit SlurmExecutor(const ExecutorSetup& setup) : setup_(setup) {
    setup_.results = fs::absolute(setup.results);
  }

  [[nodiscard]] unsigned workers(const Control& /*control*/) const override {
    // Groups are cut for this number of workers, because a slice has at least one group.
    return setup_.tasks == 0 ? kMostTasks : setup_.tasks;
  }

  Status run(const Workload& workload, const Control& /*control*/, const Sink& /*sink*/) override {
    if (workload.groups() == 0) return {};
    HOLDFAST_TRY(plan, plan_tasks(setup_.results, workload, count_tasks(workload)));
    Status status = submit(plan);
    if (status) return status;
    if (first_job_.empty()) {
      std::error_code ignored;
      fs::remove_all(plan.folder, ignored);
    } else {
      take_back(status.error());
    }
    return status;
  }

  [[nodiscard]] std::vector<std::string> submitted() const override { return submitted_; }

 private:
  [[nodiscard]] unsigned count_tasks(const Workload& workload) const {
    if (setup_.tasks != 0) return setup_.tasks;
    const std::uint64_t worth = (workload.cells() + kCellsPerTask - 1) / kCellsPerTask;
    return static_cast<unsigned>(std::clamp<std::uint64_t>(worth, 1, kMostTasks));
  }

  /// Submits the jobs. The names of their logs are relative to their working directory, because sbatch reads `%` and `\\` in
  /// them as patterns, and the path of the results may contain both.
  Status submit(const TaskPlan& plan) {
    const unsigned threads = std::max(1U, setup_.threads);
    const std::string program = quoted(setup_.program);
    const std::string results = quoted(setup_.results.string());
    const std::string place = "--chdir=" + setup_.results.string();
    HOLDFAST_TRY(
        script, write_script(plan.folder / "task.sh",
                             fmt::format("exec {} run {} --task {}/\"$SLURM_ARRAY_TASK_ID\" "
                                         "--threads {}\n",
                                         program, results, quoted(plan.folder.string()), threads)));
    HOLDFAST_TRY(merge, write_script(plan.folder / "merge.sh",
                                     fmt::format("exec {} run {} --merge {}\n", program, results,
                                                 quoted(setup_.final_options))));
    std::vector<std::string> words = {
        fmt::format("--array=0-{}", plan.slices - 1),
        fmt::format("--cpus-per-task={}", threads),
        "--job-name=holdfast",
        "--requeue",
        "--open-mode=append",
        place,
        fmt::format("--output={}/%a.log", plan.folder.filename().string())};
    HOLDFAST_TRY(tasks, sbatch(std::move(words), script));
    first_job_ = tasks;
    HOLDFAST_CHECK(write_own_file(plan.folder / "job", tasks + "\n"));

    words = {fmt::format("--dependency=afterany:{}", tasks), "--job-name=holdfast-merge", place,
             "--output=merge.log"};
    HOLDFAST_TRY(after, sbatch(std::move(words), merge));
    submitted_.push_back(fmt::format("job {}: {}", tasks, counted(plan.slices, "task")));
    submitted_.push_back(fmt::format("job {}: merges them, and says how it went in {}", after,
                                     (setup_.results / "merge.log").string()));
    return {};
  }

  /// Cancels the array if the job that merges could not be submitted; if that fails too, the error names the array. The folder
  /// stays, and the next start merges the cells that tasks have finished.
  void take_back(Error& error) const {
    const auto cancelled = run_command({"scancel", first_job_});
    const bool is_gone = cancelled && cancelled->status == 0;
    error.message += is_gone ? fmt::format(" (job {}, its tasks, was cancelled)", first_job_)
                             : fmt::format(
                                   " (job {}, its tasks, could not be cancelled and goes on: "
                                   "'scancel {}' first)",
                                   first_job_, first_job_);
  }

  static Result<fs::path> write_script(const fs::path& path, const std::string& command) {
    HOLDFAST_CHECK(write_own_file(path, "#!/bin/sh\n" + command));
    ::chmod(path.c_str(), 0755);
    return path;
  }

  /// Calls sbatch, and returns the number of the job. The user's options come last, because sbatch uses the last of two equal
  /// options.
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
    const std::string said(trim(ran->out));
    std::string number = said.substr(0, said.find(';'));
    const bool is_number =
        !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
    if (is_number) return number;
    return fail(ErrorCode::io_failure, "sbatch",
                "found an answer that is no number of a job; see 'squeue --me' for what was "
                "submitted, and start "
                "again on the same directory");
  }

  ExecutorSetup setup_;
  std::string first_job_;  ///< number of the array, once it is submitted
  std::vector<std::string> submitted_;
};

}  // namespace

Status check_batch_option(std::string_view option) {
  if (option.size() < 2 || option.front() != '-' || option == "--") {
    return fail(ErrorCode::usage, "/sbatch",
                fmt::format("found {}, expected an option of sbatch as one word, as in "
                            "--sbatch=--qos=low: sbatch would run anything else as a script",
                            in_quotes(option)));
  }
  if (!is_own(option)) return {};
  return fail(ErrorCode::usage, "/sbatch",
              fmt::format("found {}, which holdfast gives itself; say how many tasks with --tasks",
                          in_quotes(option)));
}

Result<std::unique_ptr<Executor>> start_slurm(const ExecutorSetup& setup) {
  for (const std::string& option : setup.batch_options) HOLDFAST_CHECK(check_batch_option(option));
  for (const fs::path& folder : task_folders(setup.results)) {
    const std::string job = job_of(folder);
    const auto count = ask_queue(job);
    if (!count || count->pending + count->running == 0) continue;
    return fail(ErrorCode::io_failure, setup.results.string(),
                fmt::format("job {} of this campaign has {} running and {} waiting; wait until "
                            "they end (see --status), or 'scancel {}', and start again",
                            job, counted(count->running, "task"), count->pending, job));
  }
  return std::make_unique<SlurmExecutor>(setup);
}

std::optional<QueueCount> ask_queue(const std::string& job) {
  if (job.empty()) return std::nullopt;
  const auto ran = run_command({"squeue", "--noheader", "--array", "--format=%t", "--jobs=" + job});
  if (!ran) return std::nullopt;
  QueueCount out;
  if (ran->status != 0) {
    // Slurm forgets a job some minutes after its end; its number is then unknown.
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
