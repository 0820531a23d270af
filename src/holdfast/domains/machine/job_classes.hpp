#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::machine {

/// A class of jobs of a computing centre: what one job needs and does.
struct JobClass {
  std::string name;
  std::int64_t nodes = 1;
  double walltime = 0;    ///< seconds from start to end without failures and contention; 0: unknown
  double input = 0;       ///< bytes, read at the start
  double output = 0;      ///< bytes, written at the end
  double checkpoint = 0;  ///< bytes; 0: it writes none
  std::optional<double> recovery = {};  ///< bytes, read after a failure; default: the checkpoint
  /// Share of the machine's node-hours, relative to the other classes; 0: unknown.
  double share = 0;
  /// Mean number of jobs that run at the same time, instead of the share.
  std::optional<double> running = {};
};

/// Reads `classes`, as each_job_class() describes them.
/// @param directory  the folder to which a relative path refers
/// @param cores_per_node  for classes that are given in cores, which take whole nodes
[[nodiscard]] Result<std::vector<JobClass>> read_job_classes(const Value& value,
                                                             std::string_view where,
                                                             const std::filesystem::path& directory,
                                                             double cores_per_node);

/// Returns a list that reads back as these classes, without any file.
[[nodiscard]] Value classes_value(std::span<const JobClass> classes);

}  // namespace holdfast::machine
