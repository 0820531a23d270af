#include "holdfast/cluster_options.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/seed_option.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cmath>

namespace holdfast::cli {
void ClusterOptions::add(CLI::App& command) {
  const auto add_text = [&command](const char* name, std::string& text, const char* help,
                                   const char* type) {
    command.add_option(name, text, help)->type_name(type)->group("Cluster");
  };
  add_text("--tasks", tasks_,
           "slurm: tasks of the job array (default by the number of cells, at most 64)", "N");
  add_text("--time-limit", time_limit_, "slurm: of each task, e.g. 2h", "TIME");
  add_text("--partition", partition_, "slurm: where tasks run", "NAME");
  add_text("--account", account_, "slurm: who pays", "NAME");
  command
      .add_option("--sbatch", sbatch_,
                  "slurm: a further option of sbatch, as in --sbatch=--qos=low")
      ->type_name("OPTION")
      ->expected(1)
      ->take_all()
      ->group("Cluster");
}

std::string ClusterOptions::first_given() const {
  if (!tasks_.empty()) return "--tasks";
  if (!time_limit_.empty()) return "--time-limit";
  if (!partition_.empty()) return "--partition";
  if (!account_.empty()) return "--account";
  return sbatch_.empty() ? "" : "--sbatch";
}

Result<ExecutorSetup> ClusterOptions::read() const {
  ExecutorSetup setup;
  if (!tasks_.empty()) {
    HOLDFAST_TRY(tasks, read_count(tasks_, "--tasks", 1'000'000));
    setup.tasks = static_cast<unsigned>(tasks);
  }
  if (!time_limit_.empty()) {
    constexpr Range kRange{.minimum = 0, .maximum = 1e9, .above_minimum = true};
    auto limit = read_quantity(Value(time_limit_), "--time-limit", Unit::seconds, kRange);
    if (!limit) return fail(ErrorCode::usage, limit.error().where, limit.error().message);
    // Slurm counts in minutes.
    setup.batch_options.push_back(
        fmt::format("--time={}", static_cast<std::int64_t>(std::ceil(*limit / 60))));
  }
  if (!partition_.empty()) setup.batch_options.push_back("--partition=" + partition_);
  if (!account_.empty()) setup.batch_options.push_back("--account=" + account_);
  setup.batch_options.insert(setup.batch_options.end(), sbatch_.begin(), sbatch_.end());
  return setup;
}

}  // namespace holdfast::cli
