#include "holdfast/domains/capacity/live/world.hpp"

#include "holdfast/base/name_index.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/contract/field.hpp"
#include "holdfast/domains/capacity/document_parts.hpp"
#include "holdfast/domains/capacity/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace holdfast::capacity {
namespace {

using Phase = LiveJob::Phase;

Status read_machines_of(ObjectReader& read, World& world) {
  world.machines = read.texts("machines");
  const std::vector<std::string> down =
      read.has("down") ? read.texts("down") : std::vector<std::string>();
  if (read.ok() && world.machines.empty()) read.refuse("machines", "found none, expected names");
  HOLDFAST_CHECK(read.ok() ? Status() : read.finish());
  const NameIndex index(world.machines.size(),
                        [&](std::size_t i) -> std::string_view { return world.machines[i]; });
  if (const auto twice = index.repeated()) {
    return fail(
        ErrorCode::bad_value, pointer_to("/machines", *twice),
        fmt::format("found {} twice, expected different names", in_quotes(world.machines[*twice])));
  }
  world.is_up.assign(world.machines.size(), 1);
  for (std::size_t i = 0; i < down.size(); ++i) {
    HOLDFAST_TRY(machine, index.at(down[i], "machine", pointer_to("/down", i)));
    world.is_up[machine] = 0;
  }
  return {};
}

// Where a job runs, or waits to run: a name or, of a job of several machines, names.
void read_places(ObjectReader& read, const World& world, bool occupies, LiveJob& job) {
  std::vector<std::size_t> places;
  const std::vector<std::string> names =
      read.has("on") ? read_names(read, "on") : std::vector<std::string>();
  for (const std::string& name : names) {
    const auto machine = world.machine_named(name);
    if (!machine) {
      read.refuse("on", fmt::format("found {}, expected one of 'machines'", in_quotes(name)));
      return;
    }
    if (occupies && world.is_up[*machine] == 0) {
      read.refuse("on", fmt::format("found {}, which is down", in_quotes(name)));
    }
    places.push_back(*machine);
  }
  if (read.ok() && occupies && places.empty()) read.refuse("on", "is missing: where does it run?");
  if (!read.ok() || places.empty()) return;
  job.machine = places.front();
  job.others.assign(places.begin() + 1, places.end());
}

Result<LiveJob> read_live_job(const Value& value, const std::string& where, const World& world,
                              std::size_t number) {
  ObjectReader read(value, where);
  LiveJob job;
  HOLDFAST_TRY(plain, read_job_fields(read, number));
  job.id = plain.id;
  job.release = plain.release;
  job.cores = plain.cores;
  job.length = plain.length;
  job.category = plain.category;
  job.phase = static_cast<Phase>(read.choice_or("state", kPhases, 0));
  job.since = read_time(read, "since", job.release);
  job.width = read.integer_or("machines", 1, between(1, kMostMachines));
  const bool occupies = job.phase == Phase::starting || job.phase == Phase::running;
  read_places(read, world, occupies, job);
  if (read.ok() && (job.cores < 1 || job.cores > world.rules.cores)) {
    read.refuse("cores", fmt::format("found {}, expected 1 to {}, the cores of a machine",
                                     job.cores, world.rules.cores));
  }
  if (read.ok() && occupies && job.since > world.now) {
    read.refuse("since", fmt::format("found {}, expected at most {}, the date 'now' of the state",
                                     job.since, world.now));
  }
  if (read.ok() && job.length < 1) {
    read.refuse("length", fmt::format("found {}, expected at least 1 second", job.length));
  }
  HOLDFAST_CHECK(read.finish());
  return job;
}

Value places_value(const World& world, const LiveJob& job) {
  if (job.others.empty()) return world.machines[*job.machine];
  Value out = Value::array();
  out.push(world.machines[*job.machine]);
  for (const std::size_t other : job.others) out.push(world.machines[other]);
  return out;
}

}  // namespace

std::int64_t World::up_count() const {
  return std::count(is_up.begin(), is_up.end(), char{1});
}

std::optional<std::size_t> World::machine_named(std::string_view name) const {
  const auto found = std::find(machines.begin(), machines.end(), name);
  if (found == machines.end()) return std::nullopt;
  return static_cast<std::size_t>(found - machines.begin());
}

std::int64_t estimated_length(std::int64_t promised, std::int64_t lasted) {
  if (lasted < promised) return promised;
  std::int64_t out = promised + (promised + 9) / 10;
  while (out <= lasted) out *= 2;
  return out;
}

std::int64_t first_used(const Instance& rules, std::int64_t up) {
  const std::int64_t used = std::min(rules.safe_machines, up);
  return used == 0 && up > 0 ? 1 : used;
}

Result<World> read_world(const Value& document) {
  HOLDFAST_CHECK(check_header(document, "capacity-instance"));
  World world;
  Instance& rules = world.rules;
  ObjectReader read(document, "");
  read.ignore("holdfast");
  read_rules(read, rules);
  if (rules.profile != Profile::standard) {
    read.refuse("profile", "found author, expected default: its rules are for reproductions");
  }
  if (!read.has("cores")) read.refuse("cores", "is missing");
  HOLDFAST_CHECK(read_machines_of(read, world));
  rules.machines = static_cast<std::int64_t>(world.machines.size());
  rules.safe_machines = read.integer_or("safe_machines", (rules.machines + 1) / 2, non_negative());
  world.now = read_time(read, "now", 0, kInstants);
  world.patience = read_time(read, "patience", world.patience, kInstants);
  rules.requeue_delay = read_time(read, "requeue_delay", 0, kInstants);
  if (read.has("checkpoint")) rules.checkpoint = read_time(read, "checkpoint", 0, kInstants);
  read_tariffs(read, rules);
  read.each_or_none("announced", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(step, read_step(value, where));
    rules.alive.push_back(step);
    return {};
  });
  read_reference_list(read, rules);
  read.each_or_none("jobs", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(job, read_live_job(value, where, world, world.jobs.size()));
    world.jobs.push_back(std::move(job));
    return {};
  });
  world.memory.used = read.integer_or("used_machines", first_used(rules, world.up_count()),
                                      between(0, static_cast<double>(rules.machines)));
  world.memory.largest_stretch = read.number_or("largest_stretch", 1, non_negative());
  HOLDFAST_CHECK(read.finish());
  std::vector<std::string_view> names;
  for (const LiveJob& job : world.jobs) names.emplace_back(job.id);
  const NameIndex ids(names.size(), [&](std::size_t i) { return names[i]; });
  HOLDFAST_CHECK(ids.check_different("/jobs"));
  Instance whole = rules;  // with the machines of now, which its check wants
  whole.alive = {{0, world.up_count()}};
  whole.begin = 0;
  whole.end = 1;
  HOLDFAST_CHECK(check(whole));
  return world;
}

Value to_value(const World& world) {
  Value out =
      Value::object({{"holdfast", Value::object({{"kind", "capacity-instance"}, {"version", 1}})}});
  const Instance& rules = world.rules;
  core_fields().write(rules, out);
  out.set("safe_machines", rules.safe_machines);
  out.set("machines", Value::list(world.machines));
  Value down = Value::array();
  for (std::size_t m = 0; m < world.machines.size(); ++m) {
    if (world.is_up[m] == 0) down.push(world.machines[m]);
  }
  out.set("down", std::move(down));
  out.set("now", world.now);
  out.set("patience", world.patience);
  if (rules.requeue_delay > 0) out.set("requeue_delay", rules.requeue_delay);
  if (rules.checkpoint) out.set("checkpoint", *rules.checkpoint);
  write_tariffs(rules, out);
  out.set("used_machines", world.memory.used);
  out.set("largest_stretch", world.memory.largest_stretch);
  if (!rules.alive.empty()) out.set("announced", steps_value(rules.alive));
  if (!rules.reference.empty()) out.set("reference", reference_value(rules.reference));
  Value jobs = Value::array();
  for (const LiveJob& job : world.jobs) {
    Value row = Value::object(
        {{"id", job.id}, {"release", job.release}, {"cores", job.cores}, {"length", job.length}});
    if (job.category) row.set("category", *job.category);
    row.set("state", kPhases[static_cast<std::size_t>(job.phase)]);
    if (job.width > 1) row.set("machines", job.width);
    if (job.machine) row.set("on", places_value(world, job));
    if (job.phase != Phase::waiting) row.set("since", job.since);
    jobs.push(std::move(row));
  }
  out.set("jobs", std::move(jobs));
  return out;
}

}  // namespace holdfast::capacity
