#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/campaign/batch.hpp"
#include "holdfast/campaign/cell.hpp"
#include "holdfast/campaign/control.hpp"
#include "holdfast/contract/domain.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace holdfast {

struct Campaign;
class Design;

/// Cells that are already there, and need not run.
using IsDone = std::function<bool(const CellKey&)>;

/// What remains to be run, in groups. A group holds cells of one instance and scenario whose points
/// agree in Domain::shared_parameters (all of one point where the domain lists none): they meet the
/// same realisation, and one worker runs them back to back so that its workspace makes what they share
/// once. Groups come in the order of the design.
class Workload {
 public:
  /// What is wanted of runs beside their metrics. Filled while groups run; must outlive the workload.
  struct Watch {
    /// Details of the first draw of the first point, one slot per strategy.
    std::vector<Value> details;
    std::vector<std::optional<Timeline>> timelines;
    bool check = false;  ///< check every run against the model; one that fails is an error
    std::atomic<std::uint64_t> checked = 0;  ///< runs that were; 0 if the domain offers no check
  };

  /// The campaign and the design must outlive the workload.
  /// @param workers  hint: large groups are split until there are several for each worker
  /// @param watch    null: only metrics are wanted
  Workload(const Campaign& campaign, Design& design, const IsDone& is_done, unsigned workers,
           Watch* watch = nullptr);
  ~Workload();

  [[nodiscard]] std::uint64_t groups() const;
  /// Cells that will be run.
  [[nodiscard]] std::uint64_t cells() const;
  [[nodiscard]] std::size_t metrics() const;
  /// Cells of a group that will be run.
  [[nodiscard]] std::uint64_t missing(std::uint64_t group) const;
  [[nodiscard]] const Design& design() const;
  /// By the design's number of a cell: need not run.
  [[nodiscard]] const std::vector<bool>& done() const;
  /// Into how many workers' groups this workload was cut; with the same number, the same campaign
  /// has the same groups in another process, whatever is done.
  [[nodiscard]] unsigned workers() const;

  /// Runs the missing cells of one group, unless control.stopped(), and appends them to the batch;
  /// calls after_cell after each. The error of a cell carries its point. Thread-safe for different
  /// workers. What an earlier group had open is closed when it was the last of its kind, or when
  /// later ones have begun: another process may run the rest.
  Status run(std::uint64_t group, Workspace& workspace, const Control& control, Batch& batch,
             const std::function<void()>& after_cell) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace holdfast
