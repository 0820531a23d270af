#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/traces/lifetimes/lifetime_table.hpp"

#include <string_view>

namespace holdfast {

/// Lives of Titan's GPUs (CSV: SN, location, insert, remove, duration, out, event). A GPU has failed where it was taken
/// out and its row has an event; all others are censored (moved, replaced before they failed, alive at the end). Its age
/// counts the time that it was in any slot; a life in a later slot begins at the age that it had. Durations are used, not
/// the local times.
[[nodiscard]] Result<LifetimeTable> read_titan_gpus(LineReader lines);
[[nodiscard]] bool looks_like_titan_gpus(std::string_view head);

}  // namespace holdfast
