#include "holdfast/domains/capacity/instance_io.hpp"

#include "holdfast/base/digest.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/domains/capacity/document_parts.hpp"
#include "holdfast/domains/capacity/inputs.hpp"
#include "holdfast/domains/capacity/sizing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace holdfast::capacity {
namespace {

constexpr auto kFamilyNames =
    std::to_array<std::string_view>({"uniform", "log-scale", "log-scale-u", "three-types"});

constexpr auto kFields = std::to_array<Parameter>({
    {.name = "profile",
     .summary = "the text's rules, or those of the author's simulator",
     .kind = Kind::choice,
     .fallback = "default",
     .choices = kProfiles},
    {.name = "cores",
     .summary = "of one machine; default: room for 95 % of the work of a log, else 24",
     .kind = Kind::integer,
     .range = at_least(1)},
    {.name = "machines",
     .summary =
         "most machines that are ever alive; default: the largest step, or by the log's load",
     .kind = Kind::integer,
     .range = kMachines},
    {.name = "safe_machines",
     .summary = "fewest machines that are ever alive; default: the smallest step",
     .kind = Kind::integer,
     .range = non_negative()},
    {.name = "distance",
     .summary = "largest distance between target and chosen machine",
     .kind = Kind::integer,
     .range = non_negative()},
    {.name = "window",
     .summary = "begin,end of what is simulated; default 7d,21d, with a series at most its length",
     .kind = Kind::numbers,
     .unit = Unit::seconds,
     .range = non_negative()},
    {.name = "jobs",
     .summary = "batch log with the jobs (SWF, tables of release, cores, length)",
     .kind = Kind::file,
     .pointer = "/jobs/file"},
    {.name = "jobs_format",
     .summary = "read it as this in place of what it looks like",
     .kind = Kind::text,
     .pointer = "/jobs/format"},
    {.name = "compress",
     .summary = "divide the times between submissions of the log by this",
     .range = positive(),
     .fallback = "1",
     .pointer = "/jobs/compress"},
    {.name = "longest",
     .summary = "leave out longer jobs of the log",
     .unit = Unit::seconds,
     .range = positive(),
     .pointer = "/jobs/longest"},
    {.name = "reference",
     .summary = "batch log that fixes the categories; default: the week before the window",
     .kind = Kind::file,
     .pointer = "/reference/file"},
    {.name = "alive",
     .summary = "series of the capacity (instances alive, power, carbon intensity, outages)",
     .kind = Kind::file,
     .pointer = "/alive/file"},
    {.name = "alive_rule",
     .summary = "values to machines; default by what the series holds (of outages: share alone)",
     .kind = Kind::choice,
     .choices = kRules,
     .pointer = "/alive/rule"},
    {.name = "alive_column",
     .summary = "column of the series; A+B adds columns",
     .kind = Kind::text,
     .pointer = "/alive/column"},
    {.name = "alive_unit",
     .summary = "unit of time of a series that does not say it: 1h, 1s, 1ms",
     .unit = Unit::seconds,
     .range = positive(),
     .pointer = "/alive/unit"},
    {.name = "alive_from",
     .summary =
         "instant of the series at which the window begins: a date, or a time from its first",
     .kind = Kind::text,
     .pointer = "/alive/from"},
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
     .summary = "of the generated capacity; default: as many as a log keeps busy, else 24",
     .kind = Kind::integer,
     .range = kMachines},
    {.name = "machine_range",
     .summary = "largest distance of the generated capacity from its mean; default: a third of it",
     .kind = Kind::integer,
     .range = non_negative()},
    {.name = "period",
     .summary = "between changes of the generated capacity",
     .unit = Unit::seconds,
     .range = kPeriod,
     .fallback = "1200s"},
});

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
                  fmt::format("found {}, expected the id of a job", in_quotes(id)));
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

/// Reads one document into a problem, part by part.
class ProblemReader {
 public:
  ProblemReader(const Value& document, const std::filesystem::path& directory)
      : document_{document}, directory_{directory}, read_{document, ""} {}

  Result<Problem> read() {
    HOLDFAST_CHECK(check_header(document_, "capacity-instance"));
    Instance& fixed = problem_.fixed;
    read_.ignore("holdfast"), read_.ignore("reference_makespan");
    read_rules(read_, fixed);
    const Value* jobs = document_.find("jobs");
    problem_.draws_jobs = jobs == nullptr;
    problem_.draws_capacity = document_.find("alive") == nullptr;
    const bool is_listed = jobs != nullptr && jobs->array_items() != nullptr;
    fixed.cores = is_listed ? read_.integer("cores", at_least(1))
                            : read_.integer_or("cores", 24, at_least(1));
    if (fixed.profile == Profile::author && problem_.draws_jobs) fixed.begin = 2 * 604800;
    const bool has_window = read_.has("window");
    read_window(read_, fixed.begin, fixed.end);
    if (read_.ok() && fixed.begin >= fixed.end) {
      read_.refuse("window", fmt::format("found [{}, {}), expected a window that is not empty",
                                         fixed.begin, fixed.end));
    }
    read_.with("jobs", [this](const Value& value, const std::string& where) {
      return read_jobs(value, where);
    });
    size_cores();
    read_.with("reference", [this](const Value& value, const std::string& where) {
      return read_reference(value, where);
    });
    if (problem_.draws_capacity) {
      read_walk();
    } else {
      read_capacity(has_window);
    }
    if (problem_.draws_jobs) {
      read_family();
    } else {
      read_placements(read_, fixed);
    }
    HOLDFAST_CHECK(read_.finish());
    if (!problem_.is_fixed()) copy_to_generator();
    HOLDFAST_CHECK(check(problem_.is_fixed() ? fixed : draw(problem_, 1, 0, 0)));
    define();
    return std::move(problem_);
  }

 private:
  Status read_jobs(const Value& value, const std::string& where) {
    if (value.array_items() == nullptr) {
      HOLDFAST_TRY(logged, read_logged_jobs(value, where, directory_));
      problem_.fixed.jobs = std::move(logged.jobs);
      problem_.left_out = logged.left_out;
      add_notes(std::move(logged.notes));
      has_job_file_ = true;
      return {};
    }
    for (std::size_t i = 0; i < value.array_items()->size(); ++i) {
      HOLDFAST_TRY(job, read_job((*value.array_items())[i], pointer_to(where, i), i));
      problem_.fixed.jobs.push_back(std::move(job));
    }
    return {};
  }

  Status read_reference(const Value& value, const std::string& where) {
    if (value.array_items() != nullptr) {
      read_reference_list(read_, problem_.fixed);
      return {};
    }
    HOLDFAST_TRY(logged, read_logged_jobs(value, where, directory_));
    for (const Job& job : logged.jobs) {
      if (job.cores <= problem_.fixed.cores) {
        problem_.fixed.reference.push_back({job.length, job.cores});
      }
    }
    add_notes(std::move(logged.notes));
    return {};
  }

  // Machines are sized to the jobs of a log where the document does not say what there is. Not in profile `author`: the
  // figures have their own.
  [[nodiscard]] bool sizes(std::string_view name) const {
    return has_job_file_ && problem_.fixed.profile == Profile::standard &&
           document_.find(name) == nullptr;
  }
  void size_cores() {
    Instance& fixed = problem_.fixed;
    if (read_.ok() && sizes("cores")) fixed.cores = cores_for(fixed.jobs);
  }
  [[nodiscard]] double wanted_machines() const {
    const Instance& fixed = problem_.fixed;
    return machines_for(fixed.jobs, fixed.cores, fixed.begin, fixed.end);
  }

  // The walk, where no capacity is given.
  void read_walk() {
    GeneratorParameters& p = problem_.generator;
    if (read_.ok() && sizes("mean_machines")) {
      p.mean_machines = std::clamp<std::int64_t>(std::llround(wanted_machines()), 1, kMostMachines);
      p.machine_range = range_for(p.mean_machines);
    }
    p.mean_machines = read_.integer_or("mean_machines", p.mean_machines, kMachines);
    p.machine_range = read_.integer_or("machine_range", std::min(p.machine_range, p.mean_machines),
                                       between(0, static_cast<double>(p.mean_machines)));
    p.period = read_time(read_, "period", p.period, kPeriod);
    if (read_.ok() && p.machine_range > 0 && p.machine_range < 4) {
      problem_.notes.push_back(
          fmt::format("the capacity never changes: its step is a quarter of the range {}, rounded "
                      "down{}",
                      p.machine_range,
                      sizes("mean_machines") ? "; more machines follow from fewer --cores, or from "
                                               "a log that --compress makes denser"
                                             : ""));
    }
  }

  void read_capacity(bool has_window) {
    read_.with("alive", [&](const Value& value, const std::string& where) -> Status {
      if (value.array_items() != nullptr) {
        for (std::size_t i = 0; i < value.array_items()->size(); ++i) {
          HOLDFAST_TRY(step, read_step((*value.array_items())[i], pointer_to(where, i)));
          problem_.fixed.alive.push_back(step);
        }
        return {};
      }
      return read_recorded(value, where, has_window);
    });
    if (read_.ok()) read_machines(read_, problem_.fixed);
  }

  Status read_recorded(const Value& value, const std::string& where, bool has_window) {
    Instance& fixed = problem_.fixed;
    MachineBounds bounds;
    if (read_.has("machines")) bounds.most = read_.integer("machines", kMachines);
    if (read_.has("safe_machines")) bounds.least = read_.integer("safe_machines", non_negative());
    if (sizes("machines")) bounds.wanted = wanted_machines();
    const std::int64_t length = fixed.end - fixed.begin;
    HOLDFAST_TRY(recorded,
                 read_recorded_capacity(
                     value, where, directory_, fixed.begin,
                     has_window ? std::optional<std::int64_t>(length) : std::nullopt, bounds));
    fixed.alive = std::move(recorded.alive);
    fixed.end = std::min(fixed.end, fixed.begin + recorded.duration);
    add_notes(std::move(recorded.notes));
    return {};
  }

  void read_family() {
    GeneratorParameters& p = problem_.generator;
    p.family = static_cast<Family>(read_.choice_or("family", kFamilyNames, 0));
    p.jobs = read_.integer_or("job_count", p.jobs, between(1, 1e7));
  }

  void copy_to_generator() {
    GeneratorParameters& p = problem_.generator;
    Instance& fixed = problem_.fixed;
    p.profile = fixed.profile;
    p.cores = fixed.cores;
    p.begin = fixed.begin;
    p.end = fixed.end;
    if (!problem_.draws_capacity) return;
    fixed.machines = p.mean_machines + p.machine_range;
    fixed.safe_machines = p.mean_machines - p.machine_range;
  }

  void add_notes(std::vector<std::string> notes) {
    std::move(notes.begin(), notes.end(), std::back_inserter(problem_.notes));
  }

  // Jobs of a file stand for themselves by their digest.
  Value jobs_definition() const {
    std::string text;
    for (const Job& job : problem_.fixed.jobs) {
      fmt::format_to(std::back_inserter(text), "{} {} {}\n", job.release, job.cores, job.length);
    }
    return Value::object({{"jobs", static_cast<std::int64_t>(problem_.fixed.jobs.size())},
                          {"sha256", sha256_hex(text)}});
  }
  Value reference_definition() const {
    std::string text;
    for (const ReferenceJob& job : problem_.fixed.reference) {
      fmt::format_to(std::back_inserter(text), "{} {}\n", job.cores, job.length);
    }
    return Value::object({{"jobs", static_cast<std::int64_t>(problem_.fixed.reference.size())},
                          {"sha256", sha256_hex(text)}});
  }

  void define() {
    const GeneratorParameters& p = problem_.generator;
    Value whole = to_value(problem_.fixed);
    if (has_job_file_) {
      whole.set("jobs", jobs_definition());
      if (!problem_.fixed.reference.empty()) whole.set("reference", reference_definition());
    }
    if (problem_.draws_jobs) {
      whole.erase("jobs");
      whole.set("family", kFamilyNames[static_cast<std::size_t>(p.family)]);
      whole.set("job_count", p.jobs);
    }
    if (problem_.draws_capacity) {
      for (const std::string_view name : {"machines", "safe_machines", "alive"}) whole.erase(name);
      whole.set("mean_machines", p.mean_machines);
      whole.set("machine_range", p.machine_range);
      whole.set("period", p.period);
    }
    if (!problem_.is_fixed()) whole.erase("holdfast");
    problem_.definition = std::move(whole);
  }

  const Value& document_;
  const std::filesystem::path& directory_;
  ObjectReader read_;
  Problem problem_;
  bool has_job_file_ = false;
};

}  // namespace

std::span<const Parameter> fields() {
  return kFields;
}

Result<Problem> read_problem(const Value& document, const std::filesystem::path& directory) {
  return ProblemReader(document, directory).read();
}

Instance draw(const Problem& problem, std::uint64_t seed, std::uint64_t index,
              std::uint64_t scenario) {
  if (problem.is_fixed()) return problem.fixed;
  Instance out = problem.fixed;
  if (!problem.draws_jobs) {
    draw_capacity(problem, seed, index, scenario, out);
    return out;
  }
  Instance drawn = generate(problem.generator, seed, index, scenario);
  if (problem.draws_capacity) out.alive = std::move(drawn.alive);
  out.jobs = std::move(drawn.jobs);
  if (out.reference.empty()) out.reference = std::move(drawn.reference);
  return out;
}

void draw_capacity(const Problem& problem, std::uint64_t seed, std::uint64_t index,
                   std::uint64_t scenario, Instance& instance) {
  if (!problem.draws_capacity) return;
  instance.alive = generate_walk(problem.generator, seed, index, scenario);
}

Value to_value(const Instance& instance) {
  Value document =
      Value::object({{"holdfast", Value::object({{"kind", "capacity-instance"}, {"version", 1}})}});
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
  if (!instance.given.empty()) {
    Value placements = Value::array();
    for (const Instance::Placement& one : instance.given) {
      placements.push(Value::object(
          {{"job", instance.jobs[one.job].id}, {"machine", one.machine}, {"start", one.start}}));
    }
    document.set("placements", std::move(placements));
  }
  return document;
}

}  // namespace holdfast::capacity
