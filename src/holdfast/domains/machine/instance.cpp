#include "holdfast/domains/machine/instance.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/machine/fields.hpp"
#include "holdfast/models/resilience/period.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace holdfast::machine {
namespace {

constexpr double kSlack = 1.2;  // factor of an estimate on the run time

tl::unexpected<Error> bad(std::string where, std::string message) {
  return fail(ErrorCode::bad_value, std::move(where), std::move(message));
}

Status check_job(const Instance& instance, const Job& job, const std::string& where) {
  const auto refuse = [&](std::string_view field, std::string message) {
    return bad(fmt::format("{}/{}", where, field), std::move(message));
  };
  if (job.nodes < 1 || job.nodes > instance.nodes) {
    return refuse("nodes", fmt::format("found {}, expected a number from 1 to the machine's {}",
                                       job.nodes, instance.nodes));
  }
  const auto amounts = {std::pair{"submit", job.submit}, std::pair{"input", job.input},
                        std::pair{"output", job.output}, std::pair{"checkpoint", job.checkpoint},
                        std::pair{"recovery", job.recovery}};
  for (const auto& [field, amount] : amounts) {
    if (!(amount >= 0) || std::isinf(amount)) {
      return refuse(field, fmt::format("found {}, expected a finite number of at least 0", amount));
    }
  }
  if (!(job.work >= 0)) {
    return refuse("work", fmt::format("found {}, expected a duration of at least 0", job.work));
  }
  if (job.is_endless() && instance.horizon == kNever) {
    return refuse("work", "is missing, and so is 'horizon': the run would not end");
  }
  if (job.period && !(*job.period > 0)) {
    return refuse("period",
                  fmt::format("found {}, expected a duration greater than 0", *job.period));
  }
  for (std::size_t i = 0; i < job.segments.size(); ++i) {
    if (job.segments[i] > 0) continue;
    return refuse(fmt::format("segments/{}", i),
                  fmt::format("found {}, expected a duration greater than 0", job.segments[i]));
  }
  const double sum = std::accumulate(job.segments.begin(), job.segments.end(), 0.0);
  if (!job.segments.empty() && !(std::abs(sum - job.work) <= 1e-9 * job.work)) {
    return refuse("segments",
                  fmt::format("found a sum of {} s, expected the work, {} s", sum, job.work));
  }
  if (job.estimate && !(*job.estimate > 0)) {
    return refuse("estimate",
                  fmt::format("found {}, expected a duration greater than 0", *job.estimate));
  }
  if (job.group >= instance.groups.size()) return refuse("class", "is not a class of the instance");
  return {};
}

Status check_classes(const Instance& instance) {
  for (std::size_t k = 0; k < instance.classes.size(); ++k) {
    const JobClass& one = instance.classes[k];
    const std::string where = pointer_to("/classes", k);
    const std::int64_t nodes = one.nodes;
    if (nodes < 1 || nodes > instance.nodes) {
      return bad(where + "/nodes",
                 fmt::format("found {}, expected a number from 1 to the machine's {}", nodes,
                             instance.nodes));
    }
    if (instance.draws_jobs() && !(one.share > 0)) {
      return bad(where + "/share", "is missing: jobs are drawn by the shares of their classes");
    }
    if (instance.draws_jobs() && !(one.walltime > 0)) {
      return bad(where + "/walltime", "is missing: it is how long a drawn job of the class takes");
    }
  }
  if (instance.draws_jobs() && instance.horizon == kNever)
    return bad("/horizon", "is missing: jobs are drawn without end");
  return {};
}

Status check_ages(const Instance& instance) {
  if (instance.ages.empty()) return {};
  std::int64_t nodes = 0;
  for (std::size_t i = 0; i < instance.ages.size(); ++i) {
    const auto& [age, count] = instance.ages[i];
    const std::string where = pointer_to("/failures/ages", i);
    if (!(age >= 0) || std::isinf(age)) {
      return bad(where + "/0", fmt::format("found {}, expected an age of at least 0", age));
    }
    if (count < 1 || count > instance.nodes - nodes) {
      return bad(where + "/1", fmt::format("found {}, expected a number from 1 to the {} that the "
                                           "machine has left",
                                           count, counted(instance.nodes - nodes, "node")));
    }
    nodes += count;
  }
  if (nodes == instance.nodes) return {};
  return bad("/failures/ages", fmt::format("found the ages of {}, expected those of all {}",
                                           counted(nodes, "node"), instance.nodes));
}

Status check_events(const Instance& instance) {
  if (!instance.events) return {};
  double earliest = 0;
  for (std::size_t i = 0; i < instance.events->size(); ++i) {
    const double date = (*instance.events)[i].date;
    const std::int64_t node = (*instance.events)[i].processor;
    const std::string where = pointer_to("/failures/events", i);
    if (node < 0 || node >= instance.nodes) {
      return bad(where + "/1",
                 fmt::format("found {}, expected a node from 0 to {}", node, instance.nodes - 1));
    }
    if (!(date >= earliest) || std::isinf(date)) {
      return bad(where + "/0",
                 fmt::format("found {}, expected a date of at least {}", date, earliest));
    }
    earliest = date;
  }
  return {};
}

}  // namespace

double Instance::job_bandwidth(std::int64_t job_nodes) const {
  return std::min(static_cast<double>(job_nodes) * node_bandwidth, bandwidth);
}

double Instance::node_mtbf() const {
  if (observed_mtbf) return *observed_mtbf;
  return law ? law->mean() : kNever;
}

bool Instance::is_steady() const {
  if (draws_jobs() || jobs.empty()) return false;
  std::int64_t wanted = 0;
  for (const Job& job : jobs) wanted += job.nodes;
  return wanted <= nodes && std::all_of(jobs.begin(), jobs.end(), [](const Job& job) {
           return job.is_endless() && job.submit == 0;
         });
}

double dedicated_time(double volume, double bandwidth) {
  return volume > 0 && bandwidth < kNever ? volume / bandwidth : 0;
}

double estimate_of(const Instance& instance, const Job& job) {
  if (job.estimate) return *job.estimate;
  if (job.is_endless()) return kNever;
  const double bandwidth = instance.job_bandwidth(job.nodes);
  const double checkpoint = dedicated_time(job.checkpoint, bandwidth);
  const double mtbf = instance.node_mtbf() / static_cast<double>(job.nodes);
  double checkpoints = 0;
  if (checkpoint > 0) {
    // One after each period, except that the output, if there is one, replaces the last.
    const double period = young_daly_period(checkpoint, mtbf);
    checkpoints = std::max(1.0, std::ceil(job.work / period)) - (job.output > 0 ? 1 : 0);
  }
  return kSlack * (job.work + dedicated_time(job.input, bandwidth) +
                   dedicated_time(job.output, bandwidth) + checkpoints * checkpoint);
}

namespace {

/// Refuses a checkpoint so short that a job would save without end. Volumes are in bytes: it was meant to be larger.
Status check_number_of_checkpoints(const Instance& instance, double volume, std::int64_t nodes,
                                   double work, const std::string& where) {
  constexpr double kShort = 1e-3;
  constexpr double kMost = 1e7;  // checkpoints; a year of a checkpoint every 3 s
  const double checkpoint = dedicated_time(volume, instance.job_bandwidth(nodes));
  if (!(checkpoint > 0) || checkpoint >= kShort) return {};
  const double period =
      young_daly_period(checkpoint, instance.node_mtbf() / static_cast<double>(nodes));
  const double count = std::min(work, instance.horizon) / period;
  if (!(count > kMost) || std::isinf(count)) return {};
  return bad(where, fmt::format("found {} bytes, which are written in {:.2g} s, so that the job "
                                "saves every {:.2g} s, {:.2g} times; expected a volume in bytes, "
                                "such as \"52TB\", or a period of the job's own",
                                volume, checkpoint, period, count));
}

Status check_checkpoints(const Instance& instance) {
  for (std::size_t i = 0; i < instance.jobs.size(); ++i) {
    const Job& job = instance.jobs[i];
    if (job.period || !job.segments.empty()) continue;
    HOLDFAST_CHECK(check_number_of_checkpoints(instance, job.checkpoint, job.nodes, job.work,
                                               pointer_to("/jobs", i) + "/checkpoint"));
  }
  for (std::size_t i = 0; i < instance.classes.size(); ++i) {
    const JobClass& one = instance.classes[i];
    const double work = instance.draws_jobs() && one.walltime > 0 ? one.walltime : kNever;
    HOLDFAST_CHECK(check_number_of_checkpoints(instance, one.checkpoint, one.nodes, work,
                                               pointer_to("/classes", i) + "/checkpoint"));
  }
  return {};
}

}  // namespace

Status check(const Instance& instance) {
  HOLDFAST_CHECK(instance_fields().check(instance));
  if (!(instance.warmup < instance.horizon)) {
    return bad("/warmup", fmt::format("found {} s, expected less than the horizon, {} s",
                                      instance.warmup, instance.horizon));
  }
  HOLDFAST_CHECK(check_classes(instance));
  for (std::size_t i = 0; i < instance.jobs.size(); ++i) {
    HOLDFAST_CHECK(check_job(instance, instance.jobs[i], pointer_to("/jobs", i)));
  }
  HOLDFAST_CHECK(check_checkpoints(instance));
  HOLDFAST_CHECK(check_ages(instance));
  return check_events(instance);
}

}  // namespace holdfast::machine
