#pragma once

#include "holdfast/contract/answer.hpp"
#include "holdfast/traces/io/darshan.hpp"
#include "holdfast/traces/machines/machine_table.hpp"
#include "holdfast/traces/speedup/speedup_runs.hpp"

#include <span>

namespace holdfast {

/// What `trace info` says of measured run times: the series, how far they scale, what is odd.
[[nodiscard]] Answer describe_speedup(std::span<const SpeedupRuns> runs, Answer answer);

/// What it says of a table of machines: how many of which kind, what is in one.
[[nodiscard]] Answer describe_machines(const MachineTable& table, Answer answer);

/// What it says of I/O logs: runs, operations, bytes read and written.
[[nodiscard]] Answer describe_io(std::span<const IoLog> logs, Answer answer);

}  // namespace holdfast
