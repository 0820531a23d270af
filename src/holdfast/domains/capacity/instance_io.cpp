#include "holdfast/domains/capacity/instance_io.hpp"

#include "holdfast/base/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace holdfast::capacity {
namespace {

constexpr auto kProfiles = std::to_array<std::string_view>({"default", "author"});
constexpr auto kFamilyNames =
    std::to_array<std::string_view>({"uniform", "log-scale", "log-scale-u", "three-types"});

constexpr auto kFields = std::to_array<Parameter>({
    {.name = "profile",
     .summary = "the text's rules, or those of the author's simulator",
     .kind = Kind::choice,
     .fallback = "default",
     .choices = kProfiles},
    {.name = "cores",
     .summary = "of one machine",
     .kind = Kind::integer,
     .range = at_least(1),
     .fallback = "24"},
    {.name = "machines",
     .summary = "most machines that are ever alive; default: the largest step",
     .kind = Kind::integer,
     .range = at_least(1)},
    {.name = "safe_machines",
     .summary = "fewest machines that are ever alive; default: the smallest step",
     .kind = Kind::integer,
     .range = non_negative()},
    {.name = "distance",
     .summary = "largest distance between target and chosen machine",
     .kind = Kind::integer,
     .range = non_negative()},
    {.name = "window",
     .summary = "begin,end of what is simulated",
     .kind = Kind::numbers,
     .unit = Unit::seconds,
     .range = non_negative(),
     .fallback = "604800,1814400"},
    {.name = "family",
     .summary = "of generated jobs",
     .kind = Kind::choice,
     .fallback = "uniform",
     .choices = kFamilyNames},
    {.name = "job_count",
     .summary = "generated jobs in [0, end); profile author: per week",
     .kind = Kind::integer,
     .range = between(1, 1e7),
     .fallback = "20000"},
    {.name = "mean_machines",
     .summary = "of the generated capacity",
     .kind = Kind::integer,
     .range = at_least(1),
     .fallback = "24"},
    {.name = "machine_range",
     .summary = "largest distance of the generated capacity from its mean",
     .kind = Kind::integer,
     .range = non_negative(),
     .fallback = "8"},
    {.name = "period",
     .summary = "between changes of the generated capacity",
     .unit = Unit::seconds,
     .range = at_least(1),
     .fallback = "1200s"},
});

Result<std::int64_t> whole_seconds(const Value& value, const std::string& where) {
  HOLDFAST_TRY(seconds, read_quantity(value, where, Unit::seconds));
  return read_integer(Value(seconds), where);
}

Result<Step> read_step(const Value& value, const std::string& where) {
  const Value::Array* pair = value.array_items();
  if (pair == nullptr || pair->size() != 2) {
    return fail(ErrorCode::bad_value, where,
                fmt::format("found {}, expected [time, machines]", value.described()));
  }
  HOLDFAST_TRY(time, whole_seconds((*pair)[0], where + "/0"));
  HOLDFAST_TRY(machines, read_integer((*pair)[1], where + "/1", non_negative()));
  return Step{time, machines};
}

std::int64_t read_time(ObjectReader& read, std::string_view name, std::int64_t fallback) {
  const double seconds = read.seconds_or(name, static_cast<double>(fallback));
  if (read.ok() && seconds != static_cast<double>(static_cast<std::int64_t>(seconds))) {
    read.refuse(name, fmt::format("found {} s, expected whole seconds", seconds));
  }
  return static_cast<std::int64_t>(seconds);
}

Result<Job> read_job(const Value& value, const std::string& where, std::size_t index) {
  ObjectReader read(value, where);
  Job job;
  job.id = read.text_or("id", fmt::format("{}", index));
  job.release = read_time(read, "release", 0);
  job.cores = read.integer_or("cores", 1);
  if (!read.has("length")) read.refuse("", "the field 'length' is missing");
  job.length = read_time(read, "length", 1);
  if (read.has("category")) job.category = read.number("category", between(0, 1));
  HOLDFAST_CHECK(read.finish());
  return job;
}

Result<ReferenceJob> read_reference(const Value& value, const std::string& where) {
  ObjectReader read(value, where);
  const ReferenceJob job{read_time(read, "length", 1), read.integer_or("cores", 1, at_least(1))};
  HOLDFAST_CHECK(read.finish());
  return job;
}

void read_window(ObjectReader& read, std::int64_t& begin, std::int64_t& end) {
  if (!read.has("window")) return read.ignore("window");
  const std::vector<double> window = read.numbers("window", Unit::seconds, non_negative());
  if (!read.ok()) return;
  if (window.size() != 2) {
    return read.refuse("window",
                       fmt::format("found {} numbers, expected [begin, end]", window.size()));
  }
  begin = static_cast<std::int64_t>(window[0]);
  end = static_cast<std::int64_t>(window[1]);
}

void read_rules(ObjectReader& read, Instance& instance) {
  for (const std::string_view name : {"holdfast", "reference_makespan"}) read.ignore(name);
  instance.profile =
      read.choice_or("profile", kProfiles, 0) == 0 ? Profile::standard : Profile::author;
  instance.cores = read.integer("cores", at_least(1));
  if (read.has("distance")) instance.distance = read.integer("distance", non_negative());
}

void read_reference_list(ObjectReader& read, Instance& instance) {
  read.each_or_none("reference", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(job, read_reference(value, where));
    instance.reference.push_back(job);
    return {};
  });
}

void read_placements(ObjectReader& read, Instance& instance) {
  read.each_or_none("placements", [&](const Value& value, const std::string& where) -> Status {
    ObjectReader line(value, where);
    const std::string id = line.text("job");
    Instance::Placement placement;
    placement.machine = line.integer("machine", non_negative());
    placement.start = read_time(line, "start", 0);
    HOLDFAST_CHECK(line.finish());
    const auto job = std::find_if(instance.jobs.begin(), instance.jobs.end(),
                                  [&](const Job& j) { return j.id == id; });
    if (job == instance.jobs.end()) {
      return fail(ErrorCode::unknown_name, where + "/job",
                  fmt::format("found '{}', expected the id of a job", id));
    }
    if (placement.machine >= instance.machines) {
      return fail(ErrorCode::bad_value, where + "/machine",
                  fmt::format("found {}, expected a machine from 0 to {}", placement.machine,
                              instance.machines - 1));
    }
    placement.job = static_cast<std::size_t>(job - instance.jobs.begin());
    instance.given.push_back(placement);
    return {};
  });
}

// M+ and M- default to the largest and smallest number alive.
void read_machines(ObjectReader& read, Instance& instance) {
  std::int64_t most = 0, least = instance.alive.empty() ? 0 : instance.alive.front().machines;
  for (const Step& step : instance.alive) {
    most = std::max(most, step.machines);
    least = std::min(least, step.machines);
  }
  instance.machines = read.integer_or("machines", std::max<std::int64_t>(most, 1), at_least(1));
  instance.safe_machines = read.integer_or("safe_machines", least, non_negative());
}

Value header() {
  return Value::object({{"kind", "capacity-instance"}, {"version", 1}});
}

Result<LiveState::Placed> read_placed(const Value& value, const std::string& where,
                                      const LiveState& state) {
  ObjectReader read(value, where);
  LiveState::Placed placed;
  placed.machine = read.integer("machine", between(0, static_cast<double>(state.alive - 1)));
  placed.cores = read.integer_or("cores", 1, between(1, static_cast<double>(state.instance.cores)));
  placed.start = read_time(read, "start", 0);
  placed.length = read_time(read, "length", 1);
  HOLDFAST_CHECK(read.finish());
  return placed;
}

}  // namespace

std::span<const Parameter> fields() {
  return kFields;
}

bool describes_generator(const Value& parameters) {
  return parameters.find("jobs") == nullptr;
}

Result<Instance> read_instance(const Value& document) {
  HOLDFAST_CHECK(check_header(document, "capacity-instance"));
  Instance instance;
  ObjectReader read(document, "");
  read_rules(read, instance);
  read.each("alive", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(step, read_step(value, where));
    instance.alive.push_back(step);
    return {};
  });
  read_machines(read, instance);
  read_window(read, instance.begin, instance.end);
  read.each("jobs", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(job, read_job(value, where, instance.jobs.size()));
    instance.jobs.push_back(std::move(job));
    return {};
  });
  read_reference_list(read, instance);
  read_placements(read, instance);
  HOLDFAST_CHECK(read.finish());
  HOLDFAST_CHECK(check(instance));
  return instance;
}

Result<GeneratorParameters> read_generator(const Value& parameters) {
  GeneratorParameters out;
  ObjectReader read(parameters, "");
  out.profile = read.choice_or("profile", kProfiles, 0) == 0 ? Profile::standard : Profile::author;
  if (out.profile == Profile::author) out.begin = 2 * 604800;  // the window is the third week
  out.family = static_cast<Family>(read.choice_or("family", kFamilyNames, 0));
  out.jobs = read.integer_or("job_count", out.jobs, between(1, 1e7));
  out.mean_machines = read.integer_or("mean_machines", out.mean_machines, at_least(1));
  out.machine_range = read.integer_or("machine_range", out.machine_range,
                                      between(0, static_cast<double>(out.mean_machines)));
  out.period = static_cast<std::int64_t>(
      read.seconds_or("period", static_cast<double>(out.period), at_least(1)));
  out.cores = read.integer_or("cores", out.cores, at_least(1));
  read.ignore("distance");
  read_window(read, out.begin, out.end);
  if (read.ok() && out.begin >= out.end) {
    read.refuse("window", fmt::format("found [{}, {}), expected a window that is not empty",
                                      out.begin, out.end));
  }
  HOLDFAST_CHECK(read.finish());
  return out;
}

Value to_value(const Instance& instance) {
  Value document = Value::object({{"holdfast", header()}});
  if (instance.profile == Profile::author) document.set("profile", "author");
  document.set("machines", instance.machines);
  document.set("safe_machines", instance.safe_machines);
  document.set("cores", instance.cores);
  if (instance.distance) document.set("distance", *instance.distance);
  document.set("window", Value(Value::Array{instance.begin, instance.end}));
  Value alive = Value::array();
  for (const Step& step : instance.alive) alive.push(Value(Value::Array{step.time, step.machines}));
  document.set("alive", std::move(alive));
  Value jobs = Value::array();
  for (const Job& job : instance.jobs) {
    Value row = Value::object(
        {{"id", job.id}, {"release", job.release}, {"cores", job.cores}, {"length", job.length}});
    if (job.category) row.set("category", *job.category);
    jobs.push(std::move(row));
  }
  document.set("jobs", std::move(jobs));
  if (!instance.reference.empty()) {
    Value reference = Value::array();
    for (const ReferenceJob& job : instance.reference) {
      reference.push(Value::object({{"length", job.length}, {"cores", job.cores}}));
    }
    document.set("reference", std::move(reference));
  }
  return document;
}

Value to_value(const GeneratorParameters& p) {
  return Value::object({{"profile", kProfiles[static_cast<std::size_t>(p.profile)]},
                        {"family", kFamilyNames[static_cast<std::size_t>(p.family)]},
                        {"job_count", p.jobs},
                        {"mean_machines", p.mean_machines},
                        {"machine_range", p.machine_range},
                        {"period", p.period},
                        {"cores", p.cores},
                        {"window", Value(Value::Array{p.begin, p.end})}});
}

Result<LiveState> read_live_state(const Value& document) {
  HOLDFAST_CHECK(check_header(document, "capacity-instance"));
  LiveState state;
  Instance& instance = state.instance;
  ObjectReader read(document, "");
  read_rules(read, instance);
  state.now = read_time(read, "now", 0);
  state.alive = read.integer("alive_now", non_negative());
  instance.alive = {{0, state.alive}};
  read_machines(read, instance);
  instance.begin = state.now;
  instance.end = kNever / 4;
  state.used = read.integer_or("used_machines", std::min(instance.safe_machines, state.alive),
                               non_negative());
  if (read.ok() && state.used > state.alive) {
    read.refuse("used_machines",
                fmt::format("found {}, expected at most alive_now, {}", state.used, state.alive));
  }
  state.largest_stretch = read.number_or("largest_stretch", 1, non_negative());
  for (const auto& [name, list] :
       {std::pair("running", &state.running), std::pair("planned", &state.planned)}) {
    read.each_or_none(name, [&](const Value& value, const std::string& where) -> Status {
      HOLDFAST_TRY(placed, read_placed(value, where, state));
      list->push_back(placed);
      return {};
    });
  }
  read_reference_list(read, instance);
  read.required("job", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(job, read_job(value, where, 0));
    instance.jobs = {std::move(job)};
    return {};
  });
  HOLDFAST_CHECK(read.finish());
  HOLDFAST_CHECK(check(instance));
  if (instance.jobs[0].cores > instance.cores) {
    return fail(ErrorCode::bad_value, "/job/cores",
                fmt::format("found {}, expected at most {}, the cores of a machine",
                            instance.jobs[0].cores, instance.cores));
  }
  return state;
}

}  // namespace holdfast::capacity
