#include "holdfast/domains/taskgraph/generator.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/kernel/random.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace holdfast::taskgraph {
namespace {

/// The streams of one instance, by what they draw.
enum class Draws : std::uint64_t { graph, works, bounds, fractions, overheads, models };

Stream stream(std::uint64_t seed, std::uint64_t index, Draws draws) {
  return Stream({.seed = seed,
                 .purpose = Purpose::instance,
                 .instance = index,
                 .entity = static_cast<std::uint64_t>(draws)});
}

/// Returns the number rounded towards zero, as daggen does with every real number that it draws.
std::int64_t whole(double value) {
  return static_cast<std::int64_t>(value);
}

/// Returns the first task of each layer; the last entry is the number of tasks.
std::vector<std::size_t> draw_layers(const GeneratorParameters& parameters, Stream& random) {
  // A power of 10000 tasks may come out as 99.999...
  const double mean = std::floor(
      elementary::pow(static_cast<double>(parameters.tasks), parameters.fat) * (1 + 1e-12));
  const double spread = 1 - parameters.regularity;
  std::vector<std::size_t> starts{0};
  while (starts.back() < static_cast<std::size_t>(parameters.tasks)) {
    const double factor = 1 + spread * (2 * random.uniform() - 1);
    const std::int64_t size = std::max<std::int64_t>(1, whole(mean * factor));
    starts.push_back(std::min(starts.back() + static_cast<std::size_t>(size),
                              static_cast<std::size_t>(parameters.tasks)));
  }
  return starts;
}

/// A draw of the parents of the tasks, one task at a time.
class Edges {
 public:
  Edges(const GeneratorParameters& parameters, Stream& random)
      : parameters_{parameters}, random_{random}, starts_{draw_layers(parameters, random)} {}

  Dag draw() {
    const auto tasks = static_cast<std::size_t>(parameters_.tasks);
    last_child_.assign(tasks, kNone);
    build_.reserve(tasks, expected_edges());
    for (std::size_t layer = 0; layer + 1 < starts_.size(); ++layer) {
      for (std::size_t task = starts_[layer]; task < starts_[layer + 1]; ++task) {
        build_.add_task();
        if (layer > 0) draw_parents(task, layer);
      }
    }
    auto graph = std::move(build_).build();
    assert(graph);
    return std::move(*graph);
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  [[nodiscard]] std::size_t width(std::size_t layer) const {
    return starts_[layer + 1] - starts_[layer];
  }

  [[nodiscard]] std::size_t expected_edges() const {
    double edges = 0;
    for (std::size_t layer = 1; layer + 1 < starts_.size(); ++layer) {
      edges += static_cast<double>(width(layer)) *
               (1 + parameters_.density * static_cast<double>(width(layer - 1)) / 2);
    }
    return static_cast<std::size_t>(edges);
  }

  void draw_parents(std::size_t task, std::size_t layer) {
    const double before = static_cast<double>(width(layer - 1));
    const std::int64_t parents =
        std::min(1 + whole(random_.uniform(0, parameters_.density * before)), whole(before));
    for (std::int64_t k = 0; k < parents; ++k) {
      const auto up = static_cast<std::size_t>(
          whole(random_.uniform(1, static_cast<double>(parameters_.jump) + 1)));
      add_parent(task, up < layer ? layer - up : 0);
    }
  }

  // Adds a random task of the layer as a parent, or the next one that is not a parent yet; none if all are.
  void add_parent(std::size_t task, std::size_t layer) {
    const std::size_t tasks = width(layer);
    auto at = static_cast<std::size_t>(whole(random_.uniform(0, static_cast<double>(tasks))));
    for (std::size_t tried = 0; tried < tasks; ++tried) {
      const std::size_t parent = starts_[layer] + at;
      if (last_child_[parent] != task) {
        last_child_[parent] = task;
        build_.add_parent(parent);
        return;
      }
      at = (at + 1) % tasks;
    }
  }

  const GeneratorParameters& parameters_;
  Stream& random_;
  std::vector<std::size_t> starts_;
  std::vector<std::size_t> last_child_;  ///< [n] task of which this one became a parent last
  DagBuilder build_;
};

// Draws a tree or a fork-join graph. Its first task stands alone; then come the layers that were drawn, and in a fork-join graph
// after each of them the task that joins it and forks the next one.
Dag draw_other_shape(const GeneratorParameters& parameters, Stream& random) {
  const auto tasks = static_cast<std::size_t>(parameters.tasks);
  const std::vector<std::size_t> drawn = draw_layers(parameters, random);
  std::vector<Edge> edges;
  std::size_t above = 0, end = 1;  // the layer above: [above, end)
  const auto link = [&](std::size_t parent, std::size_t child) {
    Edge edge{static_cast<TaskIndex>(parent), static_cast<TaskIndex>(child)};
    if (parameters.shape == Shape::in_tree) {
      edge = {static_cast<TaskIndex>(tasks - 1 - child),
              static_cast<TaskIndex>(tasks - 1 - parent)};
    }
    edges.push_back(edge);
  };
  for (std::size_t layer = 0; end < tasks; ++layer) {
    const std::size_t width = drawn[layer + 1] - drawn[layer];
    const std::size_t begin = end;
    end = std::min(tasks, begin + width);
    for (std::size_t task = begin; task < end; ++task) {
      const auto count = static_cast<std::int64_t>(begin - above);
      link(above + static_cast<std::size_t>(random.integer(0, count - 1)), task);
    }
    above = begin;
    if (parameters.shape != Shape::fork_join || end == tasks) continue;
    for (std::size_t task = begin; task < end; ++task) link(task, end);  // the join
    above = end++;
  }
  return Dag::from_edges(tasks, edges).value();
}

// The jobs of a log, each after the one that it follows.
Dag graph_of(const LoggedSizes& log) {
  std::vector<Edge> edges;
  for (std::size_t job = 0; job < log.preceding.size(); ++job) {
    if (log.preceding[job] < 0) continue;
    edges.push_back({static_cast<TaskIndex>(log.preceding[job]), static_cast<TaskIndex>(job)});
  }
  return Dag::from_edges(log.jobs.size(), edges).value();  // to earlier ones: no cycle
}

constexpr double kLargestExponent = 5;
constexpr std::int64_t kLargestSide = 10;  // largest N of a kernel, in multiples of 1024
constexpr double kMostOperations = 512;

double power_of_ten(Stream& random, double low, double high) {
  return elementary::pow(10.0, random.uniform(low, high));
}

// N is a multiple of 1024; kernels that are not cubic have 64 to 512 operations per element.
double kernel_work(Stream& random) {
  const double n = 1024.0 * static_cast<double>(random.integer(2, kLargestSide));
  const double operations = random.uniform(64, kMostOperations);
  switch (random.integer(0, 2)) {
    case 0:
      return operations * n * n;
    case 1:
      return 2 * operations * n * n * elementary::log2(n);
    default:
      return n * n * n;
  }
}

}  // namespace

double longest_work(WorkLaw law) {
  if (law == WorkLaw::log_uniform) return elementary::pow(10.0, kLargestExponent);
  const double n = 1024.0 * static_cast<double>(kLargestSide);
  return std::max(2 * kMostOperations * n * n * elementary::log2(n), n * n * n);
}

std::int64_t tasks_of(const GeneratorParameters& parameters) {
  if (parameters.log == nullptr) return parameters.tasks;
  return std::min(parameters.tasks, std::int64_t{std::ssize(parameters.log->jobs)});
}

Instance generate(const GeneratorParameters& parameters, std::uint64_t seed, std::uint64_t index) {
  Instance instance;
  instance.processors = parameters.processors;
  instance.error_model = parameters.error_model;
  instance.error_rate = parameters.error_rate;
  instance.checkpoint = parameters.checkpoint;
  instance.recovery = parameters.recovery;
  Stream shape = stream(seed, index, Draws::graph);
  LoggedSizes logged;
  if (parameters.log != nullptr) {
    logged = drawn_from(*parameters.log, tasks_of(parameters), std::move(shape));
    instance.graph = graph_of(logged);
    instance.releases = logged.releases;
  } else {
    instance.graph = parameters.shape == Shape::layered ? Edges(parameters, shape).draw()
                                                        : draw_other_shape(parameters, shape);
  }

  Stream works = stream(seed, index, Draws::works);
  Stream bounds = stream(seed, index, Draws::bounds);
  Stream fractions = stream(seed, index, Draws::fractions);
  Stream overheads = stream(seed, index, Draws::overheads);
  Stream models = stream(seed, index, Draws::models);
  instance.tasks.reserve(instance.graph.size());
  for (std::size_t task = 0; task < instance.graph.size(); ++task) {
    const double work = parameters.works == WorkLaw::kernels
                            ? kernel_work(works)
                            : power_of_ten(works, 2, kLargestExponent);
    const std::int64_t bound = bounds.integer(1, parameters.max_parallelism);
    const double drawn = power_of_ten(fractions, -3, -0.5);
    const double fraction = parameters.sequential_fraction.value_or(drawn);
    const double overhead = work * power_of_ten(overheads, -6, -2);
    switch (parameters.model == TaskModel::any ? static_cast<TaskModel>(models.integer(0, 3))
                                               : parameters.model) {
      case TaskModel::roofline:
        instance.tasks.push_back(Speedup::roofline(work, bound));
        break;
      case TaskModel::communication:
        instance.tasks.push_back(Speedup::communication(work, overhead));
        break;
      case TaskModel::amdahl:
        instance.tasks.push_back(Speedup::amdahl(work, fraction));
        break;
      default:
        instance.tasks.push_back(Speedup::mix(work, bound, fraction, overhead));
        break;
    }
    if (parameters.log == nullptr) continue;
    Speedup& speedup = instance.tasks.back();
    const LoggedSize& size = logged.jobs[task];
    speedup = stretched(parameters.speedup.value_or(speedup), size);
    instance.given.push_back(
        {.allocations = {std::min(size.processors, speedup.limit(parameters.processors))}});
  }
  return instance;
}

}  // namespace holdfast::taskgraph
