#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/executors.hpp"
#include "holdfast/option_set.hpp"

#include <string>
#include <vector>

namespace holdfast::cli {

/// The options of `holdfast run --executor slurm` that are passed on to the cluster.
class ClusterOptions {
 public:
  void add(CLI::App& command);
  [[nodiscard]] Result<ExecutorSetup> read() const;
  /// Returns the first of the options that was given; empty if none was. Without slurm they would have no effect.
  [[nodiscard]] std::string first_given() const;

 private:
  OptionSet options_;
  std::vector<std::string> sbatch_;
};

}  // namespace holdfast::cli
