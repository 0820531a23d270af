#include "holdfast/domains/capacity/instance_io.hpp"

#include "holdfast/base/digest.hpp"
#include "holdfast/base/name_index.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/contract/ask.hpp"
#include "holdfast/domains/capacity/document_parts.hpp"
#include "holdfast/domains/capacity/fields.hpp"
#include "holdfast/domains/capacity/inputs.hpp"
#include "holdfast/domains/capacity/sizing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace holdfast::capacity {
namespace {

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
    Instance& fixed = problem_.fixed;
    fixed.cores = problem_.generator.cores;
    read_rules(read_, fixed);
    sized_ = read_sizes(read_, fixed);
    read_notice(read_, fixed);
    const Value* jobs = document_.find("jobs");
    problem_.draws_jobs = jobs == nullptr;
    problem_.draws_capacity = document_.find("alive") == nullptr;
    const bool is_listed = jobs != nullptr && jobs->array_items() != nullptr;
    if (is_listed && !read_.has("cores") && !sized_) read_.refuse("cores", "is missing");
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
    if (!has_window) size_window();
    read_.with("reference", [this](const Value& value, const std::string& where) {
      return read_reference(value, where);
    });
    if (problem_.draws_capacity) {
      read_walk();
    } else {
      read_capacity(has_window);
    }
    read_tariff("price", fixed.price);
    read_tariff("carbon", fixed.carbon);
    objective_fields().read(read_, fixed);
    if (problem_.draws_jobs) {
      family_fields().read(read_, problem_.generator);
    } else {
      read_placements(read_, fixed);
    }
    HOLDFAST_CHECK(read_.finish());
    if (!problem_.is_fixed()) copy_to_generator();
    HOLDFAST_CHECK(check(problem_.is_fixed() ? fixed : draw(problem_, 1, 0, 0)));
    define();
    if (!problem_.draws_capacity) boot_machines(fixed);
    return std::move(problem_);
  }

 private:
  Status read_jobs(const Value& value, const std::string& where) {
    if (value.array_items() == nullptr) {
      HOLDFAST_TRY(logged, read_logged_jobs(value, where, directory_));
      problem_.fixed.jobs = std::move(logged.jobs);
      problem_.left_out = logged.left_out;
      processors_ = logged.processors;
      add_notes(std::move(logged.notes));
      has_job_file_ = true;
      return {};
    }
    for (std::size_t i = 0; i < value.array_items()->size(); ++i) {
      HOLDFAST_TRY(job, read_job((*value.array_items())[i], pointer_to(where, i), i));
      problem_.fixed.jobs.push_back(std::move(job));
    }
    const auto& jobs = problem_.fixed.jobs;
    const NameIndex ids(jobs.size(), [&](std::size_t i) -> std::string_view { return jobs[i].id; });
    return ids.check_different(where);
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

  // Machines are sized to the jobs of a log where the document does not give their size or number. This is not done in profile
  // `author`, because the published figures have sizes of their own.
  [[nodiscard]] bool sizes(std::string_view name) const {
    return has_job_file_ && problem_.fixed.profile == Profile::standard && !sized_ &&
           document_.find(name) == nullptr;
  }
  void size_cores() {
    Instance& fixed = problem_.fixed;
    if (read_.ok() && sizes("cores")) fixed.cores = cores_for(fixed.jobs);
  }
  // A log that ends before the usual window does gets the time from its first to its last submission.
  void size_window() {
    Instance& fixed = problem_.fixed;
    if (!read_.ok() || !has_job_file_ || fixed.profile != Profile::standard) return;
    const std::int64_t last = std::ranges::max(fixed.jobs, {}, &Job::release).release;
    if (last >= fixed.end) return;
    fixed.begin = 0;
    fixed.end = last + 1;
  }
  // Returns the number of machines with the processors that the log says, if it says so.
  [[nodiscard]] std::optional<std::int64_t> logged_machines() const {
    if (processors_ == 0) return std::nullopt;
    const double machines =
        std::round(static_cast<double>(processors_) / static_cast<double>(problem_.fixed.cores));
    return static_cast<std::int64_t>(std::clamp(machines, 1.0, static_cast<double>(kMostMachines)));
  }
  [[nodiscard]] double wanted_machines() const {
    const Instance& fixed = problem_.fixed;
    return machines_for(fixed.jobs, fixed.cores, fixed.begin, fixed.end);
  }

  // Reads the parameters of the walk, which is drawn if no capacity is given.
  void read_walk() {
    GeneratorParameters& p = problem_.generator;
    if (read_.ok() && sizes("mean_machines")) {
      p.mean_machines = std::clamp<std::int64_t>(std::llround(wanted_machines()), 1, kMostMachines);
      p.machine_range = range_for(p.mean_machines);
    }
    walk_fields().read(read_, p);
    if (read_.ok() && sized_) fit_walk(*sized_);
    if (!read_.has("machine_range")) p.machine_range = std::min(p.machine_range, p.mean_machines);
    if (read_.ok() && p.machine_range > p.mean_machines) {
      read_.refuse("machine_range", fmt::format("found {}, expected a whole number from 0 to {}",
                                                p.machine_range, p.mean_machines));
    }
    p.period = read_time(read_, "period", p.period, kPeriod);
    if (read_.ok() && p.walk_step && *p.walk_step > p.machine_range) {
      read_.refuse("walk_step", fmt::format("found {}, expected at most the range of {} machines",
                                            *p.walk_step, p.machine_range));
    }
    if (read_.ok() && !p.walk_step && p.machine_range > 0 && p.machine_range < 4) {
      problem_.notes.push_back(
          fmt::format("the capacity never changes: its step is a quarter of the range {}, rounded "
                      "down{}",
                      p.machine_range,
                      sizes("mean_machines") ? "; more machines follow from fewer --cores, or from "
                                               "a log that --compress makes denser"
                                             : ""));
    }
  }

  // The walk goes up to all machines whose sizes are given.
  void fit_walk(std::int64_t machines) {
    GeneratorParameters& p = problem_.generator;
    const bool has_mean = read_.has("mean_machines"), has_range = read_.has("machine_range");
    if (!has_mean && !has_range) p.machine_range = sized_range_for(machines);
    if (!has_mean) p.mean_machines = machines - p.machine_range;
    if (!has_range) p.machine_range = machines - p.mean_machines;
    const bool fits = p.machine_range >= 0 && p.machine_range <= p.mean_machines &&
                      p.mean_machines + p.machine_range == machines;
    if (fits) return;
    if (has_mean && has_range) {
      read_.refuse("mean_machines",
                   fmt::format("found {} and a range of {}, expected {} together, the machines of "
                               "'machine_sizes'",
                               p.mean_machines, p.machine_range, machines));
    } else if (has_mean) {
      read_.refuse("mean_machines",
                   fmt::format("found {}, expected {} to {}: the capacity goes as far below it as "
                               "up to all machines of 'machine_sizes'",
                               p.mean_machines, (machines + 1) / 2, machines));
    } else {
      read_.refuse(
          "machine_range",
          fmt::format("found {}, expected at most half of the {} machines of 'machine_sizes'",
                      p.machine_range, machines));
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
    HOLDFAST_TRY(first, recorded_capacity(value, where, has_window));
    auto recorded = std::move(first);
    if (recorded.single) {
      if (!make_dense(has_window)) return fail(*std::move(recorded.single));
      HOLDFAST_TRY(again, recorded_capacity(value, where, has_window));
      if (again.single) return fail(*std::move(again.single));
      recorded = std::move(again);
    }
    Instance& fixed = problem_.fixed;
    fixed.alive = std::move(recorded.alive);
    fixed.end = std::min(fixed.end, fixed.begin + recorded.duration);
    add_notes(std::move(recorded.notes));
    return {};
  }

  // The log of a machine as wide as its jobs fills several such machines if its submissions follow one another faster. Returns false
  // if the document says how large machines are, or how dense the log.
  bool make_dense(bool has_window) {
    Instance& fixed = problem_.fixed;
    const Value* jobs = document_.find("jobs");
    if (!sizes("cores") || !sizes("machines") || jobs->find("compress") != nullptr) return false;
    const std::int64_t last = std::ranges::max(fixed.jobs, {}, &Job::release).release;
    const double busy = machines_for(fixed.jobs, fixed.cores, 0, last + 1);
    const double times =
        std::round(static_cast<double>(GeneratorParameters{}.mean_machines) / busy);
    if (!(times > 1)) return false;
    for (Job& job : fixed.jobs)
      job.release = static_cast<std::int64_t>(std::floor(static_cast<double>(job.release) / times));
    processors_ = 0;
    problem_.compress = times;
    if (!has_window) size_window();
    problem_.notes.push_back(fmt::format(
        "the jobs of the log are as wide as its machine, so they are submitted {0} "
        "times as fast (--compress {0}), to several such machines; with fewer --cores of "
        "a machine wider jobs are left out",
        times));
    return true;
  }

  Result<RecordedCapacity> recorded_capacity(const Value& value, const std::string& where,
                                             bool has_window) {
    Instance& fixed = problem_.fixed;
    machine_fields().read(read_, fixed);
    MachineBounds bounds;
    if (read_.has("machines")) bounds.most = fixed.machines;
    if (sized_) bounds.most = *sized_;
    if (read_.has("safe_machines")) bounds.least = fixed.safe_machines;
    if (sizes("machines")) {
      bounds.most = logged_machines();
      bounds.wanted = wanted_machines();
    }
    const std::int64_t length = fixed.end - fixed.begin;
    return read_recorded_capacity(value, where, directory_, fixed.begin,
                                  has_window ? std::optional<std::int64_t>(length) : std::nullopt,
                                  bounds);
  }

  void read_tariff(std::string_view name, std::vector<Rate>& out) {
    read_.with(name, [&](const Value& value, const std::string& where) -> Status {
      if (const Value::Array* rows = value.array_items()) {
        HOLDFAST_TRY(rates, read_rates(*rows, where));
        out = std::move(rates);
        return {};
      }
      const Instance& fixed = problem_.fixed;
      HOLDFAST_TRY(recorded, read_recorded_rates(value, where, directory_, fixed.begin, fixed.end));
      out = std::move(recorded.rates);
      add_notes(std::move(recorded.notes));
      return {};
    });
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

  // In the definition, a digest stands for the jobs of a file.
  template <class Jobs, class Line>
  static Value digest_of(const Jobs& jobs, const Line& line) {
    std::string text;
    for (const auto& job : jobs) text += line(job);
    return Value::object(
        {{"jobs", static_cast<std::int64_t>(jobs.size())}, {"sha256", sha256_hex(text)}});
  }

  void define() {
    const GeneratorParameters& p = problem_.generator;
    Value whole = to_value(problem_.fixed);
    if (has_job_file_) {
      whole.set("jobs", digest_of(problem_.fixed.jobs, [](const Job& job) {
                  return fmt::format("{} {} {}\n", job.release, job.cores, job.length);
                }));
      if (!problem_.fixed.reference.empty()) {
        whole.set("reference", digest_of(problem_.fixed.reference, [](const ReferenceJob& job) {
                    return fmt::format("{} {}\n", job.cores, job.length);
                  }));
      }
    }
    if (problem_.draws_jobs) {
      whole.erase("jobs");
      family_fields().write(p, whole);
    }
    if (problem_.draws_capacity) {
      for (const std::string_view name : {"machines", "safe_machines", "alive"}) whole.erase(name);
      walk_fields().write(p, whole);
      whole.set("period", p.period);
    }
    // The header stays because the keys of stored cells of a fixed instance were computed with it.
    problem_.definition = problem_.is_fixed() ? with_header("capacity", whole) : std::move(whole);
  }

  const Value& document_;
  const std::filesystem::path& directory_;
  ObjectReader read_;
  Problem problem_;
  bool has_job_file_ = false;
  std::int64_t processors_ = 0;        ///< of the machine of the log; 0: unknown
  std::optional<std::int64_t> sized_;  ///< the number of machines, if their sizes are given
};

}  // namespace

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
  if (problem.draws_capacity) {
    out.alive = std::move(drawn.alive);
    boot_machines(out);
  }
  out.jobs = std::move(drawn.jobs);
  if (out.reference.empty()) out.reference = std::move(drawn.reference);
  return out;
}

void draw_capacity(const Problem& problem, std::uint64_t seed, std::uint64_t index,
                   std::uint64_t scenario, Instance& instance) {
  if (!problem.draws_capacity) return;
  instance.alive = generate_walk(problem.generator, seed, index, scenario);
  boot_machines(instance);
}

Value to_value(const Instance& instance) {
  Value document = Value::object();
  profile_fields().write(instance, document);
  machine_fields().write(instance, document);
  core_fields().write(instance, document);
  write_sizes(instance, document);
  if (instance.notice > 0) document.set("notice", instance.notice);
  if (instance.notice_recall < 1) document.set("notice_recall", instance.notice_recall);
  if (instance.notice_precision < 1) document.set("notice_precision", instance.notice_precision);
  if (instance.requeue_delay > 0) document.set("requeue_delay", instance.requeue_delay);
  if (instance.boot > 0) document.set("boot", instance.boot);
  if (instance.shutdown > 0) document.set("shutdown", instance.shutdown);
  if (instance.checkpoint) document.set("checkpoint", *instance.checkpoint);
  write_tariffs(instance, document);
  document.set("window", Value(Value::Array{instance.begin, instance.end}));
  document.set("alive", steps_value(instance.powered_steps()));
  Value jobs = Value::array();
  for (const Job& job : instance.jobs) {
    Value row = Value::object(
        {{"id", job.id}, {"release", job.release}, {"cores", job.cores}, {"length", job.length}});
    if (job.category) row.set("category", *job.category);
    jobs.push(std::move(row));
  }
  document.set("jobs", std::move(jobs));
  if (!instance.reference.empty()) {
    document.set("reference", reference_value(instance.reference));
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
