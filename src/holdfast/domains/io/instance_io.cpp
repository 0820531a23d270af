#include "holdfast/domains/io/instance_io.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/domains/io/document_parts.hpp"
#include "holdfast/domains/io/logged_phases.hpp"
#include "holdfast/domains/io/reading_io.hpp"
#include "holdfast/domains/io/workload_io.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace holdfast::io {
namespace {

constexpr auto kLaws = std::to_array<std::string_view>({"io_first", "work_first"});

constexpr auto kFields = std::to_array<Parameter>({
    {.name = "profile",
     .summary = "readings for users, or those of the authors' simulator",
     .kind = Kind::choice,
     .fallback = "default",
     .choices = kProfiles},
    {.name = "ties",
     .summary = "equal keys: by posting and in groups, or by index and exactly (author)",
     .kind = Kind::choice,
     .choices = kTies},
    {.name = "lookahead_horizon",
     .summary = "of look-ahead-greedy-yield: the first completion, or at most the window (author)",
     .kind = Kind::choice,
     .choices = kHorizons},
    {.name = "periodic_timer",
     .summary = "dates of a grid, or a period after the last decision (author)",
     .kind = Kind::choice,
     .choices = kTimers},
    {.name = "set10_learning",
     .summary = "iteration times are learnt when an operation is posted, or complete",
     .kind = Kind::choice,
     .choices = kLearning},
    {.name = "best_next_event_horizon",
     .summary = "the rest of the window, or its whole length (author)",
     .kind = Kind::choice,
     .choices = kWindows},
    {.name = "cut_phases",
     .summary = "phase lists end with the window, and so do their last volumes (author)",
     .kind = Kind::flag},
    {.name = "allow_completion",
     .summary = "an application may run out of phases, and then idles",
     .kind = Kind::flag},
    {.name = "warmup",
     .summary = "this part of the window is shared equally first; the rest is measured",
     .range = {.minimum = 0, .maximum = 1, .below_maximum = true},
     .fallback = "0"},
    {.name = "lookahead_floor",
     .summary = "look-ahead-greedy-yield serves the lowest yield first where it is below this part "
                "of the median; 0: never",
     .range = between(0, 1),
     .fallback = "0"},
    {.name = "bandwidth", .summary = "of the file system", .unit = Unit::bytes_per_second},
    {.name = "applications",
     .summary = "generated: how many",
     .kind = Kind::integer,
     .range = between(1, 1e6),
     .fallback = "60"},
    {.name = "small",
     .summary = "generated: with iterations near 1000 s",
     .kind = Kind::integer,
     .range = non_negative(),
     .fallback = "20"},
    {.name = "load",
     .summary = "generated: sum of the fractions of time spent on I/O",
     .range = positive(),
     .fallback = "0.8"},
    {.name = "spread",
     .summary = "generated: standard deviation of an iteration's length over its mean",
     .range = non_negative(),
     .fallback = "0.5"},
    {.name = "noise",
     .summary = "generated: phases are their mean times 1 + U(-noise, noise)",
     .range = between(0, 1),
     .fallback = "0.5"},
    {.name = "length",
     .summary = "generated: what each application has to do",
     .unit = Unit::seconds,
     .range = positive(),
     .fallback = "2e6"},
    {.name = "law",
     .summary = "generated: what follows the first, partial work phase",
     .kind = Kind::choice,
     .fallback = "io_first",
     .choices = kLaws},
    {.name = "ranks",
     .summary = "generated: also the mean yields of sixths of the applications",
     .kind = Kind::flag},
    {.name = "classes",
     .summary =
         "workload: classes of applications (CSV); draws windows of a machine that runs them",
     .kind = Kind::file},
    {.name = "machine",
     .summary = "workload: 0 is Cielo, up to 10 the source's machines to come",
     .range = between(0, 10),
     .fallback = "0"},
    {.name = "nodes",
     .summary = "workload: of the machine, in place of its own",
     .range = positive()},
    {.name = "cores_per_node", .summary = "workload: likewise", .range = positive()},
    {.name = "node_bandwidth",
     .summary = "what a node can move; workload: in place of the machine's",
     .unit = Unit::bytes_per_second,
     .range = positive()},
    {.name = "windows",
     .summary = "workload: the longest kept of each schedule",
     .kind = Kind::integer,
     .range = between(1, 1e6),
     .fallback = "20"},
    {.name = "longest",
     .summary = "workload: windows that last longest, or with the longest gap between two starts",
     .kind = Kind::choice,
     .fallback = "window",
     .choices = kLongest},
    {.name = "shortest_phase",
     .summary = "workload: shorter phases are left out",
     .unit = Unit::seconds,
     .range = non_negative(),
     .fallback = "1ms"},
    {.name = "volume_scale",
     .summary = "workload: all volumes times this",
     .range = positive(),
     .fallback = "1"},
    {.name = "apex_output",
     .summary = "workload: applications that checkpoint write their output at the end, or never "
                "(author)",
     .kind = Kind::choice,
     .choices = kOutputs},
    {.name = "history",
     .summary = "workload: applications are released with the window, or when they started",
     .kind = Kind::choice,
     .fallback = "window",
     .choices = kHistories},
});

Result<Phase> read_phase(const Value& value, const std::string& where) {
  ObjectReader read(value, where);
  Phase phase;
  if (read.has("io")) {
    phase = {Phase::Kind::io, amount(read, "io", Unit::bytes)};
  } else if (read.has("lead")) {
    phase = {Phase::Kind::lead, amount(read, "lead", Unit::seconds)};
  } else {
    phase = {Phase::Kind::work, amount(read, "work", Unit::seconds)};
  }
  HOLDFAST_CHECK(read.finish());
  return phase;
}

// An I/O log in place of phases; what the application does not say itself follows from it.
void read_log(ObjectReader& read, const Instance& instance, const std::filesystem::path& directory,
              Application& out) {
  read.with("log", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(reading, read_log_reading(value, where));
    auto runs = load_phases(reading, directory);
    if (!runs) return fail(runs.error().code, where, runs.error().text());
    if (runs->size() > 1) {
      return fail(ErrorCode::bad_value, where + "/run",
                  fmt::format("missing: {} has {} runs", in_quotes(reading.file), runs->size()));
    }
    LoggedPhases& run = runs->front();
    if (!read.has("nodes")) out.nodes = run.processes;
    if (!read.has("bandwidth")) out.bandwidth = std::min(run.bandwidth, instance.bandwidth);
    out.phases = std::move(run.phases);
    return {};
  });
}

Result<Application> read_application(const Value& value, const std::string& where,
                                     const Instance& instance, double node_bandwidth,
                                     const std::filesystem::path& directory) {
  ObjectReader read(value, where);
  Application out;
  read_platform(read, instance, node_bandwidth, out);
  read_log(read, instance, directory, out);
  const auto add = [&](const Value& item, const std::string& place) -> Status {
    HOLDFAST_TRY(phase, read_phase(item, place));
    out.phases.push_back(phase);
    return {};
  };
  read.has("log") ? read.each_or_none("phases", add) : read.each("phases", add);
  out.repeat = read.flag_or("repeat", false);
  for (const std::string_view name : {"remaining", "posted", "iteration_time"}) read.ignore(name);
  HOLDFAST_CHECK(read.finish());
  return out;
}

Result<GivenRates> read_rates(const Value& value, const std::string& where) {
  const auto* items = value.array_items();
  if (items == nullptr || items->size() != 2 || (*items)[1].array_items() == nullptr) {
    return fail(ErrorCode::bad_value, where,
                fmt::format("found {}, expected [time, [rate, ...]]", value.described()));
  }
  GivenRates out;
  HOLDFAST_TRY(time, read_amount((*items)[0], where, Unit::seconds));
  out.time = time;
  for (const Value& item : *(*items)[1].array_items()) {
    HOLDFAST_TRY(rate, read_amount(item, where, Unit::bytes_per_second));
    out.rates.push_back(rate);
  }
  return out;
}

}  // namespace

std::span<const Parameter> fields() {
  return kFields;
}

bool describes_workload(const Value& parameters) {
  return parameters.find("classes") != nullptr;
}

bool describes_generator(const Value& parameters) {
  const Value* applications = parameters.find("applications");
  return applications == nullptr || applications->array_items() == nullptr;
}

Result<Instance> read_instance(const Value& document, const std::filesystem::path& directory) {
  HOLDFAST_CHECK(check_header(document, "io-instance"));
  Instance instance;
  ObjectReader read(document, "");
  const double node_bandwidth = read_system(read, instance);
  instance.allow_completion = read.flag_or("allow_completion", false);
  instance.nodes = read.number_or("nodes", 0, non_negative());
  read.each("applications", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(application, read_application(value, where, instance, node_bandwidth, directory));
    instance.applications.push_back(std::move(application));
    return {};
  });
  read.each_or_none("rates", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(given, read_rates(value, where));
    instance.given.push_back(std::move(given));
    return {};
  });
  read.ignore("now");
  HOLDFAST_CHECK(read.finish());
  HOLDFAST_CHECK(check(instance));
  return instance;
}

Result<GeneratorParameters> read_generator(const Value& parameters) {
  GeneratorParameters out;
  ObjectReader read(parameters, "");
  read.ignore("holdfast");
  out.reading = read_reading(read);
  out.applications = read.integer_or("applications", out.applications, between(1, 1e6));
  out.small = read.integer_or("small", out.small, non_negative());
  out.load = read.number_or("load", out.load, positive());
  out.spread = read.number_or("spread", out.spread, non_negative());
  out.noise = read.number_or("noise", out.noise, between(0, 1));
  out.length = read.seconds_or("length", out.length, positive());
  out.work_first = read.choice_or("law", kLaws, 0) == 1;
  out.ranks = read.flag_or("ranks", false);
  HOLDFAST_CHECK(read.finish());
  const std::int64_t rest = out.applications - out.applications / 3;
  if (out.small > rest) {
    return fail(
        ErrorCode::bad_value, "/small",
        fmt::format("found {}, expected at most {}: a third is of medium size", out.small, rest));
  }
  return out;
}

Value to_value(const Instance& instance) {
  Value document = Value::object();
  document.set("bandwidth", instance.bandwidth);
  document.set("window", Value(Value::Array{instance.begin, instance.end}));
  set_reading(document, instance.reading);
  if (instance.allow_completion) document.set("allow_completion", true);
  if (instance.nodes > 0) document.set("nodes", instance.nodes);
  Value applications = Value::array();
  for (const Application& application : instance.applications) {
    Value phases = Value::array();
    for (const Phase& phase : application.phases) {
      constexpr std::array<const char*, 3> kNames = {"io", "work", "lead"};
      phases.push(Value::object({{kNames[static_cast<std::size_t>(phase.kind)], phase.amount}}));
    }
    Value one = Value::object({{"id", application.id},
                               {"nodes", application.nodes},
                               {"bandwidth", application.bandwidth},
                               {"release", application.release},
                               {"progress", application.progress},
                               {"phases", std::move(phases)}});
    if (application.repeat) one.set("repeat", true);
    applications.push(std::move(one));
  }
  document.set("applications", std::move(applications));
  if (!instance.given.empty()) {
    Value rates = Value::array();
    for (const GivenRates& given : instance.given) {
      rates.push(Value(Value::Array{given.time, Value::list(given.rates)}));
    }
    document.set("rates", std::move(rates));
  }
  return document;
}

Value to_value(const GeneratorParameters& p) {
  Value document = Value::object({{"applications", p.applications},
                                  {"small", p.small},
                                  {"load", p.load},
                                  {"spread", p.spread},
                                  {"noise", p.noise},
                                  {"length", p.length},
                                  {"law", kLaws[p.work_first ? 1 : 0]}});
  if (p.ranks) document.set("ranks", true);
  set_reading(document, p.reading);
  return document;
}

}  // namespace holdfast::io
