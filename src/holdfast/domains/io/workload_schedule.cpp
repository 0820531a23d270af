#include "holdfast/base/elementary.hpp"
#include "holdfast/domains/io/workload.hpp"
#include "holdfast/kernel/random.hpp"
#include "holdfast/kernel/samplers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace holdfast::io {
namespace {

constexpr double kDay = 86400;
constexpr double kEnd = 180 * kDay;
constexpr int kRejections = 1000;
constexpr double kSmallest = 0.95;  // smallest ratio of a drawn size to that of its class

// The number of free nodes over time.
class FreeNodes {
 public:
  explicit FreeNodes(double nodes) : steps_{{0, nodes}} {}

  /// Returns the first date from which that many nodes are free for that long.
  /// @param earliest  an earlier answer: the date is known not to be before it
  [[nodiscard]] double first_fit(double nodes, double duration, double earliest) const {
    auto from = static_cast<std::size_t>(place_of(earliest) - steps_.begin());
    for (std::size_t i = from; i < steps_.size(); ++i) {
      if (steps_[i].free < nodes) {
        from = i + 1;
      } else if (i + 1 == steps_.size() || steps_[i + 1].date >= steps_[from].date + duration) {
        return steps_[from].date;
      }
    }
    return std::numeric_limits<double>::infinity();  // more nodes than the machine has
  }

  void take(double nodes, double start, double end) {
    const std::size_t from = step_at(start);
    const std::size_t to = step_at(end);
    for (std::size_t i = from; i < to; ++i) steps_[i].free -= nodes;
  }

 private:
  struct Step {
    double date = 0;
    double free = 0;  // free nodes from that date to the next step's
  };

  [[nodiscard]] std::vector<Step>::const_iterator place_of(double date) const {
    return std::lower_bound(steps_.begin(), steps_.end(), date,
                            [](const Step& step, double at) { return step.date < at; });
  }
  // The step that begins at that date, which is added if there is none.
  std::size_t step_at(double date) {
    const auto next = place_of(date);
    const auto index = next - steps_.begin();
    if (next == steps_.end() || next->date != date) {
      steps_.insert(next, {date, steps_[static_cast<std::size_t>(index - 1)].free});
    }
    return static_cast<std::size_t>(index);
  }

  std::vector<Step> steps_;
};

double nodes_of(const Machine& machine, double cores) {
  return std::clamp(std::ceil(cores / machine.cores_per_node), 1.0, machine.nodes);
}

// A draw of classes in proportion to what they still lack of their shares of half a year.
class ClassDraw {
 public:
  explicit ClassDraw(const WorkloadParameters& p) {
    double shares = 0;
    for (const ApplicationClass& one : p.classes) shares += one.share;
    for (const ApplicationClass& one : p.classes) {
      const double node_seconds = one.walltime * nodes_of(p.machine, one.cores);
      goals_.push_back(one.share / shares * p.machine.nodes * kEnd / node_seconds);
    }
    missing_ = goals_;
  }
  std::size_t draw(Stream& stream) const {
    double sum = 0;
    for (const double missing : missing_) sum += std::max(0.0, missing);
    const std::vector<double>& weights = sum > 0 ? missing_ : goals_;
    if (!(sum > 0)) {
      for (const double goal : goals_) sum += goal;
    }
    double at = stream.uniform() * sum;
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (!(weights[i] > 0)) continue;
      chosen = i;
      at -= weights[i];
      if (at < 0) break;
    }
    return chosen;
  }
  void place(std::size_t index) { --missing_[index]; }

 private:
  std::vector<double> goals_, missing_;
};

}  // namespace

Machine machine_of(double step) {
  constexpr double kGiB = 1024.0 * 1024 * 1024;
  constexpr double kAlpha = 3.1;  // total cores double every 3.1 steps
  const double nodes = elementary::exp2(step / 10);
  const double cores = elementary::exp2(step / kAlpha);
  const double bandwidth = cores / std::max(1.0, step);
  return {.nodes = std::ceil(8894 * nodes),
          .cores_per_node = 16 * cores / nodes,
          .node_bandwidth = 1.2 * kGiB * bandwidth,
          .bandwidth = 200 * kGiB * bandwidth};
}

std::vector<PlacedRun> make_schedule(const WorkloadParameters& p, std::uint64_t seed,
                                     std::uint64_t number) {
  Stream stream({.seed = seed, .purpose = Purpose::instance, .instance = number});
  const auto size_factor = [&] { return std::max(kSmallest, sample_normal(stream, 1, 0.1)); };
  FreeNodes free(p.machine.nodes);
  // Nodes are only taken, never given back: where the smallest run of a class does not fit, no run of the class ever will.
  std::vector<double> earliest(p.classes.size(), 0);
  const auto look_again = [&](std::size_t i) {
    const ApplicationClass& one = p.classes[i];
    return earliest[i] = free.first_fit(nodes_of(p.machine, kSmallest * one.cores),
                                        kSmallest * one.walltime, earliest[i]);
  };
  const auto nothing_starts_early = [&] {
    for (std::size_t i = 0; i < p.classes.size(); ++i) {
      if (look_again(i) < kLatestWindow) return false;
    }
    return true;
  };
  constexpr std::size_t kBetween = 32;  // runs between two updates of `earliest`
  ClassDraw classes(p);
  std::vector<PlacedRun> runs;
  for (int rejected = 0; rejected < kRejections;) {
    const std::size_t index = classes.draw(stream);
    const ApplicationClass& drawn = p.classes[index];
    const double nodes = nodes_of(p.machine, drawn.cores * size_factor());
    const double duration = drawn.walltime * size_factor();
    if (runs.size() % kBetween == 0) look_again(index);
    const double start = free.first_fit(nodes, duration, earliest[index]);
    if (start >= kLatestWindow && nothing_starts_early()) break;
    if (start >= kEnd) {
      ++rejected;
      continue;
    }
    rejected = 0;
    free.take(nodes, start, start + duration);
    classes.place(index);
    runs.push_back({index, nodes, start, start + duration});
  }
  std::stable_sort(runs.begin(), runs.end(),
                   [](const PlacedRun& a, const PlacedRun& b) { return a.start < b.start; });
  return runs;
}

}  // namespace holdfast::io
