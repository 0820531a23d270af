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

/// Returns true for a cell that exists and need not run.
using IsDone = std::function<bool(const CellKey&)>;

/// The cells that remain to be run, in groups. The cells of a group belong to one instance and scenario, and to points that
/// agree in Domain::shared_parameters (to one point, if the domain lists none). They share a realisation, and one worker runs
/// them one after the other, so that its workspace computes shared values once. Groups come in the order of the design.
class Workload {
 public:
  /// Data that are collected from runs in addition to their metrics. They are filled in while groups run, and must outlive the
  /// workload.
  struct Watch {
    /// Details of the first draw of the first point, one slot per strategy.
    std::vector<Value> details;
    std::vector<std::optional<Timeline>> timelines;
    /// True: check every run against the model; a run that fails the check is an error.
    bool check = false;
    /// Number of checked runs; 0 if the domain has no check.
    std::atomic<std::uint64_t> checked = 0;
  };

  /// Makes the groups. The campaign and the design must outlive the workload.
  /// @param workers  number of workers: large groups are split until there are several for each worker
  /// @param watch    null if only metrics are wanted
  Workload(const Campaign& campaign, Design& design, const IsDone& is_done, unsigned workers,
           Watch* watch = nullptr);
  ~Workload();

  [[nodiscard]] std::uint64_t groups() const;
  /// Returns the number of cells that will be run.
  [[nodiscard]] std::uint64_t cells() const;
  [[nodiscard]] std::size_t metrics() const;
  /// Returns the number of cells of a group that will be run.
  [[nodiscard]] std::uint64_t missing(std::uint64_t group) const;
  [[nodiscard]] const Design& design() const;
  /// Returns for each cell, by its number in the design, whether it is done and need not run.
  [[nodiscard]] const std::vector<bool>& done() const;
  /// Returns the number of workers for which the groups were cut. With the same number, the same campaign has the same groups
  /// in every process, whatever is done already.
  [[nodiscard]] unsigned workers() const;

  /// Runs the missing cells of one group and appends them to the batch; ends early if control.stopped(). It calls after_cell
  /// after each cell. The error of a cell names its point. Different workers may call this at the same time. Points that an
  /// earlier group had open are closed after the last group of their kind, or when later groups have begun, because another
  /// process may run the rest.
  Status run(std::uint64_t group, Workspace& workspace, const Control& control, Batch& batch,
             const std::function<void()>& after_cell) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace holdfast
