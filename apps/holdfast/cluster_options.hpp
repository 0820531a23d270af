#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/executors.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace holdfast::cli {

/// What `holdfast run --executor slurm` passes on to the cluster.
class ClusterOptions {
 public:
  void add(CLI::App& command);
  [[nodiscard]] Result<ExecutorSetup> read() const;
  /// The first of the options that was given, empty where none was: without slurm they would be of no effect.
  [[nodiscard]] std::string first_given() const;

 private:
  std::string tasks_;
  std::string time_limit_;
  std::string partition_;
  std::string account_;
  std::vector<std::string> sbatch_;
};

}  // namespace holdfast::cli
