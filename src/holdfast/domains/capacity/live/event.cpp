#include "holdfast/domains/capacity/live/event.hpp"

#include "holdfast/base/name_index.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/domains/capacity/document_parts.hpp"
#include "holdfast/domains/capacity/fields.hpp"

#include <fmt/format.h>

#include <utility>

namespace holdfast::capacity {
namespace {

using What = LiveEvent::What;

std::optional<std::int64_t> optional_time(ObjectReader& read, std::string_view name,
                                          const Range& range = kInstants) {
  if (!read.has(name)) return std::nullopt;
  return read_time(read, name, 0, range);
}

NameIndex names_of(const std::vector<std::string>& names) {
  return {names.size(), [&](std::size_t i) -> std::string_view { return names[i]; }};
}

void read_sizes(ObjectReader& read, LiveEvent& event) {
  if (read.has("cores")) event.cores = read.integer("cores", at_least(1));
  event.length = optional_time(read, "length", {.minimum = 1, .maximum = kLatest});
  if (read.has("category")) event.category = read.number("category", between(0, 1));
}

void read_members(ObjectReader& read, LiveEvent& event) {
  switch (event.what) {
    case What::submitted:
      event.job = read.text("job");
      event.release = optional_time(read, "release");
      event.count = read.integer_or("machines", 1, between(1, kMostMachines));
      read_sizes(read, event);
      if (!event.length) read.refuse("length", "is missing");
      break;
    case What::started:
      event.job = read.text("job");
      event.machines = read_names(read, "on");
      if (read.ok() && event.machines.empty()) read.refuse("on", "is missing: where did it start?");
      if (const auto twice = names_of(event.machines).repeated()) {
        read.refuse("on", fmt::format("found {} twice, expected different names",
                                      in_quotes(event.machines[*twice])));
      }
      event.since = optional_time(read, "since");
      break;
    case What::ended:
      event.job = read.text("job");
      break;
    case What::killed:
      event.job = read.text("job");
      event.since = optional_time(read, "since");
      break;
    case What::resized:
      event.job = read.text("job");
      read_sizes(read, event);
      break;
    case What::machine_up:
    case What::machine_down:
      event.machines = {read.text("node")};
      break;
    case What::capacity:
      event.count = read.integer("machines", between(0, kMostMachines));
      break;
    case What::notice:
      read.each("announced", [&](const Value& value, const std::string& where) -> Status {
        HOLDFAST_TRY(step, read_step(value, where));
        event.announced.push_back(step);
        return {};
      });
      break;
    case What::tick:
      break;
  }
}

}  // namespace

Result<LiveEvent> read_live_event(const Value& value, const std::string& where) {
  ObjectReader read(value, where);
  LiveEvent event;
  event.what = static_cast<What>(read.choice("what", kHappenings));
  event.at = read_time(read, "at", 0, kInstants);
  if (!read.has("at")) read.refuse("at", "is missing");
  if (read.ok()) read_members(read, event);
  if (read.ok() && event.since && *event.since > event.at && event.what == What::started) {
    read.refuse("since", fmt::format("found {}, expected at most {}, the date of the event",
                                     *event.since, event.at));
  }
  HOLDFAST_CHECK(read.finish());
  return event;
}

Result<std::vector<LiveEvent>> read_live_events(std::string_view text) {
  std::vector<LiveEvent> out;
  if (auto whole = parse_json(text); whole && whole->array_items() != nullptr) {
    for (std::size_t i = 0; i < whole->array_items()->size(); ++i) {
      HOLDFAST_TRY(event, read_live_event((*whole->array_items())[i], pointer_to("", i)));
      out.push_back(std::move(event));
    }
    return out;
  } else if (whole) {
    HOLDFAST_TRY(event, read_live_event(*whole, ""));
    return std::vector{std::move(event)};
  }
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (trim(line).empty()) continue;
    auto value = parse_json(line);
    auto event = value ? read_live_event(*value, "") : fail(value.error());
    if (!event) return fail(in_file(fmt::format("{}", number), std::move(event).error()));
    out.push_back(std::move(*event));
  }
  return out;
}

}  // namespace holdfast::capacity
