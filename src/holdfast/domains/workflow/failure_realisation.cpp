#include "holdfast/domains/workflow/failure_realisation.hpp"

#include "holdfast/kernel/samplers.hpp"

#include <algorithm>
#include <utility>

namespace holdfast::workflow {
namespace {

constexpr double kStretch = 1.25;
constexpr double kLongestStretch = 1;

// The number of a stream of one scenario: 0 is the axis, and each task has three.
std::uint64_t entity_of(std::size_t task, std::uint64_t which) {
  return 1 + 3 * static_cast<std::uint64_t>(task) + which;
}

Stream stream_of(StreamKey key, std::uint64_t entity) {
  key.entity = entity;
  return Stream(key);
}

}  // namespace

FailureRealisation::FailureRealisation(const Instance& instance)
    : ends_(instance.size()), rates_(instance.size()) {
  double end = 0;
  for (std::size_t task = 0; task < instance.size(); ++task) {
    rates_[task] = instance.rate(task);
    const double exposed = instance.lengths[task] + instance.checkpoint(task);
    end += std::min(kStretch * exposed * rates_[task], kLongestStretch);
    ends_[task] = end;
  }
}

double FailureRealisation::covered(std::size_t task) const {
  return (ends_[task] - (task == 0 ? 0.0 : ends_[task - 1])) / rates_[task];
}

void FailureRealisation::draw(const StreamKey& key, std::vector<FirstFailure>& out) const {
  out.clear();
  Stream axis = stream_of(key, 0);
  double at = 0;
  for (auto next = ends_.begin();;) {
    at += sample_exponential(axis, 1);
    next = std::upper_bound(next, ends_.end(), at);
    if (next == ends_.end()) return;
    const auto task = static_cast<TaskIndex>(next - ends_.begin());
    if (!out.empty() && out.back().task == task) continue;  // only the first failure is used here
    const double begin = task == 0 ? 0.0 : ends_[task - 1];
    out.push_back({task, (at - begin) / rates_[task]});
  }
}

ExposureOutcome FailureRealisation::continued(const Execution& execution, Stream& stream,
                                              double first, std::size_t task) const {
  const double mean = 1 / rates_[task];
  bool is_first = true;
  ExposureOutcome out = walk(execution, [&] {
    return std::exchange(is_first, false) ? first : sample_exponential(stream, mean);
  });
  if (out.failures == 0) out.duration = execution.undisturbed();
  return out;
}

ExposureOutcome FailureRealisation::outcome(const Execution& execution, const StreamKey& key,
                                            const FirstFailure& first) const {
  Stream stream = stream_of(key, entity_of(first.task, 0));
  return continued(execution, stream, first.gap, first.task);
}

ExposureOutcome FailureRealisation::outcome_beyond(const Execution& execution, const StreamKey& key,
                                                   std::size_t task) const {
  Stream beyond = stream_of(key, entity_of(task, 1));
  const double first = covered(task) + sample_exponential(beyond, 1 / rates_[task]);
  Stream stream = stream_of(key, entity_of(task, 0));
  return continued(execution, stream, first, task);
}

ExposureOutcome FailureRealisation::plain_outcome(const Execution& execution, const StreamKey& key,
                                                  std::size_t task) const {
  Stream stream = stream_of(key, entity_of(task, 2));
  const double first = sample_exponential(stream, 1 / rates_[task]);
  return continued(execution, stream, first, task);
}

}  // namespace holdfast::workflow
