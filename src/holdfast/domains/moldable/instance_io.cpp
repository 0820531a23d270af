#include "holdfast/domains/moldable/instance_io.hpp"

#include "holdfast/base/name_index.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/domains/moldable/fields.hpp"
#include "holdfast/models/speedup/speedup_io.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace holdfast::moldable {
namespace {

constexpr Range kProcessors{.minimum = 1, .maximum = static_cast<double>(kMostProcessors)};
constexpr Range kCounts{.minimum = 0, .maximum = static_cast<double>(kMostFailures)};

using Shared = std::map<std::string, Speedup, std::less<>>;

Status read_shared(const Value& value, const std::string& where, Shared& shared) {
  const Value::Object* members = value.members();
  if (members == nullptr) {
    return fail(ErrorCode::bad_value, where,
                fmt::format("found {}, expected an object of speedups", value.described()));
  }
  for (const auto& [name, speedup] : *members) {
    HOLDFAST_TRY(read, read_speedup(speedup, pointer_to(where, name)));
    shared.emplace(name, std::move(read));
  }
  return {};
}

Result<Speedup> read_job_speedup(const Value& value, const std::string& where,
                                 const Shared& shared) {
  const std::string* name = value.string();
  if (name == nullptr) return read_speedup(value, where);
  if (const auto found = shared.find(*name); found != shared.end()) return found->second;
  std::vector<std::string_view> names;
  for (const auto& [known, speedup] : shared) names.push_back(known);
  return fail(ErrorCode::unknown_name, where,
              fmt::format("found {}, expected an object or a name of /speedups; {}",
                          in_quotes(*name), suggestion(*name, names)));
}

// A number for all attempts, or a list with one for each.
Status read_allocation(const Value& value, const std::string& where,
                       std::vector<std::int64_t>& out) {
  const Value::Array* items = value.array_items();
  if (items == nullptr) {
    HOLDFAST_TRY(processors, read_integer(value, where, kProcessors));
    out.push_back(processors);
    return {};
  }
  if (items->empty()) {
    return fail(ErrorCode::bad_value, where,
                "found an empty array, expected processors per attempt");
  }
  HOLDFAST_TRY(list, read_integers(value, where, kProcessors));
  out = std::move(list);
  return {};
}

/// A reader of jobs, one by one; ids, allocations and probabilities take memory only if a job has them.
class JobReader {
 public:
  JobReader(Instance& instance, const Shared& shared) : instance_{instance}, shared_{shared} {}

  Status read(const Value& value, const std::string& where) {
    const std::size_t job = instance_.jobs.size();
    ObjectReader read(value, where);
    read.ignore("command");
    read.ignore("verify");
    if (read.has("id")) {
      has_ids_ = true;
      ids_.resize(job);
      ids_.push_back(read.text("id"));
    }
    read.required("speedup", [&](const Value& speedup, const std::string& place) -> Status {
      HOLDFAST_TRY(read_one, read_job_speedup(speedup, place, shared_));
      instance_.jobs.push_back(std::move(read_one));
      return {};
    });
    read.with("allocation", [&](const Value& allocation, const std::string& place) -> Status {
      instance_.given.resize(job + 1);
      return read_allocation(allocation, place, instance_.given.back());
    });
    if (read.has("release")) {
      instance_.releases.resize(job + 1, 0.0);
      instance_.releases.back() = read.seconds("release", non_negative());
    }
    if (read.has("failure_probability")) {
      instance_.failure_probabilities.resize(job + 1, -1.0);
      instance_.failure_probabilities.back() =
          read.number("failure_probability", {.minimum = 0, .maximum = 1, .below_maximum = true});
    }
    return read.finish();
  }

  /// Fills in what some jobs left out; refuses two jobs of one name.
  Status finish() {
    const std::size_t count = instance_.jobs.size();
    if (!instance_.given.empty()) instance_.given.resize(count);
    if (std::ranges::any_of(instance_.releases, [](double release) { return release > 0; })) {
      instance_.releases.resize(count, 0.0);
    } else {
      instance_.releases.clear();
    }
    if (!instance_.failure_probabilities.empty()) {
      instance_.failure_probabilities.resize(count, -1.0);
    }
    if (!has_ids_) return {};
    ids_.resize(count);
    for (std::size_t job = 0; job < count; ++job) {
      if (ids_[job].empty()) ids_[job] = fmt::format("{}", job);
    }
    const NameIndex seen(count, [&](std::size_t job) { return std::string_view(ids_[job]); });
    HOLDFAST_CHECK(seen.check_different("/jobs"));
    instance_.ids = std::move(ids_);
    return {};
  }

 private:
  Instance& instance_;
  const Shared& shared_;
  bool has_ids_ = false;
  std::vector<std::string> ids_;
};

Status read_failures(const Value& value, const std::string& where, Instance& instance) {
  if (value.members() != nullptr) {
    constexpr auto kAdaptive = std::to_array<std::string_view>({"theorem-11"});
    ObjectReader read(value, where);
    read.choice("adaptive", kAdaptive);
    instance.adaptive = AdaptiveFailures{read.integer("groups", between(1, 40))};
    return read.finish();
  }
  const Value::Array* items = value.array_items();
  if (items == nullptr) {
    return fail(ErrorCode::bad_value, where,
                fmt::format("found {}, expected the failures of each job", value.described()));
  }
  if (items->empty()) {
    return fail(ErrorCode::bad_value, where, "found an empty array, expected one count per job");
  }
  HOLDFAST_TRY(counts, read_integers(value, where, kCounts));
  instance.failures = std::move(counts);
  return {};
}

Value allocation_value(const std::vector<std::int64_t>& allocation) {
  return allocation.size() == 1 ? Value(allocation.front()) : Value::list(allocation);
}

/// The long tables that several jobs share, each of which is written once.
class SharedTables {
 public:
  explicit SharedTables(const Instance& instance) {
    for (const Speedup& job : instance.jobs) {
      if (job.model() == SpeedupModel::table) ++uses_[job.times().data()];
    }
  }
  Value value(const Speedup& job) {
    if (job.model() != SpeedupModel::table || uses_[job.times().data()] < 2) {
      return holdfast::to_value(job);
    }
    auto [found, is_new] = names_.try_emplace(job.times().data());
    if (is_new) {
      found->second = fmt::format("table-{}", names_.size());
      tables_.set(found->second, holdfast::to_value(job));
    }
    return Value(found->second);
  }
  [[nodiscard]] const Value& tables() const { return tables_; }

 private:
  std::unordered_map<const double*, std::size_t> uses_;
  std::unordered_map<const double*, std::string> names_;
  Value tables_ = Value::object();
};

}  // namespace

bool describes_generator(const Value& parameters) {
  const Value* jobs = parameters.find("jobs");
  return jobs == nullptr || jobs->array_items() == nullptr;
}

Result<Instance> read_instance(const Value& document) {
  Instance instance;
  Shared shared;
  ObjectReader read(document, "");
  for (const std::string_view ignored :
       {"reference", "bound", "about", "clusters", "command", "verify"}) {
    read.ignore(ignored);
  }
  instance_fields().read(read, instance);
  read.with("speedups", [&](const Value& value, const std::string& where) {
    return read_shared(value, where, shared);
  });
  JobReader jobs(instance, shared);
  read.each("jobs",
            [&](const Value& value, const std::string& where) { return jobs.read(value, where); });
  read.with("failures", [&](const Value& value, const std::string& where) {
    return read_failures(value, where, instance);
  });
  read.with("strikes", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(strikes, read_strikes(value, where));
    instance.strikes = std::move(strikes);
    return {};
  });
  std::vector<std::vector<std::int64_t>> allocations;
  read.each_or_none("allocations", [&](const Value& value, const std::string& where) {
    return read_allocation(value, where, allocations.emplace_back());
  });
  HOLDFAST_CHECK(read.finish());
  HOLDFAST_CHECK(jobs.finish());
  if (!allocations.empty()) {
    if (!instance.given.empty()) {
      return fail(ErrorCode::bad_value, "/allocations",
                  "found allocations of the jobs too, expected them in one place");
    }
    instance.given = std::move(allocations);
  }
  HOLDFAST_CHECK(check(instance));
  return instance;
}

Result<GeneratorParameters> read_generator(const Value& parameters,
                                           const std::filesystem::path& directory) {
  GeneratorParameters out;
  ObjectReader read(parameters, "");
  generator_fields().read(read, out);
  read_log_of(read, directory, LoggedOrder::none, out);
  // With higher rates, an attempt of the longest job would almost never succeed.
  const double longest = out.log == nullptr ? 4'000'000 : most_work(*out.log, out.speedup);
  constexpr double kMostErrors = 13.8;  // ln(1e6)
  if (out.log != nullptr && !read.has("error_rate") && out.error_rate * longest > kMostErrors) {
    LoggedSizes lowered = *out.log;
    out.error_rate = 0.7 / longest;
    lowered.notes.push_back(fmt::format(
        "the usual 1e-7 silent errors per second of work would strike every attempt of the largest "
        "job; assumed: {:.2g}, with which half of its attempts fail",
        out.error_rate));
    out.log = std::make_shared<const LoggedSizes>(std::move(lowered));
  }
  const ErrorLaw law{out.error_model, out.error_rate, out.checkpoint, out.recovery};
  if (read.ok()) HOLDFAST_CHECK(check_saves(law, out.processors));
  if (read.ok() && !law.saves() && out.error_rate * longest > kMostErrors) {
    read.refuse(
        "error_rate",
        fmt::format("found {}, expected at most {:.3g}: jobs of {:g} s would fail more than "
                    "1e6 times",
                    out.error_rate, kMostErrors / longest, longest));
  }
  HOLDFAST_CHECK(read.finish());
  return out;
}

Value to_value(const Instance& instance) {
  Value document = Value::object();
  instance_fields().write(instance, document);
  SharedTables tables(instance);
  Value::Array jobs;
  jobs.reserve(instance.size());
  for (std::size_t job = 0; job < instance.size(); ++job) {
    Value::Object members;
    if (!instance.ids.empty()) members.emplace_back("id", instance.ids[job]);
    members.emplace_back("speedup", tables.value(instance.jobs[job]));
    if (!instance.releases.empty() && instance.releases[job] > 0) {
      members.emplace_back("release", instance.releases[job]);
    }
    if (!instance.failure_probabilities.empty() && instance.failure_probabilities[job] >= 0) {
      members.emplace_back("failure_probability", instance.failure_probabilities[job]);
    }
    if (!instance.given.empty() && !instance.given[job].empty()) {
      members.emplace_back("allocation", allocation_value(instance.given[job]));
    }
    jobs.emplace_back(std::move(members));
  }
  if (!tables.tables().members()->empty()) document.set("speedups", tables.tables());
  document.set("jobs", std::move(jobs));
  if (!instance.failures.empty()) document.set("failures", Value::list(instance.failures));
  if (!instance.strikes.empty()) document.set("strikes", strikes_value(instance.strikes));
  if (instance.adaptive) {
    document.set("failures", Value::object({{"adaptive", "theorem-11"},
                                            {"groups", instance.adaptive->groups}}));
  }
  return document;
}

Value to_value(const GeneratorParameters& parameters) {
  Value document = Value::object();
  generator_fields().write(parameters, document);
  if (parameters.log != nullptr) document.set("log", to_value(*parameters.log));
  if (parameters.speedup) document.set("speedup", holdfast::to_value(*parameters.speedup));
  return document;
}

}  // namespace holdfast::moldable
