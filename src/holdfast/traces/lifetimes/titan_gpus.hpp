#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/traces/lifetimes/lifetime_table.hpp"

#include <string_view>

namespace holdfast {

/// Reads the lives of Titan's GPUs (CSV: SN, location, insert, remove, duration, out, event). A GPU failed if it was taken out
/// and its row has an event; all other lives are censored (moved, replaced before a failure, alive at the end). The age of a
/// GPU is the time that it has spent in any slot, so a life in a later slot begins at the age that the GPU had by then
/// (left-truncated). Ages come from the durations in the file, not from its local times. Errors name FILE:LINE.
[[nodiscard]] Result<LifetimeTable> read_titan_gpus(LineReader lines);
/// Returns true if the text begins such a file.
[[nodiscard]] bool looks_like_titan_gpus(std::string_view head);

}  // namespace holdfast
