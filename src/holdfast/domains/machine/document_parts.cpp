#include "holdfast/domains/machine/document_parts.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/models/failures/mtbf.hpp"
#include "holdfast/models/failures/platform_mtbf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace holdfast::machine {
namespace {

/// Fields of a law that a mean alone does not have.
constexpr auto kLawFields =
    std::to_array<std::string_view>({"shape", "scale", "log_mean", "log_sd", "k"});

std::uint32_t group_named(std::string name, Instance& instance) {
  const auto place = std::find(instance.groups.begin(), instance.groups.end(), name);
  const auto index = static_cast<std::uint32_t>(place - instance.groups.begin());
  if (place == instance.groups.end()) instance.groups.push_back(std::move(name));
  return index;
}

Status read_job(const Value& value, const std::string& where, Instance& instance) {
  ObjectReader read(value, where);
  Job job;
  job.id = read.text_or("id", fmt::format("{}", instance.jobs.size() + 1));
  job.group = group_named(read.text_or("class", "all"), instance);
  job.submit = read.seconds_or("submit", 0, non_negative());
  job.nodes = read.integer_or("nodes", 1, at_least(1));
  job.input = read.quantity_or("input", Unit::bytes, 0, non_negative());
  job.output = read.quantity_or("output", Unit::bytes, 0, non_negative());
  job.checkpoint = read.quantity_or("checkpoint", Unit::bytes, 0, non_negative());
  job.recovery = read.quantity_or("recovery", Unit::bytes, job.checkpoint, non_negative());
  job.period = read.optional_quantity("period", Unit::seconds, positive());
  if (read.has("segments")) job.segments = read.numbers("segments", Unit::seconds, positive());
  job.estimate = read.optional_quantity("estimate", Unit::seconds, positive());
  if (const auto work = read.optional_quantity("work", Unit::seconds, non_negative())) {
    job.work = *work;
  } else if (!job.segments.empty()) {
    job.work = std::accumulate(job.segments.begin(), job.segments.end(), 0.0);
  }
  HOLDFAST_CHECK(read.finish());
  instance.jobs.push_back(std::move(job));
  return {};
}

Status read_law_of(ObjectReader& read, Instance& instance, const std::filesystem::path& directory) {
  if (read.has("distribution")) {
    instance.law = read_law(read, directory);
    return {};
  }
  for (const std::string_view field : kLawFields) {
    if (!read.has(field)) continue;
    read.refuse("distribution", fmt::format("is missing: the law that has a {}", in_quotes(field)));
  }
  // A mean alone says no more than an exponential law.
  const auto mean = read_mtbf(read, instance.nodes);
  if (read.ok() && mean) instance.law = exponential_law(*mean);
  return {};
}

// Fields that hold a text, which may look like anything.
constexpr auto kTexts = std::to_array<std::string_view>(
    {"id", "class", "name", "file", "format", "classes", "log", "system", "mix", "from", "to"});

}  // namespace

Value without_fractions(const Value& document) {
  if (const std::string* text = document.string()) {
    if (text->find('/') == std::string::npos) return document;
    const auto number = parse_quantity(*text, Unit::none);
    return number ? Value(*number) : document;
  }
  if (const Value::Array* items = document.array_items()) {
    Value out = Value::array();
    for (const Value& item : *items) out.push(without_fractions(item));
    return out;
  }
  if (document.members() == nullptr) return document;
  Value out = Value::object();
  for (const auto& [name, member] : *document.members()) {
    const bool is_text =
        member.string() != nullptr && std::find(kTexts.begin(), kTexts.end(), name) != kTexts.end();
    out.set(name, is_text ? member : without_fractions(member));
  }
  return out;
}

Status read_failures(const Value& value, const std::string& where,
                     const std::filesystem::path& directory, Instance& instance) {
  // Of the whole machine: a law's own mean is that of one node.
  const bool has_law = value.members() != nullptr && value.find("distribution") != nullptr;
  HOLDFAST_TRY(object,
               has_law ? of_one_processor(value, where, instance.nodes) : Result<Value>(value));
  ObjectReader read(object, where);
  if (read.has("events")) instance.events.emplace();
  read.each_or_none("events", [&](const Value& event, const std::string& place) -> Status {
    HOLDFAST_TRY(pair, read_pair(event, place, "[time, node]", Unit::seconds));
    instance.events->push_back({.date = pair.first, .processor = pair.second});
    return {};
  });
  read.each_or_none("ages", [&](const Value& group, const std::string& place) -> Status {
    HOLDFAST_TRY(pair, read_pair(group, place, "[age, count]", Unit::seconds));
    instance.ages.push_back({.age = pair.first, .count = pair.second});
    return {};
  });
  HOLDFAST_CHECK(read_law_of(read, instance, directory));
  if (const auto seen = read.optional_quantity("observed_mtbf", Unit::seconds, positive()))
    instance.observed_mtbf = seen;
  if (read.ok() && !instance.law && !instance.events) {
    read.refuse("",
                "found neither a law ('distribution', 'mtbf' or 'platform_mtbf') nor "
                "'events', expected one of them");
  }
  return read.finish();
}

Value failures_value(const Instance& instance) {
  Value out = instance.law ? instance.law->description() : Value::object();
  if (instance.observed_mtbf) out.set("observed_mtbf", *instance.observed_mtbf);
  if (!instance.ages.empty()) {
    Value ages = Value::array();
    for (const auto& [age, count] : instance.ages) ages.push(Value(Value::Array{age, count}));
    out.set("ages", std::move(ages));
  }
  if (!instance.events) return out;
  Value events = Value::array();
  for (const auto& [date, node] : *instance.events) events.push(Value(Value::Array{date, node}));
  out.set("events", std::move(events));
  return out;
}

Status read_jobs(const Value& list, const std::string& where, Instance& instance) {
  const Value::Array& items = *list.array_items();
  if (items.empty()) {
    return fail(ErrorCode::bad_value, where, "found no job, expected at least one");
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    HOLDFAST_CHECK(read_job(items[i], pointer_to(where, i), instance));
  }
  std::stable_sort(instance.jobs.begin(), instance.jobs.end(),
                   [](const Job& a, const Job& b) { return a.submit < b.submit; });
  return {};
}

Value jobs_value(const Instance& instance) {
  Value out = Value::array();
  for (const Job& job : instance.jobs) {
    Value one = Value::object({{"id", job.id},
                               {"class", instance.groups[job.group]},
                               {"submit", job.submit},
                               {"nodes", job.nodes}});
    if (!job.is_endless()) one.set("work", job.work);
    if (job.input > 0) one.set("input", job.input);
    if (job.output > 0) one.set("output", job.output);
    if (job.checkpoint > 0) one.set("checkpoint", job.checkpoint);
    if (job.recovery != job.checkpoint) one.set("recovery", job.recovery);
    if (job.period) one.set("period", *job.period);
    if (!job.segments.empty()) one.set("segments", Value::list(job.segments));
    if (job.estimate) one.set("estimate", *job.estimate);
    out.push(std::move(one));
  }
  return out;
}

Status read_class_list(const Value& value, const std::string& where,
                       const std::filesystem::path& directory, double cores_per_node,
                       Instance& instance) {
  HOLDFAST_TRY(classes, read_job_classes(value, where, directory, cores_per_node));
  instance.classes = std::move(classes);
  for (const JobClass& one : instance.classes) instance.groups.push_back(one.name);
  return {};
}

Status read_mix(const Value& value, const std::string& where, Instance& instance) {
  const auto add = [&](std::string_view name, std::int64_t count,
                       const std::string& place) -> Status {
    const auto is_it = [&](const JobClass& one) { return one.name == name; };
    if (std::none_of(instance.classes.begin(), instance.classes.end(), is_it)) {
      return fail(ErrorCode::bad_value, place,
                  fmt::format("found {}, expected the name of a class", in_quotes(name)));
    }
    instance.mix.emplace_back(std::string(name), count);
    return {};
  };
  if (const Value::Object* members = value.members()) {
    for (const auto& [name, count] : *members) {
      const std::string place = pointer_to(where, name);
      HOLDFAST_TRY(whole, read_integer(count, place, between(0, 1e6)));
      HOLDFAST_CHECK(add(name, whole, place));
    }
  } else if (const std::string* text = value.string()) {
    for (const std::string_view part : split(*text, ',')) {
      const std::size_t sign = part.find('=');
      const auto count = sign == std::string_view::npos
                             ? Result<std::int64_t>(fail(ErrorCode::bad_value, where, ""))
                             : parse_integer(part.substr(sign + 1));
      if (!count || *count < 0) {
        return fail(ErrorCode::bad_value, where,
                    fmt::format("found {}, expected NAME=COUNT,...", in_quotes(part)));
      }
      HOLDFAST_CHECK(add(trim(part.substr(0, sign)), *count, where));
    }
  } else {
    return fail(
        ErrorCode::bad_value, where,
        fmt::format("found {}, expected {{\"NAME\": count}} or NAME=COUNT,...", value.described()));
  }
  const auto is_some = [](const auto& one) { return one.second > 0; };
  if (std::none_of(instance.mix.begin(), instance.mix.end(), is_some)) {
    return fail(ErrorCode::bad_value, where, "found no job, expected at least one");
  }
  return {};
}

void make_mix(Instance& instance) {
  for (const auto& [name, count] : instance.mix) {
    const auto place = std::find(instance.groups.begin(), instance.groups.end(), name);
    const auto group = static_cast<std::size_t>(place - instance.groups.begin());
    const JobClass& one = instance.classes[group];
    for (std::int64_t i = 1; i <= count; ++i) {
      instance.jobs.push_back({.id = fmt::format("{}-{}", name, i),
                               .group = static_cast<std::uint32_t>(group),
                               .nodes = one.nodes,
                               .checkpoint = one.checkpoint,
                               .recovery = one.recovery.value_or(one.checkpoint)});
    }
  }
}

}  // namespace holdfast::machine
