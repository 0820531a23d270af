#include "holdfast/domains/taskgraph/worst_case.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/domains/taskgraph/allocation.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>

namespace holdfast::taskgraph {
namespace {

constexpr std::int64_t kFewest = 16;
constexpr std::int64_t kMost = std::int64_t{1} << 31;

double three_quarters(std::int64_t processors) {
  return elementary::pow(static_cast<double>(processors), 0.75);
}

/// A maker of the tasks of one worst case: their speedups, and their allocations in both schedules.
class Maker {
 public:
  Maker(SpeedupModel model, std::int64_t processors)
      : model_{model},
        processors_{processors},
        rule_{.alpha = guarantee_of(model)->alpha, .mu = guarantee_of(model)->mu} {}

  [[nodiscard]] std::int64_t allocation(const Speedup& speedup) const {
    return capped_allocation(speedup, processors_, rule_);
  }
  [[nodiscard]] WorstCaseTask task(Speedup speedup, std::int64_t offline) const {
    const std::int64_t p = allocation(speedup);
    return {.speedup = speedup,
            .processors = p,
            .time = speedup.time(p),
            .offline_processors = offline,
            .offline_time = speedup.time(offline)};
  }
  /// Returns w / p + d as a task of the model.
  [[nodiscard]] Speedup sequential_part(double w, double d) const {
    return model_ == SpeedupModel::mix ? Speedup::mix_of_parts(w, d, Speedup::kUnbounded, 0)
                                       : Speedup::amdahl_of_parts(w, d);
  }
  /// Returns w / p as a task of the model.
  [[nodiscard]] Speedup parallel(double w) const {
    switch (model_) {
      case SpeedupModel::roofline:
        return Speedup::roofline(w, Speedup::kUnbounded);
      case SpeedupModel::communication:
        return Speedup::communication(w, 0);
      default:
        return sequential_part(w, 0);
    }
  }

 private:
  SpeedupModel model_;
  std::int64_t processors_;
  AllocationRule rule_;
};

void set_roofline_tasks(WorstCase& worst, const Maker& make, double delta) {
  worst.a = worst.b = make.task(Speedup::roofline(1, 1), 1);
  worst.d = make.task(Speedup::roofline(delta, 1), 1);
}

// At w = 6, (w + 2) / w is the alpha of the model: B gets two processors, and A narrowly does not.
void set_communication_tasks(WorstCase& worst, const Maker& make, double delta) {
  const double step = 1 / static_cast<double>(worst.processors);
  worst.a = make.task(Speedup::communication(6 - step, 1), 2);
  worst.b = make.task(Speedup::communication(6, 1), 1);
  worst.d = make.task(Speedup::communication(delta, 1), 1);
}

// B is the smallest task that gets sqrt(P) processors, and A the largest that does not: their works
// are neighbouring doubles, found by bisection on the allocation itself.
Status set_amdahl_tasks(WorstCase& worst, const Maker& make, double delta) {
  const double d = 1 / std::sqrt(static_cast<double>(worst.processors));
  const auto is_wide = [&](double w) {
    const std::int64_t p = make.allocation(make.sequential_part(w, d));
    return p * p >= worst.processors;
  };
  double below = 0, above = 1;
  while (!is_wide(above) && above < 1e6) above *= 2;
  if (!is_wide(above)) {
    return fail(ErrorCode::bad_value, "/size",
                fmt::format("found {}, on which no task gets sqrt(P) processors, expected a whole "
                            "number of at least 21",
                            worst.processors));
  }
  for (;;) {
    const double middle = below + (above - below) / 2;
    if (middle <= below || middle >= above) break;
    (is_wide(middle) ? above : below) = middle;
  }
  const auto offline = static_cast<std::int64_t>(std::floor(three_quarters(worst.processors)));
  worst.a = make.task(make.sequential_part(below, d), offline);
  worst.b = make.task(make.sequential_part(above, d), 1);
  worst.d = make.task(make.sequential_part(0, delta), 1);
  return {};
}

// The number of tasks grows as 1 / epsilon: it is refused if it is too large to be counted.
Status set_counts(WorstCase& worst) {
  const auto rounded = [](double value) { return static_cast<std::int64_t>(value); };
  const std::int64_t left = worst.processors - worst.c.processors + 1;
  worst.x = (left + worst.b.processors - 1) / worst.b.processors;
  const double layer = static_cast<double>(worst.x) * worst.b.offline_time;
  const double repeated = std::ceil(5 * worst.a.offline_time / (worst.epsilon * layer));
  const auto wide = static_cast<double>(worst.processors - worst.a.offline_processors);
  constexpr double kMostTasks = 9e18;  // fits into 64 bits
  if (!(repeated * wide * static_cast<double>(worst.x + 2) <= kMostTasks / 2 &&
        layer * repeated / worst.a.offline_time <= kMostTasks / 2)) {
    return fail(ErrorCode::bad_value, "/epsilon",
                fmt::format("found {}, with which the graph has more than {:g} tasks, expected a "
                            "larger number",
                            worst.epsilon, kMostTasks));
  }
  worst.k = rounded(repeated);
  worst.y = rounded(std::floor(layer * static_cast<double>(worst.k) / worst.a.offline_time));
  worst.z = worst.k * (worst.processors - worst.a.offline_processors);
  return {};
}

}  // namespace

std::int64_t WorstCase::edges() const {
  // D -> C in each layer; C -> D and the X tasks B of the next; C -> A, then the chain.
  return z + (z - 1) * (x + 1) + y;
}

double WorstCase::makespan() const {
  const bool d_fits = x * b.processors + d.processors <= processors;
  const double layer = b.time + c.time + (d_fits ? 0 : d.time);
  return static_cast<double>(z) * layer + static_cast<double>(y) * a.time;
}

double WorstCase::offline_makespan() const {
  return static_cast<double>(z) * (c.offline_time + d.offline_time) +
         static_cast<double>(x) * static_cast<double>(k) * b.offline_time;
}

double WorstCase::limit() const {
  // The two local ratios that the tasks attain: for Amdahl tasks B has alpha times its smallest area,
  // and A alpha / (alpha - 1) times its shortest time. For the other models with their own
  // parameters, the sum is 1 / mu.
  if (model != SpeedupModel::mix) return parameters.ratio();
  const double alpha = parameters.alpha;
  return alpha / (1 - parameters.mu) + alpha / (alpha - 1);
}

Result<WorstCase> worst_case(SpeedupModel model, std::int64_t processors, double epsilon) {
  const auto parameters = guarantee_of(model);
  if (!parameters) {
    return fail(ErrorCode::bad_value, "family",
                fmt::format("found adversary:{}, expected adversary:roofline, "
                            "adversary:communication, adversary:amdahl or adversary:mix",
                            name(model)));
  }
  if (processors < kFewest || processors > kMost) {
    return fail(
        ErrorCode::bad_value, "/size",
        fmt::format("found {}, expected a whole number from {} to {}", processors, kFewest, kMost));
  }
  if (!(epsilon > 0 && epsilon < 1)) {
    return fail(ErrorCode::bad_value, "/epsilon",
                fmt::format("found {}, expected a number between 0 and 1, both excluded", epsilon));
  }
  WorstCase worst;
  worst.model = model;
  worst.processors = processors;
  worst.epsilon = epsilon;
  worst.parameters = *parameters;
  const double machine = static_cast<double>(processors);
  const double delta = epsilon / (121 * machine * machine);
  const Maker make(model, processors);
  worst.c = make.task(make.parallel(delta), processors);
  if (model == SpeedupModel::roofline) {
    set_roofline_tasks(worst, make, delta);
  } else if (model == SpeedupModel::communication) {
    set_communication_tasks(worst, make, delta);
  } else {
    HOLDFAST_CHECK(set_amdahl_tasks(worst, make, delta));
  }
  HOLDFAST_CHECK(set_counts(worst));
  return worst;
}

std::vector<ProofConstraint> proof_constraints(const WorstCase& worst) {
  const double machine = static_cast<double>(worst.processors);
  const double delta = worst.epsilon / (121 * machine * machine);
  const double wide = three_quarters(worst.processors);
  const double layers = static_cast<double>(worst.z);
  const double k = static_cast<double>(worst.k);
  const double beside = static_cast<double>(worst.x) * k * worst.b.offline_time;
  const double chain = static_cast<double>(worst.y) * worst.a.offline_time;
  const double area_b = worst.b.speedup.area(worst.b.processors);
  const auto within = [](double low, double value, double high) {
    return value >= low * (1 - 1e-12) && value <= high * (1 + 1e-12);
  };
  const auto at_most = [&](double value, double high) { return within(0, value, high); };
  const auto count = [](std::int64_t value) { return static_cast<double>(value); };
  return {
      {"F1", "P >= (120900 / epsilon)^4", machine >= elementary::pow(120900 / worst.epsilon, 4)},
      {"R1", "p_A* <= P^(3/4)", at_most(count(worst.a.offline_processors), wide)},
      {"R2", "0.1 <= t_B* <= 100", within(0.1, worst.b.offline_time, 100)},
      {"R3", "p_B <= P^(3/4)", at_most(count(worst.b.processors), wide)},
      {"R4", "t_D <= t_B", at_most(worst.d.time, worst.b.time)},
      {"R5", "t_D* <= epsilon / (121 P^2)", at_most(worst.d.offline_time, delta)},
      {"R6", "p_D <= 4", worst.d.processors <= 4},
      {"R7", "t_A* <= 24 t_B*", at_most(worst.a.offline_time, 24 * worst.b.offline_time)},
      {"R8", "t_B* = a_B* = t_B(1)",
       worst.b.offline_processors == 1 && worst.b.offline_time == worst.b.speedup.time(1)},
      {"R9", "t_A <= 5 t_A*", at_most(worst.a.time, 5 * worst.a.offline_time)},
      {"R10", "a_B <= 5 a_B*", at_most(area_b, 5 * worst.b.offline_time)},
      {"R11", "t_C* <= epsilon / (121 P^2)", at_most(worst.c.offline_time, delta)},
      {"R12", "p_C >= mu P", count(worst.c.processors) >= worst.parameters.mu * machine},
      {"R13", "1 <= X <= P", worst.x >= 1 && worst.x <= worst.processors},
      {"R14", "X K t_B* (1 - epsilon / 5) <= Y t_A* <= X K t_B*",
       within(beside * (1 - worst.epsilon / 5), chain, beside)},
      {"R15", "K (P - P^(3/4)) <= Z <= 121 P / epsilon",
       within(k * (machine - wide), layers, 121 * machine / worst.epsilon)},
  };
}

namespace {

/// A builder that adds the tasks of the graph in order, each with its place in the proof's schedule.
class Builder {
 public:
  explicit Builder(const WorstCase& worst) : worst_{worst} {
    const auto tasks = static_cast<std::size_t>(worst.size());
    graph_.reserve(tasks, static_cast<std::size_t>(worst.edges()));
    out_.processors = worst.processors;
    out_.tasks.reserve(tasks);
    out_.ids.reserve(tasks);
    out_.given.reserve(tasks);
  }

  Instance build() {
    // The times at which the schedule has run all C and D, and at which each wave of B starts,
    // added up in the simulator's order so that they are the same doubles.
    double wave = 0;
    for (std::int64_t i = 0; i < worst_.z; ++i) wave = wave + worst_.d.time + worst_.c.offline_time;
    const std::int64_t beside = worst_.processors - worst_.a.offline_processors;
    std::int64_t in_wave = 0;
    std::size_t last_c = 0;
    for (std::int64_t layer = 1; layer <= worst_.z; ++layer) {
      const auto add_layered = [&](const WorstCaseTask& task, std::string id, double start) {
        const std::size_t added = add(task, std::move(id), start);
        if (layer > 1) graph_.add_parent(last_c);
        return added;
      };
      for (std::int64_t j = 1; j <= worst_.x; ++j) {
        if (in_wave++ == beside) {
          wave += worst_.b.offline_time;
          in_wave = 1;
        }
        add_layered(worst_.b, fmt::format("B{}.{}", layer, j), wave);
      }
      const std::size_t d = add_layered(worst_.d, fmt::format("D{}", layer), 0);
      last_c = add(worst_.c, fmt::format("C{}", layer), 0);
      graph_.add_parent(d);
    }
    for (std::int64_t i = 1; i <= worst_.y; ++i) {
      const std::size_t a = add(worst_.a, fmt::format("A{}", i), 0);
      graph_.add_parent(i == 1 ? last_c : a - 1);
    }
    auto graph = std::move(graph_).build();
    assert(graph);
    out_.graph = std::move(*graph);
    return std::move(out_);
  }

 private:
  std::size_t add(const WorstCaseTask& task, std::string id, double start) {
    out_.tasks.push_back(task.speedup);
    out_.ids.push_back(std::move(id));
    out_.given.push_back({.allocations = {task.offline_processors}, .start = start});
    return graph_.add_task();
  }

  const WorstCase& worst_;
  DagBuilder graph_;
  Instance out_;
};

}  // namespace

Instance build(const WorstCase& worst) {
  return Builder(worst).build();
}

}  // namespace holdfast::taskgraph
