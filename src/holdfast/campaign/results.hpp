#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/campaign/cell.hpp"
#include "holdfast/campaign/description.hpp"
#include "holdfast/campaign/stored.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// One finished cell. Metrics are in the order of the description; NaN means that a metric has no value.
struct CellView {
  std::span<const double> metrics;
  bool completed = true;
  bool in_statistics = true;
};

/// The cells of one point of the design, some of which may be unfinished.
class PointCells {
 public:
  /// Makes a view of arrays that outlive this object: draws x strategies (x metrics), where strategies vary faster than draws.
  PointCells(std::size_t position, std::uint64_t instances, std::uint64_t scenarios,
             std::size_t strategies, std::size_t metrics, std::span<const std::uint8_t> flags,
             std::span<const double> values);

  /// Returns the position in the design, from 0.
  [[nodiscard]] std::size_t position() const { return position_; }
  /// Returns the number of instances; 1 if the point's document fixes what happens, whatever the campaign says.
  [[nodiscard]] std::uint64_t instances() const { return instances_; }
  /// Returns the number of scenarios; 1 in the same case.
  [[nodiscard]] std::uint64_t scenarios() const { return scenarios_; }
  [[nodiscard]] std::size_t strategies() const { return strategies_; }
  [[nodiscard]] std::size_t metrics() const { return metrics_; }
  /// Returns instances * scenarios. Draw d is instance d / scenarios, scenario d % scenarios.
  [[nodiscard]] std::size_t draws() const { return flags_.size() / strategies_; }
  /// Returns a cell; nothing if it is not finished.
  [[nodiscard]] std::optional<CellView> cell(std::size_t draw, std::size_t strategy) const {
    const std::size_t index = draw * strategies_ + strategy;
    const std::uint8_t flags = flags_[index];
    if ((flags & CellFlags::kPresent) == 0) return std::nullopt;
    return CellView{.metrics = values_.subspan(index * metrics_, metrics_),
                    .completed = (flags & CellFlags::kCompleted) != 0,
                    .in_statistics = (flags & CellFlags::kInStatistics) != 0};
  }
  /// Returns a value; nothing if the cell is missing, does not count in the statistics, or has no such metric.
  [[nodiscard]] std::optional<double> value(std::size_t draw, std::size_t strategy,
                                            std::size_t metric) const {
    const std::size_t index = draw * strategies_ + strategy;
    if ((flags_[index] & CellFlags::kInStatistics) == 0) return std::nullopt;
    const double value = values_[index * metrics_ + metric];
    return std::isnan(value) ? std::nullopt : std::optional(value);
  }
  /// Returns the number of finished cells.
  [[nodiscard]] std::uint64_t done() const;
  /// Returns how many threads are worth their start for numbers about all of these cells.
  [[nodiscard]] unsigned threads() const;
  void allow_threads(unsigned most) { threads_ = most; }

 private:
  std::size_t position_;
  std::uint64_t instances_;
  std::uint64_t scenarios_;
  std::size_t strategies_;
  std::size_t metrics_;
  std::span<const std::uint8_t> flags_;
  std::span<const double> values_;
  unsigned threads_ = 1;
};

/// A finished cell with its place in the design.
struct StoredRun {
  std::size_t position = 0;
  std::size_t strategy = 0;
  std::uint64_t instance = 0;
  std::uint64_t scenario = 0;
  double seconds = 0;  ///< wall time
  CellView cell;
};

/// The state of a campaign: how much of it is finished.
struct CampaignStatus {
  std::uint64_t cells_total = 0;
  std::uint64_t cells_done = 0;
  std::uint64_t points_total = 0;
  std::uint64_t points_done = 0;  ///< points whose cells are all finished
  bool is_running = false;        ///< another process is writing to the directory
  /// Finished cells that are still in shards of tasks and belong to no point yet.
  std::uint64_t cells_unmerged = 0;
  std::uint64_t tasks_running = 0;  ///< tasks that are writing a shard
  std::vector<std::string> jobs;    ///< their job numbers in the batch system
};

/// The results of a campaign, finished or still running, read from its directory. Neither the domain nor the input files are
/// needed.
class Results {
 public:
  /// @param directory  the directory with results.sqlite
  [[nodiscard]] static Result<Results> open(const std::filesystem::path& directory);
  Results(Results&&) noexcept;
  Results& operator=(Results&&) noexcept;
  ~Results();

  [[nodiscard]] const Description& description() const;
  [[nodiscard]] const std::filesystem::path& directory() const;
  /// Returns the command that last ran cells here, as typed; empty if unknown.
  [[nodiscard]] const std::string& command() const;
  /// Returns a description of the machine on which it ran; empty if unknown.
  [[nodiscard]] const std::string& machine() const;
  /// Returns which programs computed the cells, and which cells cannot be checked for damage.
  [[nodiscard]] const Provenance& provenance() const;
  [[nodiscard]] std::size_t points() const;
  /// Returns the values of the swept parameters at a point, in the order of the axes.
  [[nodiscard]] std::vector<Value> parameters(std::size_t position) const;
  [[nodiscard]] Result<CampaignStatus> status() const;

  /// Sets the number of threads that check cells and that visitors may use; 0, as at first: as many as there are cores.
  void use_threads(unsigned threads);

  /// Calls visit for every point in the order of the design. Points are loaded in batches, so that memory is bounded (about 256
  /// MB, or one point) whatever the number of cells. Where all cells fit into 128 MB, they are kept until the file changes, and
  /// read once.
  [[nodiscard]] Status for_each_point(const std::function<Status(const PointCells&)>& visit) const;
  /// Calls visit for every finished cell, in the order in which they were stored, once for each position that has it.
  [[nodiscard]] Status for_each_stored(const std::function<Status(const StoredRun&)>& visit) const;

 private:
  struct Impl;
  explicit Results(std::unique_ptr<Impl> impl);
  /// Counts the cells in the results file, without shards.
  Status count(CampaignStatus& out) const;

  std::unique_ptr<Impl> impl_;
};

}  // namespace holdfast
