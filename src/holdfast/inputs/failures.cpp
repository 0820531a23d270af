#include "holdfast/inputs/failures.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/inputs/logged_platform.hpp"
#include "holdfast/models/failures/platform_mtbf.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

namespace holdfast {
namespace {

/// The fields of a law that a mean alone does not have.
constexpr auto kLawFields =
    std::to_array<std::string_view>({"shape", "scale", "log_mean", "log_sd", "k"});

void read_events(ObjectReader& read, bool is_node, GivenFailures& out) {
  const std::string_view what = is_node ? "[time, node]" : "[time, processor]";
  if (read.has("events")) out.events.emplace();
  read.each_or_none("events", [&](const Value& value, const std::string& place) -> Status {
    const Value::Array* items = value.array_items();
    if (is_node || items == nullptr || items->size() != 3) {
      HOLDFAST_TRY(event, read_pair(value, place, what, Unit::seconds));
      out.events->push_back({.date = event.first, .processor = event.second});
      return {};
    }
    const Value pair(Value::Array{(*items)[0], (*items)[1]});
    HOLDFAST_TRY(event, read_pair(pair, place, what, Unit::seconds));
    HOLDFAST_TRY(repair, read_quantity((*items)[2], place + "/2", Unit::seconds, non_negative()));
    out.events->push_back({.date = event.first, .processor = event.second, .repair = repair});
    return {};
  });
}

void read_ages(ObjectReader& read, GivenFailures& out) {
  read.each_or_none("ages", [&](const Value& group, const std::string& place) -> Status {
    HOLDFAST_TRY(pair, read_pair(group, place, "[age, count]", Unit::seconds));
    out.ages.push_back({.age = pair.first, .count = pair.second});
    return {};
  });
}

void read_log(ObjectReader& read, const std::filesystem::path& directory,
              std::optional<std::int64_t> replayed_on, std::int64_t units, const NamedNodes* named,
              GivenFailures& out) {
  auto logged = read_logged_platform(read, directory, replayed_on, named);
  if (!logged) return;
  // A log that names only nodes that failed says little about a machine that is much larger.
  if (logged->failed_nodes > 0 && units > 2 * logged->failed_nodes) {
    read.refuse("nodes",
                fmt::format("is missing: the log names {}, each of which failed, and the job has "
                            "{}; a list of all nodes says how many never failed",
                            counted(logged->failed_nodes, "node"), units));
  }
  if (out.events && logged->events)
    read.refuse("replay", "found both 'events' and 'replay', expected one of them");
  std::swap(out, *logged);
  GivenFailures& before = *logged;
  if (before.events) out.events = std::move(before.events);
  out.are_logged_ages = before.ages.empty() && !out.ages.empty();
  if (!before.ages.empty()) out.ages = std::move(before.ages);  // the document's own come first
}

// Reads a mean alone, which means an exponential law. A field of another law means that its name is missing.
void read_mean(ObjectReader& read, GivenFailures& out) {
  read.ignore("distribution");
  read.ignore("log");
  for (const char* other : {"platform_mtbf", "failure_rate", "afr"}) read.ignore(other);
  for (const std::string_view field : kLawFields) {
    if (!read.has(field)) continue;
    read.refuse("distribution", fmt::format("is missing: the law that has a {}", in_quotes(field)));
  }
  const double mean = read.seconds("mtbf", positive());
  if (read.ok()) out.law = exponential_law(mean);
}

}  // namespace

Result<GivenFailures> read_failures(const Value& object, const std::string& where,
                                    const std::filesystem::path& directory, FailingUnit unit,
                                    std::int64_t units, const NamedNodes* named) {
  if (object.members() == nullptr) {
    return fail(ErrorCode::bad_value, where,
                fmt::format("found {}, expected an object", object.described()));
  }
  HOLDFAST_TRY(of_one, of_one_processor(object, where, units));
  const bool is_node = unit == FailingUnit::node;
  GivenFailures out;
  ObjectReader read(of_one, where);
  read_events(read, is_node, out);
  if (is_node) read_ages(read, out);
  if (!is_node && named != nullptr) {
    read.with("recorded", [&](const Value& value, const std::string& place) -> Status {
      HOLDFAST_TRY(recorded, read_recorded_outages(value, place));
      out.recorded = std::move(recorded);
      return {};
    });
  }
  if (read.has("log")) {
    read_log(read, directory, is_node ? std::optional(units) : std::nullopt, units, named, out);
  } else if (read.has("distribution")) {
    out.law = read_law(read, directory);
  } else if (read.has("mtbf")) {
    read_mean(read, out);
  } else if (!out.events && !out.recorded) {
    read.refuse("",
                "found neither a law ('distribution', 'mtbf', 'platform_mtbf', 'failure_rate' or "
                "'log') nor "
                "'events', expected one of them");
  }
  if (const auto seen = read.optional_quantity("observed_mtbf", Unit::seconds, positive()))
    out.observed_mtbf = seen;
  HOLDFAST_CHECK(read.finish());
  return out;
}

Value failures_value(const FailureModel& model, std::span<const AgeGroup> ages) {
  Value out = model.law ? model.law->description() : Value::object();
  if (model.observed_mtbf) out.set("observed_mtbf", *model.observed_mtbf);
  if (!ages.empty()) {
    Value list = Value::array();
    for (const auto& [age, count] : ages) list.push(Value(Value::Array{age, count}));
    out.set("ages", std::move(list));
  }
  if (!model.events) return out;
  Value list = Value::array();
  for (const auto& [date, unit, repair] : *model.events) {
    list.push(Value(repair < 0 ? Value::Array{date, unit} : Value::Array{date, unit, repair}));
  }
  out.set("events", std::move(list));
  return out;
}

}  // namespace holdfast
