#include "holdfast/domains/capacity/sizing.hpp"

#include <algorithm>
#include <map>

namespace holdfast::capacity {
namespace {

double work_of(const Job& job) {
  return static_cast<double>(job.cores) * static_cast<double>(job.length);
}

}  // namespace

std::int64_t cores_for(std::span<const Job> jobs) {
  std::map<std::int64_t, double> by_width;
  double all = 0;
  for (const Job& job : jobs) {
    by_width[job.cores] += work_of(job);
    all += work_of(job);
  }
  double fits = 0;
  for (const auto& [width, work] : by_width) {
    fits += work;
    if (fits >= 0.95 * all) return width;
  }
  return by_width.rbegin()->first;
}

double machines_for(std::span<const Job> jobs, std::int64_t cores, std::int64_t begin,
                    std::int64_t end) {
  double work = 0;
  for (const Job& job : jobs) {
    const bool is_inside = job.release >= begin && job.release < end && job.cores <= cores;
    if (is_inside) work += work_of(job);
  }
  return work / static_cast<double>(cores) / static_cast<double>(end - begin);
}

std::int64_t range_for(std::int64_t mean_machines) {
  return std::min(mean_machines, std::max<std::int64_t>(4, mean_machines / 3));
}

std::int64_t sized_range_for(std::int64_t machines) {
  return std::min(machines / 2, std::max<std::int64_t>(4, machines / 4));
}

}  // namespace holdfast::capacity
