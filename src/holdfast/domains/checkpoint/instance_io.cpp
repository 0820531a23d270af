#include "holdfast/domains/checkpoint/instance_io.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/domains/checkpoint/failure_log.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>

namespace holdfast::checkpoint {
namespace {

constexpr auto kRejuvenations = std::to_array<std::string_view>({"failed", "all"});
constexpr auto kDistributions = std::to_array<std::string_view>(
    {"exponential", "weibull", "gamma", "lognormal", "empirical", "best"});

/// Fields of a law that a mean alone does not have.
constexpr auto kLawFields =
    std::to_array<std::string_view>({"shape", "scale", "log_mean", "log_sd", "k"});

constexpr auto kJobFields = std::to_array<std::string_view>(
    {"work", "segments", "checkpoint", "recovery", "downtime", "relative_downtime",
     "no_final_checkpoint", "no_initial_recovery", "planning_time"});

// No ranges here: check() knows them, and says them with the value found.
constexpr auto kFields = std::to_array<Parameter>({
    {.name = "work",
     .summary = "failure-free seconds of work; absent: a job without end",
     .unit = Unit::seconds},
    {.name = "processors",
     .summary = "failure units of the job",
     .kind = Kind::integer,
     .fallback = "1"},
    {.name = "checkpoint", .summary = "time to write a checkpoint", .unit = Unit::seconds},
    {.name = "recovery",
     .summary = "time to read it back; default: as long as the checkpoint",
     .unit = Unit::seconds},
    {.name = "downtime",
     .summary = "from a failure to the start of the recovery",
     .unit = Unit::seconds,
     .fallback = "0"},
    {.name = "relative_downtime",
     .summary = "the downtime as a part of the checkpoint, in its place"},
    {.name = "no_final_checkpoint",
     .summary = "the last segment is not followed by a checkpoint",
     .kind = Kind::flag},
    {.name = "no_initial_recovery",
     .summary = "a failure in the first segment pays no recovery",
     .kind = Kind::flag},
    {.name = "distribution",
     .summary =
         "law of the time between failures of one processor; with --log fitted, best by default",
     .kind = Kind::choice,
     .fallback = "exponential",
     .choices = kDistributions,
     .pointer = "/failures/distribution"},
    {.name = "mtbf",
     .summary = "mean time between failures of one processor",
     .unit = Unit::seconds,
     .pointer = "/failures/mtbf"},
    {.name = "shape", .summary = "weibull, gamma: shape", .pointer = "/failures/shape"},
    {.name = "scale",
     .summary = "weibull, gamma: scale, in place of the mtbf",
     .unit = Unit::seconds,
     .pointer = "/failures/scale"},
    {.name = "log_mean",
     .summary = "lognormal: mean of the logarithm, in place of the mtbf",
     .pointer = "/failures/log_mean"},
    {.name = "log_sd",
     .summary = "lognormal: standard deviation of the logarithm",
     .pointer = "/failures/log_sd"},
    {.name = "k",
     .summary = "lognormal: ratio log_mean / log_sd^2, in place of log_sd",
     .pointer = "/failures/k"},
    {.name = "file",
     .summary = "empirical: file of lifetimes",
     .kind = Kind::file,
     .pointer = "/failures/file"},
    {.name = "log",
     .summary = "failure log that gives the law and the ages of the processors",
     .kind = Kind::file,
     .pointer = "/failures/log"},
    {.name = "system",
     .summary = "the log's system, where it has several",
     .kind = Kind::text,
     .pointer = "/failures/system"},
    {.name = "merge",
     .summary = "failures of the log this close to the one before are one event",
     .unit = Unit::seconds,
     .pointer = "/failures/merge"},
    {.name = "rejuvenation",
     .summary = "which processors are new after a failure",
     .kind = Kind::choice,
     .fallback = "failed",
     .choices = kRejuvenations},
    {.name = "platform_age",
     .summary = "age of the platform when the job starts",
     .unit = Unit::seconds,
     .fallback = "0"},
    {.name = "horizon",
     .summary = "age of the platform at which a run has failed; default: none",
     .unit = Unit::seconds},
    {.name = "planning_time",
     .summary =
         "added to each recovery of a strategy that plans again: none, measured or a duration",
     .kind = Kind::text,
     .fallback = "none"},
});

Status read_pair(const Value& value, const std::string& where, std::string_view expected,
                 double& first, std::int64_t& second) {
  const Value::Array* pair = value.array_items();
  if (pair == nullptr || pair->size() != 2) {
    return fail(ErrorCode::bad_value, where,
                fmt::format("found {}, expected {}", value.described(), expected));
  }
  HOLDFAST_TRY(number, read_quantity((*pair)[0], where + "/0", Unit::seconds));
  HOLDFAST_TRY(whole, read_integer((*pair)[1], where + "/1"));
  first = number;
  second = whole;
  return {};
}

Status read_failures(const Value& object, const std::string& where,
                     const std::filesystem::path& directory, Instance& instance) {
  ObjectReader read(object, where);
  if (read.has("events")) instance.events.emplace();
  read.each_or_none("events", [&](const Value& value, const std::string& place) -> Status {
    FailureEvent event;
    HOLDFAST_CHECK(read_pair(value, place, "[time, processor]", event.date, event.processor));
    instance.events->push_back(event);
    return {};
  });
  if (read.has("log")) {
    if (auto logged = read_logged_platform(read, directory)) {
      instance.law = std::move(logged->law);
      instance.ages = std::move(logged->ages);
      instance.notes = std::move(logged->notes);
    }
  } else if (read.has("distribution")) {
    instance.law = read_law(read, directory);
  } else if (read.has("mtbf")) {
    // A mean alone says no more than an exponential law. A misspelt name of a law's field is told by the others.
    read.ignore("distribution");
    read.ignore("log");
    for (const std::string_view field : kLawFields) {
      if (read.has(field))
        read.refuse("distribution", fmt::format("is missing: the law that has a '{}'", field));
    }
    const double mean = read.seconds("mtbf", positive());
    if (read.ok()) instance.law = exponential_law(mean);
  } else if (!instance.events) {
    read.refuse(
        "",
        "found neither a law ('distribution', 'mtbf' or 'log') nor 'events', expected one of them");
  }
  return read.finish();
}

Status read_planning(const Value& value, const std::string& where, PlanningTime& planning) {
  const std::string* text = value.string();
  if (text != nullptr && *text == "none") return {};
  if (text != nullptr && *text == "measured") {
    planning.mode = PlanningTime::Mode::measured;
    return {};
  }
  const auto seconds = read_quantity(value, where, Unit::seconds);
  if (!seconds) {
    return fail(ErrorCode::bad_value, where,
                fmt::format("found {}, expected none, measured or a duration", value.described()));
  }
  planning = {.mode = PlanningTime::Mode::fixed, .seconds = *seconds};
  return {};
}

// A log has the ages of its nodes; a job on another number of processors meets a typical part of them.
void fit_ages_to_processors(Instance& instance) {
  std::int64_t nodes = 0;
  for (const AgeGroup& group : instance.ages) nodes += group.count;
  if (nodes == 0 || nodes == instance.processors || instance.processors < 1) return;
  instance.ages = spread_ages(instance.ages, instance.processors);
  instance.notes.push_back(
      fmt::format("the ages of the {} nodes of the log are spread over {} processors", nodes,
                  instance.processors));
}

void read_platform_fields(ObjectReader& read, const std::filesystem::path& directory,
                          Instance& instance) {
  instance.processors = read.integer_or("processors", 1);
  read.required("failures", [&](const Value& value, const std::string& where) {
    return read_failures(value, where, directory, instance);
  });
  instance.rejuvenation =
      static_cast<Rejuvenation>(read.choice_or("rejuvenation", kRejuvenations, 0));
  if (read.has("ages"))
    instance.ages.clear();  // what the document says goes before what a log says
  read.each_or_none("ages", [&](const Value& value, const std::string& where) -> Status {
    AgeGroup group;
    HOLDFAST_CHECK(read_pair(value, where, "[age, count]", group.age, group.count));
    instance.ages.push_back(group);
    return {};
  });
  if (read.has("ages") && instance.ages.empty())
    read.refuse("ages", "found no group, expected at least one");
  if (!read.has("ages") && read.has("processors")) fit_ages_to_processors(instance);
  // Without an age of its own the platform is as old as its oldest processor.
  double oldest = 0;
  std::int64_t processors = 0;
  for (const AgeGroup& group : instance.ages) {
    oldest = std::max(oldest, group.age);
    processors += group.count;
  }
  if (!read.has("processors") && processors > 0) instance.processors = processors;
  instance.platform_age = read.seconds_or("platform_age", oldest);
  instance.horizon = read.seconds_or("horizon", Instance::kNever);
}

void read_job_fields(ObjectReader& read, Instance& instance) {
  if (read.has("segments")) instance.segments = read.numbers("segments", Unit::seconds);
  const double sum = std::accumulate(instance.segments.begin(), instance.segments.end(), 0.0);
  instance.work = read.seconds_or("work", sum > 0 ? sum : Instance::kNever);
  instance.checkpoint = read.seconds("checkpoint");
  instance.recovery = read.seconds_or("recovery", instance.checkpoint);
  if (read.has("downtime") && read.has("relative_downtime")) {
    read.refuse("relative_downtime",
                "found both 'downtime' and 'relative_downtime', expected one of them");
  }
  const double part = read.number_or("relative_downtime", 0, non_negative());
  instance.downtime = read.seconds_or("downtime", part * instance.checkpoint);
  instance.ends.final_checkpoint = !read.flag_or("no_final_checkpoint", false);
  instance.ends.initial_recovery = !read.flag_or("no_initial_recovery", false);
  read.with("planning_time", [&](const Value& value, const std::string& where) {
    return read_planning(value, where, instance.planning);
  });
}

Value failures_value(const Instance& instance) {
  Value failures = instance.law ? instance.law->description() : Value::object();
  if (!instance.events) return failures;
  Value events = Value::array();
  for (const auto& [date, processor] : *instance.events)
    events.push(Value(Value::Array{date, processor}));
  failures.set("events", std::move(events));
  return failures;
}

}  // namespace

std::span<const Parameter> fields() {
  return kFields;
}

Result<Instance> read_instance(const Value& document, const std::filesystem::path& directory) {
  HOLDFAST_CHECK(check_header(document, "checkpoint-instance"));
  Instance instance;
  ObjectReader read(document, "");
  read.ignore("holdfast");
  read_job_fields(read, instance);
  read_platform_fields(read, directory, instance);
  HOLDFAST_CHECK(read.finish());
  HOLDFAST_CHECK(check(instance));
  return instance;
}

Result<Instance> read_platform(const Value& document, const std::filesystem::path& directory) {
  HOLDFAST_CHECK(check_header(document, "checkpoint-instance"));
  Instance instance;
  ObjectReader read(document, "");
  read.ignore("holdfast");
  for (const std::string_view field : kJobFields) read.ignore(field);
  read_platform_fields(read, directory, instance);
  HOLDFAST_CHECK(read.finish());
  HOLDFAST_CHECK(check_platform(instance));
  return instance;
}

Value to_value(const Instance& instance) {
  Value document = Value::object();
  if (std::isfinite(instance.work)) document.set("work", instance.work);
  document.set("processors", instance.processors);
  document.set("checkpoint", instance.checkpoint);
  document.set("recovery", instance.recovery);
  document.set("downtime", instance.downtime);
  if (!instance.ends.final_checkpoint) document.set("no_final_checkpoint", true);
  if (!instance.ends.initial_recovery) document.set("no_initial_recovery", true);
  document.set("failures", failures_value(instance));
  if (instance.rejuvenation == Rejuvenation::all) document.set("rejuvenation", kRejuvenations[1]);
  document.set("platform_age", instance.platform_age);
  if (!instance.ages.empty()) {
    Value ages = Value::array();
    for (const auto& [age, count] : instance.ages) ages.push(Value(Value::Array{age, count}));
    document.set("ages", std::move(ages));
  }
  if (std::isfinite(instance.horizon)) document.set("horizon", instance.horizon);
  if (!instance.segments.empty()) document.set("segments", Value::list(instance.segments));
  if (instance.planning.mode == PlanningTime::Mode::measured)
    document.set("planning_time", "measured");
  if (instance.planning.mode == PlanningTime::Mode::fixed)
    document.set("planning_time", instance.planning.seconds);
  return document;
}

}  // namespace holdfast::checkpoint
