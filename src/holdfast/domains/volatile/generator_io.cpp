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
  const Physical physical = read_plain_job(read, generator_fields(), out);
  if (read.ok() && out.maximum_stay < out.minimum_stay) {
    read.refuse("maximum_stay", fmt::format("found {}, expected at least minimum_stay, {}",
                                            out.maximum_stay, out.minimum_stay));
  }
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
  GeneratorParameters complete = parameters;
  complete.program_slots = parameters.program_slots.value_or(5 * parameters.minimum_speed);
  complete.data_slots = parameters.data_slots.value_or(parameters.minimum_speed);
  Value document = Value::object();
  generator_fields().write(complete, document);
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
