#include "holdfast/domains/capacity/workload.hpp"

#include "holdfast/domains/capacity/categories.hpp"

#include <algorithm>

namespace holdfast::capacity {

std::vector<Task> tasks_of(const Instance& instance) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < instance.jobs.size(); ++i) {
    const Job& job = instance.jobs[i];
    const bool is_over = job.release < instance.begin && job.release + job.length <= instance.begin;
    if (job.cores <= instance.cores && job.release < instance.end && !is_over) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return instance.jobs[a].release < instance.jobs[b].release;
  });

  const std::vector<ReferenceJob> reference = reference_of(instance);
  const Categories categories(reference, instance.profile, instance.end - instance.begin);
  std::vector<Task> tasks;
  tasks.reserve(order.size());
  for (const std::size_t i : order) {
    const Job& job = instance.jobs[i];
    const std::int64_t done = std::max<std::int64_t>(0, instance.begin - job.release);
    tasks.push_back({.job = i,
                     .release = job.release,
                     .arrival = std::max(job.release, instance.begin),
                     .cores = job.cores,
                     .length = job.length,
                     .first_length = job.length - done,
                     .category = job.category ? *job.category : categories.of(job.length)});
  }
  return tasks;
}

}  // namespace holdfast::capacity
