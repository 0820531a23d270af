#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/models/speedup/speedup.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// Jobs of a batch log, of which each says how long it took on one number of processors. How it scales is assumed.
namespace holdfast {

/// One job of a log.
struct LoggedSize {
  std::int64_t processors = 1;  ///< on which it ran
  double seconds = 0;           ///< for which it ran, > 0
};

/// The jobs of a log, and the machine that it is of.
struct LoggedSizes {
  std::string file;              ///< name of the log; empty if a document lists the sizes
  std::vector<LoggedSize> jobs;  ///< in the order of the log
  std::int64_t machine = 1;      ///< processors: those of its header, else of the widest job
  std::vector<std::string> notes;
};

/// Reads `"log": {"file", "longest", and the fields of read_read_as()}`, a file name alone, or `{"sizes": [[seconds, processors],
/// ...]}`. Jobs without a run time or processors, and jobs longer than `longest`, are left out and noted.
/// @param directory  the folder to which a relative path refers
[[nodiscard]] Result<LoggedSizes> read_logged_sizes(const Value& question, const std::string& where,
                                                    const std::filesystem::path& directory);
/// Returns the object that reads back as the same sizes.
[[nodiscard]] Value to_value(const LoggedSizes& sizes);

/// Reads `"speedup": {"file": TABLE}` as the model that fits these run times best, or a speedup as jobs have it.
[[nodiscard]] Result<Speedup> read_shape(const Value& question, const std::string& where,
                                         const std::filesystem::path& directory);

/// Returns the speedup with all its times multiplied by one factor, so that a job takes its logged time on its logged processors (at
/// most those that the speedup allows).
[[nodiscard]] Speedup stretched(const Speedup& shape, const LoggedSize& size);

}  // namespace holdfast
