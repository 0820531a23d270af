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

struct LoadedCells;

/// What became of a finished cell.
struct CellState {
  bool completed = true;
  bool in_statistics = true;
};
/// The same, with its metrics in the order of the description; NaN means that a metric has no value.
struct CellView : CellState {
  std::span<const double> metrics;
};

/// The cells of one point of the design, some of which may be unfinished.
class PointCells {
 public:
  /// Makes a view of arrays that outlive this object: draws x strategies (x metrics), where strategies vary faster than draws.
  PointCells(std::size_t position, std::uint64_t instances, std::uint64_t scenarios,
             std::size_t strategies, std::size_t metrics, std::span<const std::uint8_t> flags,
             std::span<const double> values);
  /// Makes a view of loaded cells, of which those of the point begin at `first`.
  PointCells(std::size_t position, std::uint64_t instances, std::uint64_t scenarios,
             std::size_t strategies, std::size_t metrics, const LoadedCells& loaded,
             std::uint64_t first);

  /// Returns the position in the design, from 0.
  [[nodiscard]] std::size_t position() const { return position_; }
  /// Returns the number of instances; 1 if the point's document fixes what happens, whatever the campaign says.
  [[nodiscard]] std::uint64_t instances() const { return instances_; }
  /// Returns the number of scenarios; 1 in the same case.
  [[nodiscard]] std::uint64_t scenarios() const { return scenarios_; }
  [[nodiscard]] std::size_t strategies() const { return strategies_; }
  [[nodiscard]] std::size_t metrics() const { return metrics_; }
  /// Returns instances * scenarios. Draw d is instance d / scenarios, scenario d % scenarios.
  [[nodiscard]] std::size_t draws() const { return instances_ * scenarios_; }
  /// Returns what became of a cell; nothing if it is not finished.
  [[nodiscard]] std::optional<CellState> cell(std::size_t draw, std::size_t strategy) const {
    const std::uint8_t flags = flags_of(draw, strategy);
    if ((flags & CellFlags::kPresent) == 0) return std::nullopt;
    return CellState{.completed = (flags & CellFlags::kCompleted) != 0,
                     .in_statistics = (flags & CellFlags::kInStatistics) != 0};
  }
  /// Returns a value of a finished cell; NaN if it has no such metric.
  [[nodiscard]] double metric(std::size_t draw, std::size_t strategy, std::size_t metric) const {
    if (loaded_ != nullptr) return loaded_value(first_ + strategy * draws() + draw, metric);
    return values_[(draw * strategies_ + strategy) * metrics_ + metric];
  }
  /// Returns a value; nothing if the cell is missing, does not count in the statistics, or has no such metric.
  [[nodiscard]] std::optional<double> value(std::size_t draw, std::size_t strategy,
                                            std::size_t metric) const {
    if ((flags_of(draw, strategy) & CellFlags::kInStatistics) == 0) return std::nullopt;
    const double value = this->metric(draw, strategy, metric);
    return std::isnan(value) ? std::nullopt : std::optional(value);
  }
  /// Returns the number of finished cells.
  [[nodiscard]] std::uint64_t done() const;
  /// Returns how many threads are worth their start for numbers about all of these cells.
  [[nodiscard]] unsigned threads() const;
  void allow_threads(unsigned most) { threads_ = most; }

 private:
  [[nodiscard]] std::uint8_t flags_of(std::size_t draw, std::size_t strategy) const {
    return loaded_ != nullptr ? loaded_flags(first_ + strategy * draws() + draw)
                              : flags_[draw * strategies_ + strategy];
  }
  [[nodiscard]] std::uint8_t loaded_flags(std::uint64_t cell) const;
  [[nodiscard]] double loaded_value(std::uint64_t cell, std::size_t metric) const;

  std::size_t position_;
  std::uint64_t instances_;
  std::uint64_t scenarios_;
  std::size_t strategies_;
  std::size_t metrics_;
  std::span<const std::uint8_t> flags_;
  std::span<const double> values_;
  const LoadedCells* loaded_ = nullptr;
  std::uint64_t first_ = 0;
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
  /// Checks the bytes of all cells against their checksums, in a small part of the time that their numbers take, and returns what
  /// distinguishes this state of the results from others. Returns nothing for results that began with an older schema.
  [[nodiscard]] Result<std::optional<std::uint64_t>> state() const;

  /// Sets the number of threads that check cells and that visitors may use; 0, as at first: as many as there are cores.
  void use_threads(unsigned threads);

  /// Sets how many bytes of cells may be kept in memory, 128 MB at first.
  void keep_at_most(std::uint64_t bytes);

  /// Calls visit for every point in the order of the design. All cells are read once, and kept until the file changes: in memory,
  /// if they fit there; else as columns in a file without a name in the directory, so that memory does not grow with them. Where
  /// the directory cannot have such a file, they are read again for each visit, 256 MB of them or one point at a time.
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
