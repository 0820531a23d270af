#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/campaign/description.hpp"
#include "holdfast/campaign/stored.hpp"

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

/// One finished cell. Metrics in the order of the description; NaN stands for a metric that does
/// not exist.
struct CellView {
  std::span<const double> metrics;
  bool completed = true;
  bool in_statistics = true;
};

/// The cells of one point of the design, some perhaps not finished yet.
class PointCells {
 public:
  /// Views of arrays that outlive this object: draws x strategies (x metrics), strategies varying
  /// faster than draws.
  PointCells(std::size_t position, std::uint64_t instances, std::uint64_t scenarios,
             std::size_t strategies, std::size_t metrics, std::span<const std::uint8_t> flags,
             std::span<const double> values);

  [[nodiscard]] std::size_t position() const { return position_; }  ///< in the design, from 0
  /// Return the number of instances and of scenarios; 1 if the point's document fixes what happens, whatever the campaign says.
  [[nodiscard]] std::uint64_t instances() const { return instances_; }
  [[nodiscard]] std::uint64_t scenarios() const { return scenarios_; }
  [[nodiscard]] std::size_t strategies() const { return strategies_; }
  [[nodiscard]] std::size_t metrics() const { return metrics_; }
  /// instances * scenarios; draw d is instance d / scenarios, scenario d % scenarios.
  [[nodiscard]] std::size_t draws() const { return flags_.size() / strategies_; }
  /// Returns nothing if the cell has not been finished.
  [[nodiscard]] std::optional<CellView> cell(std::size_t draw, std::size_t strategy) const;
  /// Returns nothing if the cell is missing, is kept out of the statistics, or has no such metric.
  [[nodiscard]] std::optional<double> value(std::size_t draw, std::size_t strategy,
                                            std::size_t metric) const;

 private:
  std::size_t position_;
  std::uint64_t instances_;
  std::uint64_t scenarios_;
  std::size_t strategies_;
  std::size_t metrics_;
  std::span<const std::uint8_t> flags_;
  std::span<const double> values_;
};

/// How much of a campaign is there.
struct CampaignStatus {
  std::uint64_t cells_total = 0;
  std::uint64_t cells_done = 0;
  std::uint64_t points_total = 0;
  std::uint64_t points_done = 0;  ///< with all of their cells
  bool is_running = false;        ///< another process is writing there now
  /// Cells unmerged of those done, in shards of tasks: in no point yet.
  std::uint64_t cells_unmerged = 0;
  std::uint64_t tasks_running = 0;  ///< that write a shard now
  std::vector<std::string> jobs;    ///< their numbers in the engine's queue
};

/// Reads the results of a campaign, finished or still running; neither the domain nor the input
/// files are needed.
class Results {
 public:
  /// @param directory  holds results.sqlite
  [[nodiscard]] static Result<Results> open(const std::filesystem::path& directory);
  Results(Results&&) noexcept;
  Results& operator=(Results&&) noexcept;
  ~Results();

  [[nodiscard]] const Description& description() const;
  [[nodiscard]] const std::filesystem::path& directory() const;
  /// Returns the command that ran cells here last, as typed, and the machine it ran on; empty if nobody said.
  [[nodiscard]] const std::string& command() const;
  [[nodiscard]] const std::string& machine() const;
  /// Returns which programs computed the cells, and which cells cannot be checked for damage.
  [[nodiscard]] const Provenance& provenance() const;
  [[nodiscard]] std::size_t points() const;
  /// Returns the values of the swept parameters at a point, in the order of the axes.
  [[nodiscard]] std::vector<Value> parameters(std::size_t position) const;
  [[nodiscard]] Result<CampaignStatus> status() const;

  /// Calls visit for every point in the order of the design. Memory is bounded (about 256 MB),
  /// however many cells there are: points are loaded in batches.
  [[nodiscard]] Status for_each_point(const std::function<Status(const PointCells&)>& visit) const;

 private:
  struct Impl;
  explicit Results(std::unique_ptr<Impl> impl);
  /// What the results file has, shards apart.
  Status count(CampaignStatus& out) const;

  std::unique_ptr<Impl> impl_;
};

}  // namespace holdfast
