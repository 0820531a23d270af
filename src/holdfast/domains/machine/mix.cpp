#include "holdfast/domains/machine/mix.hpp"

#include <algorithm>

namespace holdfast::machine {
namespace {

SharedMachine without_classes(const Instance& instance) {
  return {.nodes = static_cast<double>(instance.nodes),
          .bandwidth = instance.bandwidth,
          .node_bandwidth = instance.node_bandwidth,
          .mtbf = instance.node_mtbf(),
          .downtime = instance.downtime,
          .classes = {}};
}

MachineClass class_of(const Job& job) {
  MachineClass out{.jobs = 1,
                   .nodes = static_cast<double>(job.nodes),
                   .checkpoint = job.checkpoint,
                   .recovery = job.recovery};
  if (job.checkpoint == 0) {  // one segment; after a failure the input is read again
    if (!job.is_endless()) out.work = job.work;
    out.recovery = job.input > 0 ? job.input : job.recovery;
  }
  return out;
}

}  // namespace

std::optional<SharedMachine> shared_machine(const Instance& instance) {
  SharedMachine out = without_classes(instance);
  if (instance.is_steady()) {
    RunningMix mix(instance, 1);
    for (const Job& job : instance.jobs) {
      const auto kind = mix.kind_of(job);
      if (kind == out.classes.size()) {
        out.classes.push_back(class_of(job));
      } else {
        out.classes[kind].jobs += 1;
      }
    }
    return out;
  }
  if (!instance.draws_jobs()) return std::nullopt;
  double shares = 0;
  for (const JobClass& one : instance.classes) shares += one.share;
  for (const JobClass& one : instance.classes) {
    const auto nodes = static_cast<double>(one.nodes);
    const double bandwidth = instance.job_bandwidth(one.nodes);
    MachineClass row{.jobs = one.running.value_or(one.share / shares * out.nodes / nodes),
                     .nodes = nodes,
                     .checkpoint = one.checkpoint,
                     .recovery = one.recovery.value_or(one.checkpoint),
                     .regular = (one.input + one.output) / one.walltime};
    if (one.checkpoint == 0) {
      row.work = std::max(0.0, one.walltime - dedicated_time(one.input, bandwidth) -
                                   dedicated_time(one.output, bandwidth));
      row.recovery = one.input;
    }
    out.classes.push_back(row);
  }
  return out;
}

RunningMix::RunningMix(const Instance& instance, double load)
    : machine_{without_classes(instance)}, load_{load} {}

RunningMix::Kind RunningMix::kind_of(const Job& job) {
  const MachineClass one = class_of(job);
  const Shape shape{job.nodes, one.checkpoint, one.recovery, one.work.value_or(0)};
  const auto [place, is_new] = kinds_.try_emplace(shape, static_cast<Kind>(shapes_.size()));
  if (is_new) shapes_.push_back(one);
  return place->second;
}

void RunningMix::start(Kind kind) {
  const auto place =
      std::lower_bound(counts_.begin(), counts_.end(), std::pair{kind, std::int64_t{0}});
  if (place != counts_.end() && place->first == kind) {
    ++place->second;
  } else {
    counts_.insert(place, {kind, 1});
  }
  current_[0] = current_[1] = nullptr;
}

void RunningMix::end(Kind kind) {
  const auto place =
      std::lower_bound(counts_.begin(), counts_.end(), std::pair{kind, std::int64_t{0}});
  if (--place->second == 0) counts_.erase(place);
  current_[0] = current_[1] = nullptr;
}

double RunningMix::period(Kind kind, bool is_first_order) {
  const std::vector<double>& all = periods(is_first_order);
  const auto place =
      std::lower_bound(counts_.begin(), counts_.end(), std::pair{kind, std::int64_t{0}});
  return all[static_cast<std::size_t>(place - counts_.begin())];
}

const std::vector<double>& RunningMix::periods(bool is_first_order) {
  const std::vector<double>*& current = current_[is_first_order ? 1 : 0];
  if (current == nullptr) {
    auto& known = known_[is_first_order ? 1 : 0];
    constexpr std::size_t kMostKnown = 4096;  // in a long log hardly any set occurs twice
    if (known.size() >= kMostKnown) known.clear();
    const auto [place, is_new] = known.try_emplace(counts_);
    if (is_new) place->second = make_periods(is_first_order);
    current = &place->second;
  }
  return *current;
}

std::vector<double> RunningMix::make_periods(bool is_first_order) const {
  SharedMachine machine = machine_;
  for (const auto& [kind, count] : counts_) {
    machine.classes.push_back(shapes_[kind]);
    machine.classes.back().jobs = static_cast<double>(count);
  }
  const std::vector<SharedClass> classes = shared_classes(machine);
  const auto plan =
      is_first_order ? plan_shared_first_order(classes, 0, load_) : plan_shared(classes, 0, load_);
  return plan ? plan->periods : plan_of_each_alone(classes, 0).periods;
}

}  // namespace holdfast::machine
