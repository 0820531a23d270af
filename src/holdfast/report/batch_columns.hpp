#pragma once

#include "holdfast/report/packing.hpp"
#include "holdfast/report/timeline_view.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace holdfast {

/// The columns of Batsim's file of jobs (prefix_jobs.csv), which its tools and evalys read, for schedules that say when
/// each job was submitted. They follow the schedule's own columns.
///
/// A job that runs again is a job of its own, ID#1, ID#2 ..., submitted again when its last run ended. Resources are
/// numbered from 0, lane after lane, as many per lane with rows as the fullest one ever uses; inside a lane jobs are packed. Rows
/// without an end keep the cells empty that need it.
class BatchColumns {
 public:
  explicit BatchColumns(const Timeline& timeline);

  /// Returns true for schedules that have jobs, widths and times of submission.
  [[nodiscard]] static bool serve(const Timeline& timeline);
  /// Returns "job_id,workload_name,..."
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
