#include "holdfast/cluster_options.hpp"

#include "holdfast/base/value.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <array>
#include <cmath>

namespace holdfast::cli {
namespace {

constexpr auto kOptions = std::to_array<Parameter>(
    {{.name = "tasks",
      .summary =
          "slurm: number of tasks of the job array (default: by the number of cells, at most 64)",
      .kind = Kind::integer,
      .range = between(1, 1e6)},
     {.name = "time_limit",
      .summary = "slurm: time limit of each task, e.g. 2h",
      .unit = Unit::seconds,
      .range = {.minimum = 0, .maximum = 1e9, .above_minimum = true},
      .value_name = "TIME"},
     {.name = "partition",
      .summary = "slurm: partition in which tasks run",
      .kind = Kind::text,
      .value_name = "NAME"},
     {.name = "account",
      .summary = "slurm: account that is charged",
      .kind = Kind::text,
      .value_name = "NAME"}});

}  // namespace

void ClusterOptions::add(CLI::App& command) {
  options_.add(command, kOptions, "Cluster");
  command
      .add_option("--sbatch", sbatch_,
                  "slurm: a further option of sbatch, as in --sbatch=--qos=low")
      ->type_name("OPTION")
      ->expected(1)
      ->take_all()
      ->group("Cluster");
}

std::string ClusterOptions::first_given() const {
  for (const Argument& argument : options_.arguments()) {
    if (argument.given) return argument.place;
  }
  return sbatch_.empty() ? "" : "--sbatch";
}

Result<ExecutorSetup> ClusterOptions::read() const {
  HOLDFAST_TRY(values, options_.values());
  ExecutorSetup setup;
  if (const Value* tasks = values.find("tasks")) {
    setup.tasks = static_cast<unsigned>(tasks->number());
  }
  if (const Value* limit = values.find("time_limit")) {
    // Slurm takes the limit in minutes.
    setup.batch_options.push_back(
        fmt::format("--time={}", static_cast<std::int64_t>(std::ceil(limit->number() / 60))));
  }
  for (const char* name : {"partition", "account"}) {
    if (const Value* text = values.find(name)) {
      setup.batch_options.push_back(fmt::format("--{}={}", name, *text->string()));
    }
  }
  setup.batch_options.insert(setup.batch_options.end(), sbatch_.begin(), sbatch_.end());
  return setup;
}

}  // namespace holdfast::cli
