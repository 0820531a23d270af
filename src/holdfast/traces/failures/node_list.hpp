#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/traces/failures/failure_log.hpp"

#include <filesystem>
#include <string>
#include <vector>

/// All nodes of a machine, for logs that name those alone that failed.
namespace holdfast {

/// Reads the names of nodes from what `scontrol show node -o` prints, or one name per line. Lines that begin with # say nothing.
[[nodiscard]] Result<std::vector<std::string>> read_node_list(LineReader lines);
/// The same from a file, compressed or not; errors name it.
[[nodiscard]] Result<std::vector<std::string>> read_node_list(const std::filesystem::path& file);

/// Counts the nodes of that list that the log does not name: they have never failed. Errors carry an empty place; a log of several
/// systems is one, because a list does not say which node is whose.
[[nodiscard]] Status count_nodes(FailureLog& log, const std::vector<std::string>& list);

}  // namespace holdfast
