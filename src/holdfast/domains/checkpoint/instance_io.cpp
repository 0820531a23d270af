#include "holdfast/domains/checkpoint/instance_io.hpp"

#include "holdfast/base/node_names.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/domains/checkpoint/fields.hpp"
#include "holdfast/inputs/failures.hpp"
#include "holdfast/inputs/logged_platform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

namespace holdfast::checkpoint {
namespace {

/// The default mean time between failures of a node, in seconds. Published means range from 154 d (GPU clusters) to 10 y:
/// this is on the safe side, because a job that starts with too low an MTBF corrects it soon.
constexpr double kUnknownMtbf = 100 * 86400.0;

/// The largest number of names in a list of nodes.
constexpr std::size_t kMostNodes = 100'000;
constexpr std::size_t kLongestName = 255;

Status add_node_name(const Value& value, const std::string& where,
                     std::vector<std::string>& names) {
  const std::string* name = value.string();
  if (name == nullptr || name->empty() || name->size() > kLongestName) {
    return fail(
        ErrorCode::bad_value, where,
        fmt::format("found {}, expected the name of a node, of 1 to {} characters",
                    name == nullptr ? value.described() : fmt::format("{} bytes", name->size()),
                    kLongestName));
  }
  if (names.size() == kMostNodes) {
    return fail(ErrorCode::bad_value, where,
                fmt::format("found more names, expected at most {}", kMostNodes));
  }
  names.push_back(*name);
  return {};
}

Status take_count(const std::string& text, const std::string& where, bool has_processors,
                  Instance& instance) {
  const auto count = parse_integer(text);
  if (!count || *count < 1 || *count > kMostProcessors)
    return fail(ErrorCode::bad_value, where,
                fmt::format("found {}, expected names such as n[001-100]", text));
  if (has_processors && instance.processors != *count) {
    return fail(ErrorCode::bad_value, where,
                fmt::format("found the number {} beside {} 'processors', expected the names of the "
                            "nodes, such as n[001-100]",
                            text, instance.processors));
  }
  instance.processors = *count;
  instance.notes.push_back(fmt::format(
      "nodes: {} was taken as their number; names such as n[001-100] get their ages from a log",
      text));
  return {};
}

// Reads the nodes of the job, as a list or in Slurm's notation, and the date at which their ages are taken. A number is that of the
// processors; a node that is called 7 is [7].
NamedNodes read_named_nodes(ObjectReader& read, Instance& instance) {
  NamedNodes out;
  read.with("nodes", [&](const Value& value, const std::string& where) -> Status {
    if (const std::string* list = value.string()) {
      if (!list->empty() && list->find_first_not_of("0123456789") == std::string::npos)
        return take_count(*list, where, read.has("processors"), instance);
      auto names = expand_nodes(*list);
      if (!names) return fail(ErrorCode::bad_value, where, names.error().message);
      out.names = std::move(*names);
      return {};
    }
    const Value::Array* items = value.array_items();
    if (items == nullptr) {
      return fail(ErrorCode::bad_value, where,
                  fmt::format("found {}, expected names of nodes", value.described()));
    }
    for (std::size_t i = 0; i < items->size(); ++i) {
      HOLDFAST_CHECK(add_node_name((*items)[i], fmt::format("{}/{}", where, i), out.names));
    }
    std::vector<std::string> sorted = out.names;
    std::ranges::sort(sorted);
    if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
      return fail(
          ErrorCode::bad_value, where,
          fmt::format("found the node {} twice, expected each node once", in_quotes(*twice)));
    }
    return {};
  });
  read.with("now", [&](const Value& value, const std::string& where) -> Status {
    if (value.is_number()) {
      out.now = Instant{.seconds = value.number()};
      return {};
    }
    if (value.string() == nullptr) {
      return fail(ErrorCode::bad_value, where,
                  fmt::format("found {}, expected a date", value.described()));
    }
    auto instant = parse_instant(*value.string());
    if (!instant) return fail(ErrorCode::bad_value, where, instant.error().message);
    out.now = *instant;
    return {};
  });
  if (out.now && out.names.empty()) {
    read.refuse("now", "found without 'nodes', expected with it: the nodes whose ages are wanted");
  }
  return out;
}

Status read_failures_of_job(const Value& given, const std::string& where,
                            const std::filesystem::path& directory, const NamedNodes& named,
                            Instance& instance, bool& is_machine) {
  HOLDFAST_TRY(failures, read_failures(given, where, directory, FailingUnit::processor,
                                       instance.processors, &named));
  instance.mean_is_of_one = given.find("mtbf") != nullptr;
  instance.recorded = std::move(failures.recorded);
  if (failures.local_share) instance.local.share = *failures.local_share;
  is_machine = failures.is_machine;
  static_cast<FailureModel&>(instance) = std::move(failures);
  return {};
}

// Reads the law that the strategies assume; they know the true ages of the processors.
Status read_belief(const Value& given, const std::string& where,
                   const std::filesystem::path& directory, Instance& instance) {
  HOLDFAST_TRY(failures,
               read_failures(given, where, directory, FailingUnit::processor, instance.processors));
  if (!failures.law) {
    return fail(ErrorCode::bad_value, where,
                "found no law ('distribution', 'mtbf', 'platform_mtbf' or 'log')");
  }
  instance.belief = std::move(failures.law);
  return {};
}

// Refuses the law of a machine as a whole for more than one processor.
void check_machine(ObjectReader& read, const Instance& instance) {
  if (instance.processors == 1) return;
  read.refuse("processors",
              fmt::format("found {}, expected 1: with unit system the machine of the log is one "
                          "unit, which the job has as a whole",
                          instance.processors));
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

std::int64_t processors_of(std::span<const AgeGroup> groups) {
  return std::accumulate(groups.begin(), groups.end(), std::int64_t{0},
                         [](std::int64_t sum, const AgeGroup& group) { return sum + group.count; });
}

// A log has the ages of its nodes; a job on another number of processors gets a typical part of them.
void fit_ages_to_processors(Instance& instance) {
  const std::int64_t nodes = processors_of(instance.ages);
  if (nodes == 0 || nodes == instance.processors || instance.processors < 1) return;
  instance.ages = spread_ages(instance.ages, instance.processors);
  instance.notes.push_back(
      fmt::format("the ages of the {} nodes of the log are spread over {} processors", nodes,
                  instance.processors));
}

// Reads what a level has in addition to the time of its checkpoints.
void read_local_level(ObjectReader& read, const Value& document, Instance& instance) {
  if (!read.has("local_checkpoint")) {
    for (const char* field : {"local_recovery", "local_share"}) {
      if (read.has(field)) {
        read.refuse(field,
                    "found without 'local_checkpoint', expected with it: the time to write "
                    "a checkpoint of level 1");
      }
    }
    return;
  }
  if (!read.has("local_recovery")) instance.local.recovery = instance.local.checkpoint;
  const Value* failures = document.find("failures");
  const bool is_by_cause = failures != nullptr && failures->find("local_cause") != nullptr;
  if (is_by_cause && read.has("local_share")) {
    read.refuse("local_share", "found with 'local_cause', expected one of them");
  } else if (instance.local.exists() && !read.has("local_share") && !is_by_cause) {
    read.refuse("local_share",
                "is missing: the part of the failures, from 0 to 1, that local "
                "checkpoints survive");
  }
}

void read_job(ObjectReader& read, const Value& document, Instance& instance) {
  job_fields().read(read, instance);
  if (read.has("segments")) instance.segments = read.numbers("segments", Unit::seconds);
  const double sum = std::accumulate(instance.segments.begin(), instance.segments.end(), 0.0);
  if (!read.has("work") && sum > 0) instance.work = sum;
  if (!read.has("recovery")) instance.recovery = instance.checkpoint;
  read_local_level(read, document, instance);
  if (read.has("downtime") && read.has("relative_downtime")) {
    read.refuse("relative_downtime",
                "found both 'downtime' and 'relative_downtime', expected one of them");
  }
  const double part = read.number_or("relative_downtime", 0, non_negative());
  if (!read.has("downtime")) instance.downtime = part * instance.checkpoint;
  instance.ends.final_checkpoint = !read.flag_or("no_final_checkpoint", false);
  instance.ends.initial_recovery = !read.flag_or("no_initial_recovery", false);
  read.with("planning_time", [&](const Value& value, const std::string& where) {
    return read_planning(value, where, instance.planning);
  });
}

void read_failures_if_any(ObjectReader& read, const std::filesystem::path& directory,
                          const NamedNodes& named, Instance& instance, bool& is_machine) {
  if (!read.has("failures")) {
    read.ignore("failures");
    instance.law = exponential_law(kUnknownMtbf);
    instance.notes.push_back(
        fmt::format("no law of failures is given: each node is assumed to fail every {} on average "
                    "until the failures of the job show otherwise",
                    format_duration(kUnknownMtbf)));
    return;
  }
  read.with("failures", [&](const Value& value, const std::string& where) {
    return read_failures_of_job(value, where, directory, named, instance, is_machine);
  });
}

// The advisor learns when a checkpoint is safe on one level, of a job without a limit.
Status check_late_saves_of_running(const Instance& instance) {
  const std::string_view other = instance.local.exists()   ? "local_checkpoint"
                                 : instance.time_limit > 0 ? "time_limit"
                                                           : "";
  if (!instance.late.exist() || other.empty()) return {};
  return fail(ErrorCode::bad_value, instance.late.flush > 0 ? "/flush" : "/save_failure",
              fmt::format("found with '{}', expected one of them: in a job that runs a checkpoint "
                          "that is not safe at its end is known on one level, without a limit",
                          other));
}

// Nodes and spares of a job that is replayed are those of the log.
void settle_replay(ObjectReader& read, Instance& instance) {
  SparePlatform& platform = instance.platform;
  const std::int64_t nodes = instance.recorded->nodes;
  if (!read.has("processors")) instance.processors = nodes - platform.spares.value_or(0);
  if (!platform.spares) platform.spares = nodes - instance.processors;
  for (const char* field : {"nodes", "ages"}) {
    if (read.has(field)) {
      read.refuse(field,
                  "found with a log that is replayed, expected without: the nodes of the job "
                  "are drawn from those of the log");
    }
  }
  instance.ages.clear();
  instance.has_ages = true;
  instance.platform_age = 0;
  if (std::isfinite(instance.work)) {
    instance.notes.push_back("a job that is not over when the log ends counts as not completed");
    return;
  }
  instance.work = instance.recorded->length;
  instance.is_window = true;
}

void read_failing_platform(ObjectReader& read, const std::filesystem::path& directory,
                           Instance& instance, bool needs_failures = true) {
  bool is_machine = false;
  std::vector<AgeGroup> given;
  read.each_or_none("ages", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(group, read_pair(value, where, "[age, count]", Unit::seconds));
    given.push_back({.age = group.first, .count = group.second});
    return {};
  });
  if (read.has("ages") && given.empty())
    read.refuse("ages", "found no group, expected at least one");
  NamedNodes named = read_named_nodes(read, instance);
  named.are_repaired = read.has("spares") || read.has("repair");
  instance.nodes = named.names;
  if (!read.has("processors") && !named.names.empty())
    instance.processors = std::ssize(named.names);
  if (!read.has("processors") && !given.empty()) instance.processors = processors_of(given);
  if (needs_failures) {
    read.required("failures", [&](const Value& value, const std::string& where) {
      return read_failures_of_job(value, where, directory, named, instance, is_machine);
    });
  } else {
    read_failures_if_any(read, directory, named, instance, is_machine);
  }
  read.with("belief", [&](const Value& value, const std::string& where) {
    return read_belief(value, where, directory, instance);
  });
  if (is_machine) check_machine(read, instance);
  if (read.has("ages")) {
    instance.ages = std::move(given);  // the document takes precedence over a log
  } else if (read.has("processors") || read.has("nodes")) {
    fit_ages_to_processors(instance);
  }
  instance.has_ages = !instance.ages.empty() || read.has("platform_age");
  // Without an age of its own the platform is as old as its oldest processor.
  for (const AgeGroup& group : instance.ages) {
    instance.platform_age = std::max(instance.platform_age, group.age);
  }
  if (!read.has("processors") && !instance.ages.empty())
    instance.processors = processors_of(instance.ages);
  platform_fields().read(read, instance);
  spare_fields().read(read, instance);
  read_spare_platform(read, directory, instance.platform);
  if (instance.recorded) settle_replay(read, instance);
}

/// @param needs_job  true: the job's fields are required, and the rules between all fields are checked
Result<Instance> read_document(const Value& document, const std::filesystem::path& directory,
                               bool needs_job) {
  Instance instance;
  ObjectReader read(document, "");
  read_job(read, document, instance);
  if (needs_job && !read.has("checkpoint")) read.refuse("checkpoint", "is missing");
  read_failing_platform(read, directory, instance);
  HOLDFAST_CHECK(read.finish());
  HOLDFAST_CHECK(needs_job ? check(instance) : check_platform(instance));
  return instance;
}

}  // namespace

Result<Instance> read_instance(const Value& document, const std::filesystem::path& directory) {
  return read_document(document, directory, true);
}

Result<Instance> read_platform(const Value& document, const std::filesystem::path& directory) {
  return read_document(document, directory, false);
}

Result<Instance> read_running_job(const Value& document, const std::filesystem::path& directory,
                                  const std::function<void(ObjectReader&)>& more) {
  Instance instance;
  ObjectReader read(document, "");
  read_job(read, document, instance);
  more(read);
  read_failing_platform(read, directory, instance, false);
  HOLDFAST_CHECK(read.finish());
  HOLDFAST_CHECK(check_late_saves_of_running(instance));
  if (!instance.law) {
    return fail(ErrorCode::bad_value, "/failures",
                "found no law ('distribution', 'mtbf' or 'log'), which a job that runs needs");
  }
  Instance checked = instance;
  if (!read.has("checkpoint")) checked.checkpoint = 1;
  HOLDFAST_CHECK(check(checked));
  return instance;
}

Value to_value(const Instance& instance) {
  Value document = Value::object();
  if (instance.is_window) {
    Instance endless = instance;
    endless.work = Instance::kNever;
    job_fields().write(endless, document);
  } else {
    job_fields().write(instance, document);
  }
  if (instance.local.exists()) {
    document.set("local_recovery", instance.local.recovery);
    document.set("local_share", instance.local.share);
  }
  if (!instance.ends.final_checkpoint) document.set("no_final_checkpoint", true);
  if (!instance.ends.initial_recovery) document.set("no_initial_recovery", true);
  Value failures = failures_value(instance);
  if (instance.recorded) failures.set("recorded", to_value(*instance.recorded));
  document.set("failures", std::move(failures));
  if (instance.belief) document.set("belief", instance.belief->description());
  platform_fields().write(instance, document);
  if (!instance.ages.empty()) {
    Value ages = Value::array();
    for (const auto& [age, count] : instance.ages) ages.push(Value(Value::Array{age, count}));
    document.set("ages", std::move(ages));
  }
  if (std::isfinite(instance.horizon)) document.set("horizon", instance.horizon);
  spare_fields().write(instance, document);
  write_spare_platform(instance.platform, document);
  if (!instance.segments.empty()) document.set("segments", Value::list(instance.segments));
  if (instance.planning.mode == PlanningTime::Mode::measured)
    document.set("planning_time", "measured");
  if (instance.planning.mode == PlanningTime::Mode::fixed)
    document.set("planning_time", instance.planning.seconds);
  return document;
}

}  // namespace holdfast::checkpoint
