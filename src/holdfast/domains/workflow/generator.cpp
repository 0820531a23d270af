#include "holdfast/domains/workflow/generator.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/domains/workflow/failure_free.hpp"
#include "holdfast/domains/workflow/families/sketch.hpp"

#include <fmt/format.h>

#include <array>
#include <cassert>
#include <cmath>

namespace holdfast::workflow {
namespace {

// In the order of Family.
constexpr auto kRecipes =
    std::to_array<const FamilyRecipe*>({&kBlast, &kBwa, &kCycles, &kEpigenomics, &kGenome,
                                        &kMontage, &kSeismology, &kSoykb, &kSrasearch});
// The size and the machine of the experiments for which lengths are scaled.
constexpr std::int64_t kScaledTasks = 50'000;
constexpr std::int64_t kScaledProcessors = 16'384;
// Streams of one instance.
constexpr std::uint64_t kGraphEntity = 0;
constexpr std::uint64_t kTargetEntity = 1;

const FamilyRecipe& recipe_of(Family family) {
  return *kRecipes[static_cast<std::size_t>(family)];
}

Generated drawn(Family family, std::int64_t tasks, std::uint64_t seed, std::uint64_t instance) {
  Stream stream(
      {.seed = seed, .purpose = Purpose::instance, .instance = instance, .entity = kGraphEntity});
  const FamilyRecipe& recipe = recipe_of(family);
  Sketch sketch(recipe.types, stream);
  sketch.build.reserve(static_cast<std::size_t>(tasks), 2 * static_cast<std::size_t>(tasks));
  recipe.draw(sketch, tasks);
  Generated out;
  auto graph = std::move(sketch.build).build();
  assert(graph.has_value() && "recipes name tasks that they have added");
  out.graph = std::move(*graph);
  out.lengths = std::move(sketch.lengths);
  out.type_of = std::move(sketch.type_of);
  for (const TaskType& type : recipe.types) out.types.push_back(type.name);
  return out;
}

double makespan_of(const Generated& workflow, std::int64_t processors) {
  Instance instance;
  instance.processors = processors;
  instance.graph = workflow.graph;
  instance.lengths = workflow.lengths;
  return failure_free_schedule(instance).makespan;
}

double target_of(Scale scale, std::uint64_t seed, std::uint64_t instance) {
  constexpr double kDay = 86400;
  constexpr double kHour = 3600;
  Stream stream(
      {.seed = seed, .purpose = Purpose::instance, .instance = instance, .entity = kTargetEntity});
  return scale == Scale::small ? stream.uniform(15 * kHour, 24 * kHour)
                               : stream.uniform(3 * kDay, 5 * kDay);
}

double factor_of(const GeneratorParameters& parameters, const Generated& workflow,
                 std::uint64_t seed, std::uint64_t instance, FactorCache* cache) {
  if (parameters.factor) return *parameters.factor;
  Scale scale = parameters.scale;
  if (scale == Scale::none) return 1;
  if (scale == Scale::author) {
    const double known = recipe_of(parameters.family).author_factor;
    if (known > 0) return known;
    scale = Scale::large;
  }
  const std::tuple key{parameters.family, scale, seed, instance};
  if (cache != nullptr) {
    if (const auto found = cache->find(key); found != cache->end()) return found->second;
  }
  const double makespan =
      parameters.tasks == kScaledTasks
          ? makespan_of(workflow, kScaledProcessors)
          : makespan_of(drawn(parameters.family, kScaledTasks, seed, instance), kScaledProcessors);
  const double factor = target_of(scale, seed, instance) / makespan;
  if (cache != nullptr) cache->emplace(key, factor);
  return factor;
}

}  // namespace

std::int64_t least_tasks(Family family) {
  return recipe_of(family).least;
}

std::string Generated::name(std::size_t task) const {
  return fmt::format("{}_{:08}", types[type_of[task]], task + 1);
}

Generated generate(const GeneratorParameters& parameters, std::uint64_t seed,
                   std::uint64_t instance, FactorCache* cache) {
  assert(parameters.tasks >= least_tasks(parameters.family));
  Generated out = drawn(parameters.family, parameters.tasks, seed, instance);
  const double factor = factor_of(parameters, out, seed, instance, cache);
  if (factor != 1) {
    for (double& length : out.lengths) length *= factor;
  }
  return out;
}

Instance tight_instance(std::int64_t size) {
  assert(size >= 2 && size <= 6);
  const auto k = static_cast<double>(size);
  const double rate = elementary::log1p(1 / (2 * k)) / (2 * k);
  // The largest number of tasks n for which (ln n + 1) T / W_YD is at most T, so that segments have length 1.
  const auto count = static_cast<std::size_t>(std::floor(elementary::exp(std::sqrt(2 / rate) - 1)));
  Instance out;
  out.processors = static_cast<std::int64_t>(count);
  out.mtbf = 1 / rate;
  out.lengths.assign(count, 2 * k - 1);
  out.checkpoints = {1};
  out.recoveries = {0};
  auto graph = Dag::from_edges(count, {});
  assert(graph.has_value());
  out.graph = std::move(*graph);
  return out;
}

}  // namespace holdfast::workflow
