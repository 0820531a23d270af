#include "holdfast/domains/volatile/fields.hpp"

#include "holdfast/contract/parameter_list.hpp"
#include "holdfast/domains/volatile/recorded_pool.hpp"
#include "holdfast/models/failures/law.hpp"

#include <array>
#include <type_traits>
#include <vector>

namespace holdfast::volatile_workers {
namespace {

// The fields that jobs with listed and with random workers have in common.
template <class S>
constexpr auto job_rows() {
  return std::to_array<Field<S>>({
      {.name = "tasks",
       .summary = "tasks of one iteration, which run in lock-step",
       .member = member<&S::tasks>,
       .range = between(1, kMostTasks),
       .is_required = std::is_same_v<S, Instance>},
      {.name = "iterations",
       .summary = "iterations to finish; 0: as many as the slot limit allows",
       .member = member<&S::iterations>,
       .range = kSlots},
      {.name = "concurrent_communications",
       .summary = "number of workers to which the master sends at the same time",
       .member = member<&S::concurrent_communications>,
       .range = kCount},
      {.name = "slot_limit",
       .summary = "slots after which a run is given up",
       .member = member<&S::slot_limit>,
       .range = kCount},
      {.name = "program_slots",
       .summary = "slots to send the program to a worker",
       .member = member<&S::program_slots>,
       .range = kSlots},
      {.name = "data_slots",
       .summary = "slots to send the data of one task",
       .member = member<&S::data_slots>,
       .range = kSlots},
  });
}
constexpr std::size_t kJobRows = job_rows<Instance>().size();

constexpr auto kInstanceRows = joined(
    job_rows<Instance>(),
    std::to_array<Field<Instance>>({
        {.name = "seen_slots",
         .summary =
             "number of slots before the run that strategies without a Markov chain have observed",
         .member = member<&Instance::seen_slots>,
         .range = kSlots,
         .written = Written::never},
    }));

constexpr auto kPhysicalRows = std::to_array<Field<Physical>>({
    {.name = "slot",
     .summary = "length of a slot",
     .member = member<&Physical::slot>,
     .unit = Unit::seconds,
     .range = positive()},
    {.name = "master_bandwidth",
     .summary =
         "bandwidth of the master; with link_bandwidth, instead of concurrent_communications",
     .member = member<&Physical::master>,
     .unit = Unit::bytes_per_second,
     .range = positive()},
    {.name = "link_bandwidth",
     .summary = "bandwidth of a worker's link",
     .member = member<&Physical::link>,
     .unit = Unit::bytes_per_second,
     .range = positive()},
    {.name = "program_size",
     .summary = "size of the program, instead of program_slots",
     .member = member<&Physical::program>,
     .unit = Unit::bytes,
     .range = non_negative()},
    {.name = "data_size",
     .summary = "data of one task, instead of data_slots",
     .member = member<&Physical::data>,
     .unit = Unit::bytes,
     .range = non_negative()},
});

constexpr auto kGeneratorRows = joined(
    job_rows<GeneratorParameters>(),
    std::to_array<Field<GeneratorParameters>>({
        {.name = "workers",
         .summary = "number of random workers, if the instance lists none",
         .member = member<&GeneratorParameters::workers>,
         .range = between(1, kLargestPool)},
        {.name = "minimum_speed",
         .summary =
             "random workers: least number of slots per task; the largest is ten times as many",
         .member = member<&GeneratorParameters::minimum_speed>,
         .range = between(1, 1e9)},
        {.name = "minimum_stay",
         .summary = "random workers: smallest probability to stay in a state",
         .member = member<&GeneratorParameters::minimum_stay>,
         .range = between(0, 1)},
        {.name = "maximum_stay",
         .summary = "random workers: largest probability to stay in a state",
         .member = member<&GeneratorParameters::maximum_stay>,
         .range = between(0, 1)},
        {.name = "initial",
         .summary = "state of random workers in slot 0",
         .member = choice<&GeneratorParameters::initial, kInitialStates>},
        {.name = "sample",
         .summary = "which sample of random workers to draw, by its number",
         .member = member<&GeneratorParameters::sample>,
         .range = between(0, 4294967295.0)},
        {.name = "availability",
         .summary = "recorded availability, from which workers and their states are drawn",
         .kind = Kind::file,
         .pointer = "/availability/file",
         .reads = "failures"},
        {.name = "unavailable",
         .summary =
             "state of a worker that is not up according to a record that has only two states",
         .kind = Kind::choice,
         .choices = kUnavailable,
         .pointer = "/availability/unavailable"},
        {.name = "history",
         .summary = "slots before a run to which chains are fitted (default: half of the record)",
         .range = kRecordedHistory,
         .kind = Kind::integer,
         .pointer = "/availability/history"},
    }));

// The options of an object whose members depend on each other.
std::span<const Parameter> holding_times() {
  static const std::vector<std::string_view> kLaws = [] {
    std::vector<std::string_view> out;
    for (const LawEntry& law : laws()) out.push_back(law.name);
    return out;
  }();
  static const auto kFields = std::to_array<Parameter>({
      {.name = "holding_times",
       .summary =
           "law of the time in a state, with the same means as the chain; default: geometric",
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
  return kFields;
}

}  // namespace

const Fields<Instance>& instance_fields() {
  return fields_of<kInstanceRows>();
}

const Fields<GeneratorParameters>& generator_fields() {
  return fields_of<kGeneratorRows>();
}

const Fields<Physical>& physical_fields() {
  return fields_of<kPhysicalRows>();
}

std::span<const Parameter> fields() {
  static const std::vector<Parameter> kFields = [] {
    const auto drawn = generator_fields().parameters();
    return one_list({drawn.first(kJobRows), physical_fields().parameters(), drawn.subspan(kJobRows),
                     holding_times()});
  }();
  return kFields;
}

std::span<const std::string_view> names_of_drawn() {
  static const std::vector<std::string_view> kNames =
      names_of(generator_fields().parameters().subspan(kJobRows));
  return kNames;
}

std::span<const std::string_view> names_of_all() {
  static const std::vector<std::string_view> kNames = names_of(fields());
  return kNames;
}

}  // namespace holdfast::volatile_workers
