#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/batch.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

class Design;

/// Finished cells as bytes: what processes send to each other, and what shards are made of.
[[nodiscard]] std::string to_bytes(const Batch& batch);
/// bad_format where the bytes are no cells of that design.
[[nodiscard]] Result<Batch> parse_batch(std::string_view bytes, const Design& design);

/// Which cells are there, as lengths of runs: missing, there, missing, ... A campaign that was
/// interrupted has few runs, however many cells.
[[nodiscard]] std::vector<std::uint64_t> to_runs(const std::vector<bool>& done);
/// The first `size` of them; what the runs do not reach is missing.
[[nodiscard]] std::vector<bool> from_runs(const std::vector<std::uint64_t>& runs, std::size_t size);

}  // namespace holdfast
