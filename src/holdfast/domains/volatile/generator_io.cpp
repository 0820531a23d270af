#include "holdfast/domains/volatile/generator_io.hpp"

#include "holdfast/domains/volatile/document_parts.hpp"

#include <fmt/format.h>

#include <utility>

namespace holdfast::volatile_workers {

bool describes_generator(const Value& parameters) {
  const Value* workers = parameters.find("workers");
  return workers == nullptr || workers->array_items() == nullptr;
}

Result<GeneratorParameters> read_generator(const Value& parameters,
                                           const std::filesystem::path& directory) {
  GeneratorParameters out;
  ObjectReader read(parameters, "");
  out.tasks = read.integer_or("tasks", out.tasks, between(1, kMostTasks));
  out.iterations = read.integer_or("iterations", out.iterations, kSlots);
  const Physical physical = read_physical(read);
  out.concurrent_communications = ports(read, physical, out.concurrent_communications);
  out.program_slots =
      transfer_slots(read, "program_slots", "program_size", physical.program, physical);
  out.data_slots = transfer_slots(read, "data_slots", "data_size", physical.data, physical);
  out.slot_limit = read.integer_or("slot_limit", out.slot_limit, kCount);
  out.workers = read.integer_or("workers", out.workers, between(1, kLargestPool));
  out.minimum_speed = read.integer_or("minimum_speed", out.minimum_speed, between(1, 1e9));
  out.minimum_stay = read.number_or("minimum_stay", out.minimum_stay, between(0, 1));
  out.maximum_stay = read.number_or("maximum_stay", out.maximum_stay, between(0, 1));
  if (read.ok() && out.maximum_stay < out.minimum_stay) {
    read.refuse("maximum_stay", fmt::format("found {}, expected at least minimum_stay, {}",
                                            out.maximum_stay, out.minimum_stay));
  }
  out.initial = static_cast<InitialState>(read.choice_or("initial", kInitialStates, 0));
  out.sample = static_cast<std::uint64_t>(read.integer_or("sample", 0, between(0, 4294967295.0)));
  out.holding_times = read_holding_times(read);
  if (read.ok()) {
    HOLDFAST_TRY(recorded, read_recorded_pool(read, physical.slot, directory));
    out.recorded = std::move(recorded);
  }
  HOLDFAST_CHECK(read.finish());
  HOLDFAST_TRY(probe, generate(out, 1, 0));
  HOLDFAST_CHECK(check(probe));
  return out;
}

Value to_value(const GeneratorParameters& parameters) {
  Value document = Value::object();
  set_job(document, parameters.tasks, parameters.iterations, parameters.concurrent_communications,
          parameters.slot_limit);
  document.set("program_slots", parameters.program_slots.value_or(5 * parameters.minimum_speed));
  document.set("data_slots", parameters.data_slots.value_or(parameters.minimum_speed));
  document.set("workers", parameters.workers);
  document.set("minimum_speed", parameters.minimum_speed);
  document.set("minimum_stay", parameters.minimum_stay);
  document.set("maximum_stay", parameters.maximum_stay);
  document.set("initial", kInitialStates[static_cast<std::size_t>(parameters.initial)]);
  document.set("sample", static_cast<std::int64_t>(parameters.sample));
  if (parameters.recorded) {
    const RecordedPool& pool = *parameters.recorded;
    document.set("slot", pool.slot);
    document.set(
        "availability",
        Value::object({{"digest", pool.digest},
                       {"unavailable", kUnavailable[pool.unavailable == WorkerState::down ? 0 : 1]},
                       {"history", pool.history}}));
  }
  if (parameters.holding_times) {
    document.set("holding_times", parameters.holding_times->description());
  }
  return document;
}

}  // namespace holdfast::volatile_workers
