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

/// Returns finished cells as bytes. Processes send them to each other, and shards consist of them.
[[nodiscard]] std::string to_bytes(const Batch& batch);
/// Returns the cells that to_bytes() has packed.
/// @returns bad_format if the bytes are not cells of that design
[[nodiscard]] Result<Batch> parse_batch(std::string_view bytes, const Design& design);

/// Returns which cells are done, as lengths of runs: missing, done, missing, ... An interrupted campaign has few runs, even if
/// it has many cells.
[[nodiscard]] std::vector<std::uint64_t> to_runs(const std::vector<bool>& done);
/// Returns the states of the first `size` cells. Cells beyond the last run are missing.
[[nodiscard]] std::vector<bool> from_runs(const std::vector<std::uint64_t>& runs, std::size_t size);

}  // namespace holdfast
