#include "holdfast/domains/taskgraph/bounds.hpp"
#include "holdfast/domains/taskgraph/generator.hpp"
#include "holdfast/domains/taskgraph/simulate.hpp"
#include "holdfast/domains/taskgraph/strategies/capped_lpa.hpp"
#include "holdfast/domains/taskgraph/strategies/min_area.hpp"
#include "holdfast/domains/taskgraph/strategies/min_time.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

// The means that the source's authors published after the thesis (50 layered graphs, n = 2500) divide by a bound that
// is too low: their critical path is accumulated in breadth-first order, in which a task may come up before all its
// parents. With that bound the published means come out here, so the schedules agree; reproduce/taskgraph-layered
// shows them beside the ratios to the true bound.
//
// Their graphs: works as daggen draws them, fat = 0.7, density = 0.3, regularity = 0.5, jump = 5. That is where the
// authors' sweeps over fat, density and jump meet the sweep over P. (fat = density = 0.5 with works 10^u, which is
// also said of these numbers, gives 7.4 for min-time under Amdahl and not 23.5.)
namespace holdfast::taskgraph {
namespace {

constexpr int kGraphs = 50;

double breadth_first_path(const Dag& graph, const std::vector<double>& times) {
  std::vector<TaskIndex> order;
  std::vector<bool> is_seen(graph.size(), false);
  for (std::size_t task = 0; task < graph.size(); ++task) {
    if (!graph.parents(task).empty()) continue;
    is_seen[task] = true;
    order.push_back(static_cast<TaskIndex>(task));
  }
  std::vector<double> ends(graph.size(), 0.0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const TaskIndex task = order[i];
    double start = 0;  // a parent that has not come up counts as 0
    for (const TaskIndex parent : graph.parents(task)) start = std::max(start, ends[parent]);
    ends[task] = start + times[task];
    for (const TaskIndex child : graph.children(task)) {
      if (is_seen[child]) continue;
      is_seen[child] = true;
      order.push_back(child);
    }
  }
  return *std::ranges::max_element(ends);
}

// Ratios of one strategy over the graphs.
struct Sample {
  double sum = 0, squares = 0;

  void add(double value) {
    sum += value;
    squares += value * value;
  }
  [[nodiscard]] double mean() const { return sum / kGraphs; }
  // Whether another sample of as many graphs could have that mean: within four standard errors of the difference.
  [[nodiscard]] bool agrees_with(double published) const {
    const double variance = (squares - sum * sum / kGraphs) / (kGraphs - 1);
    return std::abs(mean() - published) <= 4 * std::sqrt(2 * variance / kGraphs);
  }
};

struct Published {
  SpeedupModel model;
  std::int64_t processors;
  std::array<double, 4>
      means;  // capped-lpa, the same longest first, min-time, min-area; 0: not published
};

std::array<Sample, 4> sample(SpeedupModel model, std::int64_t processors) {
  std::array<Sample, 4> out;
  for (int index = 0; index < kGraphs; ++index) {
    const Instance instance = generate({.processors = processors,
                                        .fat = 0.7,
                                        .density = 0.3,
                                        .model = static_cast<TaskModel>(model),
                                        .works = WorkLaw::kernels},
                                       1, static_cast<std::uint64_t>(index));
    const LeastCosts costs = least_costs(instance);
    const double bound = std::max(lower_bounds(instance, costs).area,
                                  breadth_first_path(instance.graph, costs.times));
    const auto ratio = [&](const Strategy& strategy) {
      return simulate(instance, strategy).makespan / bound;
    };
    out[0].add(ratio(CappedLpa::make(instance, {}).value()));
    out[1].add(ratio(CappedLpa::make(instance, {.order = QueueOrder::lpt}).value()));
    out[2].add(ratio(MinTime(instance, QueueOrder::fifo)));
    out[3].add(ratio(MinArea(instance, QueueOrder::fifo)));
  }
  return out;
}

}  // namespace

TEST_CASE("published: means over layered graphs, with the published bound" *
          doctest::test_suite("slow")) {
  const Published rows[] = {
      {SpeedupModel::roofline, 124, {1.2313, 0, 0, 0}},
      {SpeedupModel::communication, 124, {1.2137, 0, 0, 0}},
      {SpeedupModel::amdahl, 124, {1.5294, 0, 0, 0}},
      {SpeedupModel::mix, 124, {1.7001, 0, 0, 0}},
      {SpeedupModel::roofline, 512, {1.2649, 1.3908, 1.5274, 8.115}},
      {SpeedupModel::communication, 512, {1.4018, 1.5465, 2.9585, 9.552}},
      {SpeedupModel::amdahl, 512, {1.9847, 2.0706, 23.52, 7.787}},
      {SpeedupModel::mix, 512, {1.4364, 1.4725, 5.056, 5.257}},
      {SpeedupModel::roofline, 1024, {1.1995, 0, 0, 0}},
      {SpeedupModel::communication, 1024, {1.3095, 0, 0, 0}},
      {SpeedupModel::amdahl, 1024, {1.9520, 0, 0, 0}},
      {SpeedupModel::mix, 1024, {1.3974, 0, 0, 0}},
  };
  for (const Published& row : rows) {
    CAPTURE(name(row.model));
    CAPTURE(row.processors);
    const auto found = sample(row.model, row.processors);
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (row.means[i] == 0) continue;
      CAPTURE(i);
      CAPTURE(found[i].mean());
      CAPTURE(row.means[i]);
      CHECK(found[i].agrees_with(row.means[i]));
    }
  }
}

}  // namespace holdfast::taskgraph
