#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/executors.hpp"
#include "holdfast/option_set.hpp"

#include <string>
#include <vector>

namespace holdfast::cli {

/// What `holdfast run --executor slurm` passes on to the cluster.
class ClusterOptions {
 public:
  void add(CLI::App& command);
  [[nodiscard]] Result<ExecutorSetup> read() const;
  /// The first of the options that was given, empty where none was: without slurm they would be of no effect.
  [[nodiscard]] std::string first_given() const;

 private:
  OptionSet options_;
  std::vector<std::string> sbatch_;
};

}  // namespace holdfast::cli
