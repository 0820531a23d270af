#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/traces/failures/failure_log.hpp"

#include <filesystem>
#include <string>
#include <vector>

/// All nodes of a machine, for logs that name only the nodes that failed.
namespace holdfast {

/// Reads the names of nodes as people and Slurm write them: names or lists such as n[001-100], in lines or between commas; a
/// table with a header (`sinfo`, `sinfo -N`, CSV, `bhosts`, `kubectl get nodes`); what `scontrol show node` prints, with -o or
/// not; `pbsnodes -a`; or JSON. Lines that begin with # are skipped.
[[nodiscard]] Result<std::vector<std::string>> read_node_list(LineReader lines);
/// Reads them from a file, compressed or not; errors name the file.
[[nodiscard]] Result<std::vector<std::string>> read_node_list(const std::filesystem::path& file);

/// Adds the nodes of that list that the log does not name, which have never failed, to the log's number of nodes. A log of
/// several systems is an error, because a list does not say which node belongs to which. Errors have an empty place.
[[nodiscard]] Status count_nodes(FailureLog& log, const std::vector<std::string>& list);

/// Does so with the list in a file, or with the number of all nodes if `given` is a number and no file. Errors have an empty
/// place, or one in the file.
[[nodiscard]] Status count_given_nodes(FailureLog& log, const std::filesystem::path& given);

}  // namespace holdfast
