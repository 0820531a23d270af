#include "holdfast/domains/capacity/instance.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/capacity/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace holdfast::capacity {
namespace {

tl::unexpected<Error> bad(std::string where, std::string message) {
  return fail(ErrorCode::bad_value, std::move(where), std::move(message));
}

Status check_alive(const Instance& instance) {
  if (instance.alive.empty())
    return bad("/alive", "found no step, expected [time, machines] pairs");
  std::int64_t before = instance.alive.front().time - 1;
  for (std::size_t i = 0; i < instance.alive.size(); ++i) {
    const Step& step = instance.alive[i];
    const std::string where = pointer_to("/alive", i);
    if (step.time <= before) {
      return bad(where, fmt::format("found time {}, expected times that increase (after {})",
                                    step.time, before));
    }
    if (step.machines < 0 || step.machines > instance.machines) {
      return bad(where, fmt::format("found {} machines, expected a number from 0 to {}",
                                    step.machines, instance.machines));
    }
    before = step.time;
  }
  return {};
}

// The step that holds at that time.
auto step_at(const std::vector<Step>& steps, std::int64_t time) {
  const auto after = std::ranges::upper_bound(steps, time, {}, &Step::time);
  return after == steps.begin() ? after : std::prev(after);
}

std::vector<AliveSpan> spans_of(const std::vector<Step>& steps, std::int64_t begin,
                                std::int64_t end) {
  std::vector<AliveSpan> out = {{begin, end, step_at(steps, begin)->machines}};
  for (const Step& step : steps) {
    if (step.time <= begin || step.time >= end) continue;
    out.back().end = step.time;
    out.push_back({step.time, end, step.machines});
  }
  return out;
}

// The smallest number of machines in [from, to].
std::int64_t fewest(const std::vector<Step>& steps, std::int64_t from, std::int64_t to) {
  auto step = step_at(steps, from);
  std::int64_t out = step->machines;
  for (++step; step != steps.end() && step->time <= to; ++step) out = std::min(out, step->machines);
  return out;
}

Status check_objective(const Instance& instance) {
  const bool lacks = (instance.objective == Objective::money && instance.price.empty()) ||
                     (instance.objective == Objective::grams && instance.carbon.empty());
  if (!lacks) return {};
  return bad(instance.objective == Objective::money ? "/price/file" : "/carbon/file",
             fmt::format("is missing; the objective {} needs it",
                         kObjectives[static_cast<std::size_t>(instance.objective)]));
}

Status check_sizes(const Instance& instance) {
  if (instance.sizes.empty()) return {};
  if (instance.profile == Profile::author) {
    return bad("/profile",
               "found author, expected default beside machine_sizes: the author's "
               "program knows machines of one size");
  }
  std::int64_t machines = 0, largest = 0;
  for (const MachineSize& size : instance.sizes) {
    if (size.machines < 1 || size.cores < 1)
      return bad("/machine_sizes", "expected at least 1 machine of at least 1 core in each size");
    machines += size.machines;
    largest = std::max(largest, size.cores);
  }
  if (machines == instance.machines && largest == instance.cores) return {};
  return bad("/machine_sizes",
             fmt::format("found {} machines of up to {} cores, expected {} of up to {}", machines,
                         largest, instance.machines, instance.cores));
}

Status check_job(const Job& job, std::size_t index) {
  const std::string where = pointer_to("/jobs", index);
  if (job.release < 0) {
    return bad(where + "/release", fmt::format("job {}: found {}, expected at least 0",
                                               in_quotes(job.id), job.release));
  }
  if (job.cores < 1) {
    return bad(where + "/cores",
               fmt::format("job {}: found {}, expected at least 1", in_quotes(job.id), job.cores));
  }
  if (job.length < 1) {
    return bad(where + "/length", fmt::format("job {}: found {}, expected at least 1 second",
                                              in_quotes(job.id), job.length));
  }
  if (job.category && !(*job.category >= 0 && *job.category <= 1)) {
    return bad(where + "/category", fmt::format("job {}: found {}, expected a number from 0 to 1",
                                                in_quotes(job.id), *job.category));
  }
  return {};
}

}  // namespace

std::int64_t Instance::largest_distance() const {
  if (distance) return *distance;
  if (profile == Profile::author) return 11;
  return std::max<std::int64_t>(1, std::llround(mean_machines() * 5 / 12));
}

std::int64_t Instance::cores_of(std::int64_t machine) const {
  for (const MachineSize& size : sizes) {
    if (machine < size.machines) return size.cores;
    machine -= size.machines;
  }
  return cores;
}

std::int64_t Instance::cores_on(std::int64_t first_machines) const {
  std::int64_t sum = 0;
  for (const MachineSize& size : sizes) {
    const std::int64_t taken = std::min(first_machines, size.machines);
    sum += taken * size.cores;
    first_machines -= taken;
  }
  return sum + first_machines * cores;
}

std::vector<std::int64_t> Instance::distinct_sizes() const {
  std::vector<std::int64_t> out = {cores};
  for (const MachineSize& size : sizes) out.push_back(size.cores);
  std::ranges::sort(out);
  const auto [first, last] = std::ranges::unique(out);
  out.erase(first, last);
  return out;
}

void set_sizes(Instance& instance, const std::vector<MachineSize>& sizes) {
  instance.machines = 0;
  instance.cores = 0;
  instance.sizes.clear();
  for (const MachineSize& size : sizes) {
    instance.machines += size.machines;
    instance.cores = std::max(instance.cores, size.cores);
    if (!instance.sizes.empty() && instance.sizes.back().cores == size.cores) {
      instance.sizes.back().machines += size.machines;
    } else {
      instance.sizes.push_back(size);
    }
  }
  if (instance.sizes.size() == 1) instance.sizes.clear();
}

std::int64_t Instance::alive_at(std::int64_t time) const {
  return step_at(alive, time)->machines;
}

std::vector<AliveSpan> Instance::alive_spans() const {
  return spans_of(alive, begin, end);
}

std::vector<AliveSpan> Instance::powered_spans() const {
  return spans_of(powered_steps(), begin, end);
}

void boot_machines(Instance& instance) {
  if (instance.boot == 0) return;
  instance.powered = std::move(instance.alive);
  instance.alive.clear();
  std::vector<std::int64_t> dates;
  for (const Step& step : instance.powered) {
    dates.push_back(step.time);
    dates.push_back(step.time + instance.boot);
  }
  std::ranges::sort(dates);
  for (const std::int64_t date : dates) {
    const std::int64_t machines = fewest(instance.powered, date - instance.boot, date);
    if (!instance.alive.empty() && instance.alive.back().machines == machines) continue;
    instance.alive.push_back({date, machines});
  }
}

Status check(const Instance& instance) {
  HOLDFAST_CHECK(core_fields().check(instance));
  HOLDFAST_CHECK(machine_fields().check(instance));
  if (instance.safe_machines > instance.machines) {
    return bad("/safe_machines", fmt::format("found {}, expected a number from 0 to {}",
                                             instance.safe_machines, instance.machines));
  }
  if (instance.begin < 0 || instance.begin >= instance.end) {
    return bad("/window", fmt::format("found [{}, {}), expected a window that is not empty",
                                      instance.begin, instance.end));
  }
  HOLDFAST_CHECK(check_sizes(instance));
  HOLDFAST_CHECK(check_alive(instance));
  HOLDFAST_CHECK(check_objective(instance));
  if (instance.checkpoint && (instance.notice_recall < 1 || instance.notice_precision < 1)) {
    return bad("/checkpoint",
               "found it beside a notice_recall or notice_precision below 1, expected one of them: "
               "runs are saved for every shutdown, and for no false alarm");
  }
  constexpr double kMostWork = 4e18;  // core-seconds that can be added up
  double length = 0;
  for (const Job& job : instance.jobs) length += static_cast<double>(job.length);
  if (length * static_cast<double>(instance.cores) > kMostWork) {
    return bad("/jobs", fmt::format("found jobs of {:.3g} s together on machines of {} cores, "
                                    "expected less than {:g} core-seconds",
                                    length, instance.cores, kMostWork));
  }
  for (std::size_t i = 0; i < instance.jobs.size(); ++i) {
    HOLDFAST_CHECK(check_job(instance.jobs[i], i));
  }
  for (std::size_t i = 0; i < instance.reference.size(); ++i) {
    const ReferenceJob& job = instance.reference[i];
    if (job.length < 1 || job.cores < 1) {
      return bad(pointer_to("/reference", i),
                 "expected a length and a number of cores of at least 1");
    }
  }
  return {};
}

std::vector<std::string> warnings(const Instance& instance) {
  std::int64_t count = 0;
  double left_out = 0, all = 0;
  const Job* first = nullptr;
  for (const Job& job : instance.jobs) {
    const double work = static_cast<double>(job.cores) * static_cast<double>(job.length);
    all += work;
    if (job.cores <= instance.cores) continue;
    ++count;
    left_out += work;
    if (first == nullptr) first = &job;
  }
  std::vector<std::string> out;
  if (instance.checkpoint && !instance.saves_runs()) {
    out.push_back(
        fmt::format("no run is saved: a checkpoint takes {} s, and changes are announced {} s "
                    "before (--notice)",
                    *instance.checkpoint, instance.notice));
  }
  if (instance.notice == 0 && (instance.notice_recall < 1 || instance.notice_precision < 1)) {
    out.emplace_back("nothing is announced, well or badly: there is no notice (--notice)");
  }
  if (count > 0) {
    const bool differ = !instance.sizes.empty();
    out.push_back(fmt::format(
        "{} of {} jobs ({:.1f} % of the work) need more than the {} cores of {} and are left out{}",
        count, instance.jobs.size(), 100 * left_out / all, instance.cores,
        differ ? "the largest machine" : "a machine",
        differ
            ? fmt::format("; the first is job {} of {} cores", in_quotes(first->id), first->cores)
            : ""));
  }
  return out;
}

}  // namespace holdfast::capacity
