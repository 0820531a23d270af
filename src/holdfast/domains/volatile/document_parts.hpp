#pragma once

#include "holdfast/base/reader.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/parameter.hpp"
#include "holdfast/domains/volatile/instance.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

/// The parts that documents of this domain share.
namespace holdfast::volatile_workers {

inline constexpr auto kInitialStates =
    std::to_array<std::string_view>({"up", "reclaimed", "down", "stationary"});

inline constexpr double kMostTasks = 1048576;
inline constexpr double kMostSlots = 1e12;
inline constexpr Range kCount{.minimum = 1, .maximum = kMostSlots};
inline constexpr Range kSlots{.minimum = 0, .maximum = kMostSlots};

/// Sizes and bandwidths from which slots follow, where a document gives these.
/// Source: Casanova et al. 2012, section 3.
struct Physical {
  std::optional<double> slot;           ///< seconds
  std::optional<double> master, link;   ///< bytes/s
  std::optional<double> program, data;  ///< bytes
};
[[nodiscard]] Physical read_physical(ObjectReader& read);

/// Slots under one name or, from a size, under the other; nothing where neither is there.
[[nodiscard]] std::optional<std::int64_t> transfer_slots(ObjectReader& read,
                                                         std::string_view slots_name,
                                                         std::string_view size_name,
                                                         const std::optional<double>& size,
                                                         const Physical& physical);
/// Workers that the master feeds at a time.
[[nodiscard]] std::int64_t ports(ObjectReader& read, const Physical& physical,
                                 std::int64_t fallback);

/// The scalar fields of an instance.
void read_job(ObjectReader& read, Instance& instance);
/// @param rows  of each worker's matrix that are read; the third matters to simulations alone
void read_workers(ObjectReader& read, Instance& instance, int rows);
void read_states(ObjectReader& read, Instance& instance);
void read_assignment(ObjectReader& read, Instance& instance);
/// Scaled to the means of the chain: only its shape is asked for.
[[nodiscard]] std::optional<Law> read_holding_times(ObjectReader& read);

void set_job(Value& document, std::int64_t tasks, std::int64_t iterations, std::int64_t ports_used,
             std::int64_t slot_limit);

}  // namespace holdfast::volatile_workers
