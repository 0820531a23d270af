#pragma once

#include "holdfast/report/packing.hpp"
#include "holdfast/report/timeline_view.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace holdfast {

/// The columns of Batsim's job file (prefix_jobs.csv), which its tools and evalys read. They follow the schedule's own columns
/// if the schedule says when each job was submitted.
///
/// Each run of a repeated job is a separate job, ID#1, ID#2 ..., submitted when its last run ended. Resources are numbered from
/// 0, lane by lane; each lane with rows has as many as the fullest lane ever uses. Within a lane, jobs are packed. A row
/// without an end has empty cells where the end is needed.
class BatchColumns {
 public:
  explicit BatchColumns(const Timeline& timeline);

  /// Returns true for schedules with jobs, widths and submission times.
  [[nodiscard]] static bool serve(const Timeline& timeline);
  /// Returns the names of the columns: "job_id,workload_name,...".
  [[nodiscard]] static std::string_view header();
  /// Returns the cells of a row, separated by commas. @pre called for rows 0, 1, 2 ... in turn
  [[nodiscard]] std::string cells(std::size_t row);

 private:
  [[nodiscard]] std::string resources(std::size_t row, Interval when, std::int64_t width,
                                      std::string_view name);

  const Timeline& timeline_;
  TimelineRoles roles_;
  LaneLayout layout_;
  double last_ = 0;
  std::vector<Packer> packers_;               ///< per lane
  std::vector<std::int64_t> first_resource_;  ///< per lane
  struct Earlier {
    std::int64_t runs = 0;
    double end = 0;
  };
  std::unordered_map<std::string, Earlier> earlier_;
};

}  // namespace holdfast
