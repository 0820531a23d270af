#include "holdfast/domains/io/instance_io.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/domains/io/document_parts.hpp"
#include "holdfast/domains/io/fields.hpp"
#include "holdfast/domains/io/logged_phases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace holdfast::io {
namespace {

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

// Reads an I/O log instead of phases; what the application does not give follows from the log.
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
  HOLDFAST_TRY(time, read_amount((*items)[0], where, Unit::seconds));
  HOLDFAST_TRY(rates, read_amounts((*items)[1], pointer_to(where, 1), Unit::bytes_per_second));
  return GivenRates{time, std::move(rates)};
}

}  // namespace

bool describes_workload(const Value& parameters) {
  return parameters.find("classes") != nullptr;
}

bool describes_generator(const Value& parameters) {
  const Value* applications = parameters.find("applications");
  return applications == nullptr || applications->array_items() == nullptr;
}

Result<Instance> read_instance(const Value& document, const std::filesystem::path& directory) {
  Instance instance;
  ObjectReader read(document, "");
  const double node_bandwidth = read_system(read, instance);
  instance_fields().read(read, instance);
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
  HOLDFAST_CHECK(check_ids(instance));
  HOLDFAST_CHECK(check(instance));
  return instance;
}

Result<GeneratorParameters> read_generator(const Value& parameters) {
  GeneratorParameters out;
  ObjectReader read(parameters, "");
  out.reading = read_reading(read);
  generator_fields().read(read, out);
  HOLDFAST_CHECK(read.finish());
  const std::int64_t rest = out.applications - out.applications / 3;
  if (!read.has("small") && out.small > rest) out.small = rest / 2;
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
  write_reading(instance.reading, document);
  instance_fields().write(instance, document);
  Value applications = Value::array();
  for (const Application& application : instance.applications) {
    Value phases = Value::array();
    for (const Phase& phase : application.phases) {
      constexpr std::array<const char*, 3> kKinds = {"io", "work", "lead"};
      phases.push(Value::object({{kKinds[static_cast<std::size_t>(phase.kind)], phase.amount}}));
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
  Value document = Value::object();
  generator_fields().write(p, document);
  write_reading(p.reading, document);
  return document;
}

}  // namespace holdfast::io
