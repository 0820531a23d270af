#include "holdfast/domains/machine/document_parts.hpp"

#include "holdfast/base/name_index.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/inputs/failures.hpp"
#include "holdfast/inputs/logged_platform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace holdfast::machine {
namespace {

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

// Fields that contain a text, even if it looks like a fraction.
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

Status read_failures_of_machine(const Value& value, const std::string& where,
                                const std::filesystem::path& directory, Instance& instance) {
  HOLDFAST_TRY(failures, read_failures(value, where, directory, FailingUnit::node, instance.nodes));
  if (failures.is_machine && instance.nodes > 1) {
    return fail(ErrorCode::bad_value, where + "/unit",
                fmt::format("found system, expected node: the machine has {} that fail one by one",
                            counted(instance.nodes, "node")));
  }
  failures.notes.insert(failures.notes.begin(), instance.notes.begin(), instance.notes.end());
  const bool are_logged_ages = failures.are_logged_ages;
  static_cast<FailureModel&>(instance) = std::move(failures);
  if (!are_logged_ages) return {};
  std::int64_t logged = 0;
  for (const AgeGroup& group : instance.ages) logged += group.count;
  if (logged == instance.nodes) return {};
  instance.ages = spread_ages(instance.ages, instance.nodes);
  instance.notes.push_back(fmt::format("the ages of the {} nodes of the log are spread over {}",
                                       logged, instance.nodes));
  return {};
}

Status read_jobs(const Value& list, const std::string& where, Instance& instance) {
  const Value::Array& items = *list.array_items();
  if (items.empty()) {
    return fail(ErrorCode::bad_value, where, "found no job, expected at least one");
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    HOLDFAST_CHECK(read_job(items[i], pointer_to(where, i), instance));
  }
  const NameIndex ids(instance.jobs.size(),
                      [&](std::size_t i) -> std::string_view { return instance.jobs[i].id; });
  HOLDFAST_CHECK(ids.check_different(where));
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
