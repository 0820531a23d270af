#include "holdfast/domains/capacity/categories.hpp"

#include <algorithm>
#include <utility>

namespace holdfast::capacity {
namespace {

constexpr std::int64_t kWeek = 604800;

std::int64_t work_of(const ReferenceJob& job) {
  return job.length * job.cores;
}

}  // namespace

Categories::Categories(std::span<const ReferenceJob> reference, Profile profile,
                       std::int64_t window, std::int64_t parts) {
  std::vector<ReferenceJob> jobs(reference.begin(), reference.end());
  if (profile == Profile::author) {
    for (ReferenceJob& job : jobs) job.length = std::min(job.length, window);
  }
  std::sort(jobs.begin(), jobs.end(), [](const ReferenceJob& a, const ReferenceJob& b) {
    return std::pair(a.length, a.cores) < std::pair(b.length, b.cores);
  });
  std::int64_t total = 0;
  for (const ReferenceJob& job : jobs) total += work_of(job);

  if (profile == Profile::author) {
    // q_k, k = 1 .. parts - 1: the length at which the cumulated work exceeds k / parts of the total.
    parts_ = parts;
    longest_ = window;
    std::int64_t done = 0;
    std::int64_t k = 1;
    for (const ReferenceJob& job : jobs) {
      done += work_of(job);
      for (; k < parts && done * parts > k * total; ++k) lengths_.push_back(job.length);
    }
    return;
  }
  std::int64_t longer = 0;
  for (std::size_t i = jobs.size(); i-- > 0;) {
    longer += work_of(jobs[i]);
    if (i > 0 && jobs[i - 1].length == jobs[i].length) continue;
    lengths_.push_back(jobs[i].length);
    share_.push_back(static_cast<double>(longer) / static_cast<double>(total));
  }
  std::reverse(lengths_.begin(), lengths_.end());
  std::reverse(share_.begin(), share_.end());
}

double Categories::of(std::int64_t length) const {
  if (parts_ > 0) {
    length = std::min(length, longest_);
    // The author's error: a length equal to the largest quantile is treated as the shortest.
    if (!lengths_.empty() && length == lengths_.back()) return 1;
    const auto below =
        std::upper_bound(lengths_.begin(), lengths_.end(), length) - lengths_.begin();
    return 1 - static_cast<double>(below) / static_cast<double>(parts_);
  }
  const auto at_least = std::lower_bound(lengths_.begin(), lengths_.end(), length);
  if (at_least == lengths_.end()) return 0;
  return share_[static_cast<std::size_t>(at_least - lengths_.begin())];
}

std::vector<ReferenceJob> reference_of(const Instance& instance) {
  if (!instance.reference.empty()) return instance.reference;
  std::vector<ReferenceJob> before, all;
  for (const Job& job : instance.jobs) {
    if (job.cores > instance.cores) continue;
    all.push_back({job.length, job.cores});
    if (job.release >= instance.begin - kWeek && job.release < instance.begin)
      before.push_back(all.back());
  }
  return before.empty() ? all : before;
}

}  // namespace holdfast::capacity
