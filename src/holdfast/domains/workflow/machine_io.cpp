#include "holdfast/domains/workflow/machine_io.hpp"

#include "holdfast/domains/workflow/instance_io.hpp"
#include "holdfast/models/failures/mtbf.hpp"

#include <array>
#include <string_view>

namespace holdfast::workflow {
namespace {

constexpr auto kProfiles = std::to_array<std::string_view>({"default", "author"});
constexpr auto kBases = std::to_array<std::string_view>({"bare", "one-checkpoint"});
constexpr auto kLucks = std::to_array<std::string_view>({"paired", "independent"});
constexpr auto kScales = std::to_array<std::string_view>({"large", "small", "author", "none"});
constexpr Range kProcessors = between(1, static_cast<double>(kMostProcessors));
constexpr Range kTasks = between(3, 1e8);

constexpr auto kFields = std::to_array<Parameter>({
    {.name = "workflow", .summary = "workflow in WfFormat (WfCommons)", .kind = Kind::file},
    {.name = "processors",
     .summary = "identical processors of the machine; of a random workflow 16384",
     .kind = Kind::integer,
     .range = kProcessors},
    {.name = "mtbf",
     .summary = "mean time between failures of one processor; random: 10y",
     .unit = Unit::seconds,
     .range = positive()},
    {.name = "platform_mtbf",
     .summary =
         "of the whole machine, in place of the mtbf: one processor's is 'processors' times that",
     .unit = Unit::seconds,
     .range = positive()},
    {.name = "checkpoint",
     .summary = "time of one checkpoint; random: 60s",
     .unit = Unit::seconds,
     .range = non_negative()},
    {.name = "recovery",
     .summary = "after a failure; default: as long as the checkpoint",
     .unit = Unit::seconds,
     .range = non_negative()},
    {.name = "downtime",
     .summary = "between a failure and the recovery",
     .unit = Unit::seconds,
     .range = non_negative(),
     .fallback = "0s"},
    {.name = "profile",
     .summary = "the thesis's rules, or those of its author's simulator",
     .kind = Kind::choice,
     .fallback = "default",
     .choices = kProfiles},
    {.name = "base",
     .summary = "ratios divide by the makespan of bare tasks, or with one checkpoint each",
     .kind = Kind::choice,
     .fallback = "bare",
     .choices = kBases},
    {.name = "luck",
     .summary = "failures the same for all strategies, or not; profile author: independent",
     .kind = Kind::choice,
     .choices = kLucks},
    {.name = "priority",
     .summary = "which ready task starts first: longest, lowest, longest path, shortest",
     .kind = Kind::choice,
     .fallback = "lpt",
     .choices = kPriorityNames},
    {.name = "strict",
     .summary = "no task overtakes one before it in the list",
     .kind = Kind::flag},
    {.name = "use_cores",
     .summary = "WfFormat: a task takes as many processors as it had cores",
     .kind = Kind::flag},
    {.name = "default_runtime",
     .summary = "WfFormat: of tasks without a run time",
     .unit = Unit::seconds,
     .range = non_negative()},
    {.name = "family",
     .summary = "random workflow: which application",
     .kind = Kind::choice,
     .fallback = "seismology",
     .choices = kFamilyNames},
    {.name = "tasks",
     .summary = "random workflow: about how many tasks",
     .kind = Kind::integer,
     .range = kTasks,
     .fallback = "50000"},
    {.name = "scale",
     .summary = "random workflow: makespan of 3-5 d, of 15-24 h, author's factor, as measured",
     .kind = Kind::choice,
     .fallback = "large",
     .choices = kScales},
    {.name = "runtime_factor",
     .summary = "random workflow: multiply run times by this in place of the scale",
     .range = positive()},
});

template <class Enum>
Enum choice(ObjectReader& read, std::string_view name, std::span<const std::string_view> choices,
            Enum fallback) {
  return static_cast<Enum>(read.choice_or(name, choices, static_cast<std::size_t>(fallback)));
}

template <class Enum>
std::string_view name_of(std::span<const std::string_view> choices, Enum value) {
  return choices[static_cast<std::size_t>(value)];
}

}  // namespace

std::span<const Parameter> fields() {
  return kFields;
}

void read_machine(ObjectReader& read, Instance& instance, Costs& costs,
                  const MachineDefaults& defaults) {
  instance.processors = defaults.processors && !read.has("processors")
                            ? *defaults.processors
                            : read.integer("processors", kProcessors);
  if (const auto mtbf = read_mtbf(read, instance.processors)) {
    instance.mtbf = *mtbf;
  } else if (defaults.mtbf) {
    instance.mtbf = *defaults.mtbf;
  }
  costs.checkpoint = read.seconds_or("checkpoint", costs.checkpoint, non_negative());
  if (read.has("recovery")) costs.recovery = read.seconds("recovery", non_negative());
  instance.downtime = read.seconds_or("downtime", 0, non_negative());
  instance.profile = choice(read, "profile", kProfiles, Profile::standard);
  instance.base = choice(read, "base", kBases, Base::bare);
  instance.luck = choice(read, "luck", kLucks,
                         instance.profile == Profile::author ? LuckOf::each : LuckOf::all);
  instance.priority = choice(read, "priority", kPriorityNames, Priority::lpt);
  instance.strict = read.flag_or("strict", false);
}

Value machine_value(const Instance& instance) {
  Value out = Value::object({{"processors", instance.processors}});
  if (1 / instance.mtbf > 0) out.set("mtbf", instance.mtbf);
  out.set("downtime", instance.downtime);
  if (instance.profile != Profile::standard)
    out.set("profile", name_of(kProfiles, instance.profile));
  if (instance.base != Base::bare) out.set("base", name_of(kBases, instance.base));
  const LuckOf usual = instance.profile == Profile::author ? LuckOf::each : LuckOf::all;
  if (instance.luck != usual) out.set("luck", name_of(kLucks, instance.luck));
  if (instance.priority != Priority::lpt) {
    out.set("priority", name_of(kPriorityNames, instance.priority));
  }
  if (instance.strict) out.set("strict", true);
  return out;
}

void read_generator(ObjectReader& read, Profile profile, GeneratorParameters& out) {
  out.family = choice(read, "family", kFamilyNames, out.family);
  out.tasks = read.integer_or("tasks", out.tasks, kTasks);
  out.scale =
      choice(read, "scale", kScales, profile == Profile::author ? Scale::author : Scale::large);
  if (read.has("runtime_factor")) out.factor = read.number("runtime_factor", positive());
}

void add_generator(const GeneratorParameters& generator, Value& out) {
  out.set("family", name_of(kFamilyNames, generator.family));
  out.set("tasks", generator.tasks);
  if (generator.factor > 0) {
    out.set("runtime_factor", generator.factor);
  } else {
    out.set("scale", name_of(kScales, generator.scale));
  }
}

}  // namespace holdfast::workflow
