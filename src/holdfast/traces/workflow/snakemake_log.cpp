#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/text/words.hpp"
#include "holdfast/traces/workflow/workflow_run.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

/// What Snakemake says about its jobs: the log of a run (.snakemake/log/*.log), which has the times at which they began and ended, to
/// the second, and the text of a dry run (snakemake -n -F), which has all jobs. Tried with versions 7.21 and 9.27.
namespace holdfast {
namespace {

/// A job, as its block of lines describes it.
struct Job {
  std::string rule;
  std::string number;  ///< jobid
  std::string output, input;
  std::int64_t threads = 1;
  std::optional<double> began, ended;
  bool has_failed = false;
};

/// Returns what follows a word at the beginning of a line; nothing if the line begins otherwise.
std::optional<std::string_view> after(std::string_view line, std::string_view word) {
  if (!line.starts_with(word)) return std::nullopt;
  return line.substr(word.size());
}

/// Returns the rule of the first line of a block: "rule NAME:", "localrule NAME:", "checkpoint NAME:".
std::optional<std::string_view> rule_of(std::string_view line) {
  if (!line.ends_with(':')) return std::nullopt;
  for (const std::string_view word : {"rule ", "localrule ", "checkpoint ", "localcheckpoint "}) {
    auto rest = after(line, word);
    if (!rest) continue;
    rest->remove_suffix(1);
    if (!rest->empty() && rest->find(' ') == rest->npos) return rest;
  }
  return std::nullopt;
}

class LogReader {
 public:
  explicit LogReader(LineReader lines) : lines_{std::move(lines)} {}

  Result<WorkflowRun> read() {
    std::string_view line;
    for (;;) {
      HOLDFAST_TRY(more, lines_.next(line));
      if (!more) break;
      HOLDFAST_CHECK(take(trim_right(line)));
    }
    close();
    if (jobs_.empty()) {
      return fail(ErrorCode::bad_format, lines_.place(),
                  "found no job, expected blocks such as \"rule NAME:\"; was the log written with "
                  "--quiet?");
    }
    return workflow();
  }

 private:
  static std::string_view trim_right(std::string_view line) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    return line;
  }

  Status take(std::string_view line) {
    if (line.starts_with('[') && line.ends_with(']')) {
      const auto date = read_written_date(line.substr(1, line.size() - 2));
      if (!date) return {};
      close();
      now_ = date->instant.seconds;
      return {};
    }
    if (const auto rule = rule_of(line)) {
      close();
      open_.emplace();
      open_->rule = *rule;
      open_->began = now_;
      return {};
    }
    if (const auto rest = after(line, "Finished job")) {
      close();
      const std::size_t first =
          rest->find_first_of("0123456789");  // "Finished job 3." or "Finished jobid: 3 (Rule: x)"
      if (first == rest->npos) return {};
      const std::string_view number = rest->substr(first);
      end(number.substr(0, number.find_first_not_of("0123456789")), false);
      return {};
    }
    if (line.starts_with("Error in rule ") || line.starts_with("Error in group ")) {
      close();
      is_error_ = true;
      return {};
    }
    if (!line.starts_with("    ")) return {};
    return take_field(trim(line));
  }

  Status take_field(std::string_view line) {
    const std::size_t colon = line.find(": ");
    if (colon == line.npos) return {};
    const std::string_view name = line.substr(0, colon), value = trim(line.substr(colon + 2));
    if (is_error_) {
      if (name == "jobid") end(value, true);
      return {};
    }
    if (!open_) return {};
    if (name == "jobid") open_->number = value;
    if (name == "input") open_->input = value;
    if (name == "output") open_->output = value;
    if (name == "threads") {
      const auto threads = finite_number(value);
      if (!threads || !(*threads >= 1 && *threads <= 1e9)) {
        return fail(ErrorCode::bad_value, fmt::format("{}: threads", lines_.place()),
                    fmt::format("found {}, expected a number of at least 1", in_quotes(value)));
      }
      open_->threads = static_cast<std::int64_t>(*threads);
    }
    return {};
  }

  /// Ends the block of a job. A job that is tried again has another block.
  void close() {
    is_error_ = false;
    if (!open_) return;
    const auto [place, is_new] = places_.try_emplace(open_->number, jobs_.size());
    if (is_new) {
      jobs_.push_back(std::move(*open_));
    } else {
      jobs_[place->second] = std::move(*open_);
      ++repeated_;
    }
    open_.reset();
  }

  void end(std::string_view number, bool has_failed) {
    const auto place = places_.find(std::string(number));
    if (place == places_.end()) return;
    jobs_[place->second].ended = has_failed ? std::nullopt : now_;
    jobs_[place->second].has_failed = has_failed;
  }

  WorkflowRun workflow() {
    WorkflowRun run;
    std::unordered_map<std::string_view, std::uint32_t> writers;
    std::unordered_map<std::string, int> ids;
    std::int64_t failed = 0, reversed = 0;
    for (const Job& job : jobs_) {
      const auto files = split(job.output, ',');
      std::string id(files.empty() || trim(files[0]).empty() ? job.rule : trim(files[0]));
      std::string product = files.empty() ? std::string() : std::string(trim(files[0]));
      if (++ids[id] > 1) id += fmt::format(" (job {})", job.number);
      MeasuredTask task{.id = std::move(id),
                        .name = job.rule,
                        .runtime = {},
                        .cores = job.threads,
                        .product = std::move(product)};
      const bool is_reversed = job.began && job.ended && *job.ended < *job.began;
      if (job.began && job.ended && !is_reversed) task.runtime = *job.ended - *job.began;
      reversed += is_reversed ? 1 : 0;
      failed += job.has_failed ? 1 : 0;
      for (const std::string_view file : files) {
        if (!trim(file).empty())
          writers.emplace(trim(file), static_cast<std::uint32_t>(run.tasks.size()));
      }
      run.tasks.push_back(std::move(task));
    }
    for (std::uint32_t child = 0; child < jobs_.size(); ++child) {
      for (const std::string_view file : split(jobs_[child].input, ',')) {
        const auto parent = writers.find(trim(file));
        if (parent != writers.end() && parent->second != child)
          run.dependencies.push_back({parent->second, child});
      }
    }
    finish_workflow(run);
    run.oddities.add("attempts that were repeated", repeated_, "left out: the last one counts");
    run.oddities.add("jobs that failed", failed, "kept, without a run time");
    run.oddities.add("jobs that end before they start", reversed, "kept, without a run time");
    return run;
  }

  LineReader lines_;
  std::vector<Job> jobs_;
  std::unordered_map<std::string, std::size_t> places_;  ///< of jobs by number
  std::optional<Job> open_;
  std::optional<double> now_;
  bool is_error_ = false;
  std::int64_t repeated_ = 0;
};

bool looks_like_snakemake_log(std::string_view head) {
  for (const std::string_view line : split(head, '\n')) {
    if (trim(line) == "Building DAG of jobs...") return true;
  }
  return false;
}

}  // namespace

FormatOf<WorkflowRun> snakemake_log_format() {
  return {
      .facts = {.name = "snakemake-log",
                .summary = "jobs of a run of Snakemake (.snakemake/log), or of a dry run (-n -F)",
                .recognise = looks_like_snakemake_log},
      .read = [](LineReader lines) { return LogReader(std::move(lines)).read(); }};
}

}  // namespace holdfast
