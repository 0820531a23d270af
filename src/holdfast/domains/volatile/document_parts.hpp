#pragma once

#include "holdfast/base/reader.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/volatile/fields.hpp"
#include "holdfast/domains/volatile/instance.hpp"

#include <cstdint>
#include <optional>

/// Functions for documents of this domain that several readers share.
namespace holdfast::volatile_workers {

/// Return the numbers that follow from sizes and bandwidths, which replace the direct ones, or nothing if the document does not
/// give them.
[[nodiscard]] std::optional<std::int64_t> ports_from(ObjectReader& read, const Physical& physical);
[[nodiscard]] std::optional<std::int64_t> program_slots_from(ObjectReader& read,
                                                             const Physical& physical);
[[nodiscard]] std::optional<std::int64_t> data_slots_from(ObjectReader& read,
                                                          const Physical& physical);

/// Reads the plain fields of a job with listed or random workers, and the numbers that follow from sizes and bandwidths.
template <class S>
Physical read_plain_job(ObjectReader& read, const Fields<S>& fields, S& job) {
  fields.read(read, job);
  Physical physical;
  physical_fields().read(read, physical);
  if (const auto ports = ports_from(read, physical)) job.concurrent_communications = *ports;
  if (const auto slots = program_slots_from(read, physical)) job.program_slots = *slots;
  if (const auto slots = data_slots_from(read, physical)) job.data_slots = *slots;
  return physical;
}

/// Reads the scalar fields of an instance.
void read_job(ObjectReader& read, Instance& instance);
/// Reads the list of workers.
/// @param rows  number of rows of each worker's matrix to read; only simulations need the third
void read_workers(ObjectReader& read, Instance& instance, int rows);
void read_states(ObjectReader& read, Instance& instance);
void read_assignment(ObjectReader& read, Instance& instance);
/// Reads the law of holding times. Only its shape is used; it is scaled to the means of the chain.
[[nodiscard]] std::optional<Law> read_holding_times(ObjectReader& read);

}  // namespace holdfast::volatile_workers
