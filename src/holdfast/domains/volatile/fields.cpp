#include "holdfast/domains/volatile/fields.hpp"

#include "holdfast/domains/volatile/document_parts.hpp"
#include "holdfast/domains/volatile/recorded_pool.hpp"

#include <array>
#include <string_view>

namespace holdfast::volatile_workers {
namespace {

constexpr auto kLaws = std::to_array<std::string_view>({"weibull", "lognormal", "gamma"});

constexpr auto kFields = std::to_array<Parameter>({
    {.name = "tasks",
     .summary = "tasks of one iteration, computed in lock-step",
     .kind = Kind::integer,
     .range = between(1, kMostTasks),
     .fallback = "5"},
    {.name = "iterations",
     .summary = "iterations to finish; 0: as many as the slot limit allows",
     .kind = Kind::integer,
     .range = kSlots,
     .fallback = "10"},
    {.name = "concurrent_communications",
     .summary = "workers that the master feeds at a time",
     .kind = Kind::integer,
     .range = kCount,
     .fallback = "5"},
    {.name = "program_slots",
     .summary = "slots to send the program to a worker",
     .kind = Kind::integer,
     .range = kSlots},
    {.name = "data_slots",
     .summary = "slots to send the data of one task",
     .kind = Kind::integer,
     .range = kSlots},
    {.name = "slot", .summary = "length of a slot", .unit = Unit::seconds, .range = positive()},
    {.name = "master_bandwidth",
     .summary = "of the master; with link_bandwidth instead of concurrent_communications",
     .unit = Unit::bytes_per_second,
     .range = positive()},
    {.name = "link_bandwidth",
     .summary = "of a worker's link",
     .unit = Unit::bytes_per_second,
     .range = positive()},
    {.name = "program_size",
     .summary = "instead of program_slots",
     .unit = Unit::bytes,
     .range = non_negative()},
    {.name = "data_size",
     .summary = "of one task, instead of data_slots",
     .unit = Unit::bytes,
     .range = non_negative()},
    {.name = "slot_limit",
     .summary = "slots after which a run has failed",
     .kind = Kind::integer,
     .range = kCount,
     .fallback = "1000000"},
    {.name = "workers",
     .summary = "how many random workers, where no instance lists them",
     .kind = Kind::integer,
     .range = between(1, kLargestPool),
     .fallback = "20"},
    {.name = "minimum_speed",
     .summary = "random workers take from this to ten times as many slots per task",
     .kind = Kind::integer,
     .range = between(1, 1e9),
     .fallback = "1"},
    {.name = "minimum_stay",
     .summary = "random workers: least probability to stay in a state",
     .range = between(0, 1),
     .fallback = "0.9"},
    {.name = "maximum_stay",
     .summary = "random workers: largest probability to stay in a state",
     .range = between(0, 1),
     .fallback = "0.99"},
    {.name = "initial",
     .summary = "state of random workers in slot 0",
     .kind = Kind::choice,
     .fallback = "up",
     .choices = kInitialStates},
    {.name = "sample",
     .summary = "another sample of random workers with the same seed",
     .kind = Kind::integer,
     .range = between(0, 4294967295.0),
     .fallback = "0"},
    {.name = "availability",
     .summary = "recorded availability from which workers and their states are drawn",
     .kind = Kind::file,
     .pointer = "/availability/file"},
    {.name = "unavailable",
     .summary = "what a worker is that a two-state record does not say to be up",
     .kind = Kind::choice,
     .choices = kUnavailable,
     .pointer = "/availability/unavailable"},
    {.name = "history",
     .summary = "slots before a run to which chains are fitted (default: half of the record)",
     .kind = Kind::integer,
     .range = between(1, 1e8),
     .pointer = "/availability/history"},
    {.name = "holding_times",
     .summary = "law of the time in a state, with the means of the chain; default: geometric",
     .kind = Kind::choice,
     .choices = kLaws,
     .pointer = "/holding_times/distribution"},
    {.name = "holding_shape",
     .summary = "shape of a weibull or gamma law of holding times",
     .range = positive(),
     .pointer = "/holding_times/shape"},
    {.name = "holding_log_sd",
     .summary = "standard deviation of the logarithm, lognormal law of holding times",
     .range = positive(),
     .pointer = "/holding_times/log_sd"},
});

constexpr auto kGeneratorFields = std::to_array<std::string_view>(
    {"workers", "minimum_speed", "minimum_stay", "maximum_stay", "initial", "sample",
     "availability", "unavailable", "history"});

constexpr std::array<std::string_view, kFields.size()> names() {
  std::array<std::string_view, kFields.size()> out;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = kFields[i].name;
  return out;
}
constexpr auto kAllFields = names();

}  // namespace

std::span<const Parameter> fields() {
  return kFields;
}
std::span<const std::string_view> generator_fields() {
  return kGeneratorFields;
}
std::span<const std::string_view> all_fields() {
  return kAllFields;
}

}  // namespace holdfast::volatile_workers
