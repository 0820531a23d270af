#include "holdfast/domains/volatile/evaluator.hpp"

#include "holdfast/base/elementary.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>

namespace holdfast::volatile_workers {
namespace {

constexpr double kNotYet = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kMostRemembered = 1 << 20;
// Above this logarithm of its survival, the communication counts as certain: its mean time is the whole of it.
constexpr double kSureCommunication = -1e-12;

std::vector<UpChain> chains_of(const Instance& instance) {
  std::vector<UpChain> chains;
  chains.reserve(instance.workers.size());
  for (const Worker& worker : instance.workers) chains.emplace_back(*worker.markov);
  return chains;
}

}  // namespace

Evaluator::Evaluator(const Instance& instance, Estimator estimator, Memory memory)
    : instance_{&instance}, estimator_{estimator}, chains_{chains_of(instance)}, sets_{chains_} {
  for (const UpChain& chain : chains_) singles_.push_back(set_values(std::vector{&chain}));
  if (memory == Memory::sets) return;
  const std::int64_t needs = instance.program_slots + instance.tasks * instance.data_slots;
  const auto workers = static_cast<std::int64_t>(chains_.size());
  const std::int64_t members = std::min(workers, instance.tasks);
  if (needs == 0 || needs > kMostRemembered / (workers + members)) return;
  most_needs_ = needs;
  durations_.assign(static_cast<std::size_t>(workers * (needs + 1)), kNotYet);
  rows_.assign(static_cast<std::size_t>((workers + members) * (needs + 1)), -1);
}

double Evaluator::single_duration(std::uint32_t worker, std::int64_t slots) {
  if (most_needs_ == 0) {
    return expected_slots(singles_[worker], static_cast<double>(slots), estimator_);
  }
  double& known = durations_[worker * static_cast<std::size_t>(most_needs_ + 1) +
                             static_cast<std::size_t>(slots)];
  if (std::isnan(known)) {
    known = expected_slots(singles_[worker], static_cast<double>(slots), estimator_);
  }
  return known;
}

Evaluator::Communication Evaluator::communication(const Candidate& candidate) {
  Communication out;
  std::int64_t sum = 0;
  for (const std::uint32_t q : candidate.members) {
    const std::int64_t need = candidate.needs[q];
    if (need == 0) continue;
    sum += need;
    const double duration = single_duration(q, need);
    if (duration > out.slots) {
      out.slots = duration;
      out.key = static_cast<std::int64_t>(q) * (most_needs_ + 1) + need;
    }
  }
  const std::int64_t ports = instance_->concurrent_communications;
  if (static_cast<std::int64_t>(candidate.members.size()) > ports) {
    const double shared = static_cast<double>(sum) / static_cast<double>(ports);
    if (shared > out.slots) {
      out.slots = shared;
      out.key = static_cast<std::int64_t>(chains_.size()) * (most_needs_ + 1) + sum;
    }
  }
  return out;
}

const double* Evaluator::survival_row(const Communication& communication) {
  std::int32_t& row = rows_[static_cast<std::size_t>(communication.key)];
  if (row < 0) {
    row = static_cast<std::int32_t>(survival_.size() / chains_.size());
    for (const UpChain& chain : chains_) {
      survival_.push_back(chain.log_not_down(communication.slots));
    }
  }
  return survival_.data() + static_cast<std::size_t>(row) * chains_.size();
}

double Evaluator::log_survival(const Candidate& candidate, const Communication& communication) {
  if (communication.slots == 0) return 0;
  if (communication.slots == kInfinity) return -kInfinity;
  double sum = 0;
  if (most_needs_ == 0) {
    for (const std::uint32_t q : candidate.members) {
      sum += chains_[q].log_not_down(communication.slots);
    }
    return sum;
  }
  const double* const row = survival_row(communication);
  for (const std::uint32_t q : candidate.members) sum += row[q];
  return sum;
}

ConfigurationValue Evaluator::value(const Candidate& candidate, const SetValues& set, Ask ask) {
  assert(candidate.workload >= 1 && !candidate.members.empty());
  const Communication received = communication(candidate);
  const double log_received = log_survival(candidate, received);
  const auto workload = static_cast<double>(candidate.workload);
  const double log_computed = log_success(set, workload);
  ConfigurationValue out;
  out.log_success = log_received + log_computed;
  out.expected = received.slots + expected_slots(set, workload, estimator_);
  if (ask == Ask::success_and_duration) return out;
  if (out.log_success == -kInfinity) {
    out.log_restart = kInfinity;
    return out;
  }
  const double slots_receiving =
      log_received > kSureCommunication
          ? received.slots
          : received.slots * elementary::expm1(log_received) / log_received;
  const double slots_computing =
      set.log_step == 0
          ? expected_slots(set, workload, Estimator::exact)
          : elementary::exp(log_computed) - set.slots_to_failure * elementary::expm1(log_computed);
  out.log_restart =
      elementary::log(slots_receiving + elementary::exp(log_received) * slots_computing) -
      out.log_success;
  return out;
}

}  // namespace holdfast::volatile_workers
