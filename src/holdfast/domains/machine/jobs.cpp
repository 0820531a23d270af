#include "holdfast/domains/machine/jobs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace holdfast::machine {

Jobs::Jobs(const Instance& instance, const Draw& draw)
    : instance_{instance},
      stream_{{.seed = draw.seed,
               .purpose = Purpose::instance,
               .instance = draw.instance,
               .scenario = draw.scenario}},
      used_(instance.classes.size(), 0.0) {}

const Job& Jobs::at(std::size_t i) {
  if (!are_drawn()) return instance_.jobs[i];
  while (drawn_.size() <= i) draw();
  return drawn_[i];
}

// Draws a job of the class that is furthest below its share of the node-seconds.
void Jobs::draw() {
  std::size_t next = 0;
  for (std::size_t k = 1; k < used_.size(); ++k) {
    const double least = used_[next] * instance_.classes[k].share;
    if (used_[k] * instance_.classes[next].share < least) next = k;
  }
  const JobClass& one = instance_.classes[next];
  Job job{.id = fmt::format("{}-{}", one.name, drawn_.size()),
          .group = static_cast<std::uint32_t>(next),
          .nodes = one.nodes,
          .input = one.input,
          .output = one.output,
          .checkpoint = one.checkpoint,
          .recovery = one.recovery.value_or(one.checkpoint)};
  const double bandwidth = instance_.job_bandwidth(job.nodes);
  const double length = one.walltime * stream_.uniform(1 - instance_.jitter, 1 + instance_.jitter);
  job.work = std::max(
      0.0, length - dedicated_time(job.input, bandwidth) - dedicated_time(job.output, bandwidth));
  used_[next] += static_cast<double>(job.nodes) * length;
  drawn_.push_back(std::move(job));
}

}  // namespace holdfast::machine
