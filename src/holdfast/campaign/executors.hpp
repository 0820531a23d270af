#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/control.hpp"
#include "holdfast/campaign/workload.hpp"

#include <functional>
#include <span>
#include <string_view>

namespace holdfast {

/// Takes finished cells. Called from one thread at a time; an error ends the run.
using Sink = std::function<Status(const Batch&)>;

/// A way to run the groups of a workload. All executors give the same cells: an executor decides
/// where and when a group runs, never what comes out.
struct ExecutorEntry {
  std::string_view name;
  std::string_view summary;
  /// Runs every group once and hands what finishes to the sink, soon. Returns early, without error,
  /// when control.stopped(); of errors of several cells, that of the first cell in the order of the
  /// design counts.
  Status (*run)(const Workload& workload, const Control& control, const Sink& sink);
};

/// The table: a further executor is a file in executors/ and a line here.
[[nodiscard]] std::span<const ExecutorEntry> executors();

/// By name; the error (usage, at --executor) suggests.
[[nodiscard]] Result<const ExecutorEntry*> find_executor(std::string_view name);

}  // namespace holdfast
