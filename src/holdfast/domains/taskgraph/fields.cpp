#include "holdfast/domains/taskgraph/fields.hpp"

#include "holdfast/contract/parameter_list.hpp"
#include "holdfast/inputs/job_fields.hpp"

#include <array>
#include <type_traits>
#include <vector>

namespace holdfast::taskgraph {
namespace {

constexpr Range kParallelism = between(1, 1e9);

// The fields that listed and random instances have in common.
template <class S>
constexpr auto platform_rows() {
  constexpr bool kIsListed = std::is_same_v<S, Instance>;
  return joined(std::to_array<Field<S>>({
                    {.name = "processors",
                     .summary = "identical processors of the machine",
                     .member = member<&S::processors>,
                     .range = between(1, static_cast<double>(kMostProcessors)),
                     .is_required = kIsListed},
                }),
                error_rows<S>(kIsListed ? Written::unless_default : Written::always));
}

constexpr auto kInstanceRows = platform_rows<Instance>();

constexpr auto kGeneratorRows = joined(
    platform_rows<GeneratorParameters>(),
    std::to_array<Field<GeneratorParameters>>({
        {.name = "tasks",
         .summary = "number of random tasks, if the instance lists none; with a log: of its jobs, "
                    "from a random one on",
         .member = member<&GeneratorParameters::tasks>,
         .range = between(1, 1e8)},
        {.name = "model",
         .summary = "speedup model of random tasks; any: each task draws one",
         .member = choice<&GeneratorParameters::model, kTaskModels>},
        {.name = "works",
         .summary = "random tasks: 10^u with u from 2 to 5, or those of dense kernels (daggen)",
         .member = choice<&GeneratorParameters::works, kWorkLaws>},
        {.name = "shape",
         .summary = "random graph: layers as in daggen, or fork-join, out-tree, in-tree",
         .member = choice<&GeneratorParameters::shape, kShapes>,
         .written = Written::unless_default},
        {.name = "fat",
         .summary = "random graph: a layer has about tasks^fat tasks",
         .member = member<&GeneratorParameters::fat>,
         .range = between(0, 1)},
        {.name = "density",
         .summary =
             "random graph: largest share of the previous layer that can be parents of a task",
         .member = member<&GeneratorParameters::density>,
         .range = between(0, 1)},
        {.name = "regularity",
         .summary = "random graph: 1 for layers of equal size, 0 for any size",
         .member = member<&GeneratorParameters::regularity>,
         .range = between(0, 1)},
        {.name = "jump",
         .summary = "random graph: largest number of layers between a task and its parents",
         .member = member<&GeneratorParameters::jump>,
         .range = between(1, 1e6)},
        {.name = "max_parallelism",
         .summary = "random tasks of roofline and mix: largest bound on the processors of a task",
         .member = member<&GeneratorParameters::max_parallelism>,
         .range = kParallelism},
        {.name = "sequential_fraction",
         .summary = "sequential fraction of the tasks of amdahl and mix; default: random, and 0.05 "
                    "in a workflow in WfFormat",
         .member = member<&GeneratorParameters::sequential_fraction>,
         .range = between(0, 1)},
        releases_row<GeneratorParameters>(),
    }));

// The fields of a workflow in WfFormat. All but the overhead are also fields of random graphs, which define the options.
constexpr auto kScalingRows = std::to_array<Field<Scaling>>({
    {.name = "sequential_fraction",
     .summary = "sequential fraction of the tasks",
     .member = member<&Scaling::sequential_fraction>,
     .range = between(0, 1),
     .fallback = "-"},
    {.name = "overhead",
     .summary =
         "overhead of the tasks of a workflow in WfFormat: communication and mix; default 0s",
     .member = member<&Scaling::overhead>,
     .unit = Unit::seconds,
     .range = non_negative(),
     .fallback = "-"},
    {.name = "model",
     .summary = "speedup model of the tasks",
     .member = choice<&Scaling::model, kScalingModels>},
    {.name = "max_parallelism",
     .summary = "bound on the processors of a task, roofline and mix",
     .member = member<&Scaling::max_parallelism>,
     .range = kParallelism,
     .fallback = "-"},
});

}  // namespace

const Fields<Instance>& instance_fields() {
  return fields_of<kInstanceRows>();
}

const Fields<GeneratorParameters>& generator_fields() {
  return fields_of<kGeneratorRows>();
}

const Fields<Scaling>& scaling_fields() {
  return fields_of<kScalingRows>();
}

std::span<const Parameter> fields() {
  static const std::vector<Parameter> kFields = one_list(
      {generator_fields().parameters(), scaling_fields().parameters(), logged_sizes_options()});
  return kFields;
}

}  // namespace holdfast::taskgraph
