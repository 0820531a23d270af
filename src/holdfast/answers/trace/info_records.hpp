#pragma once

#include "holdfast/contract/answer.hpp"
#include "holdfast/traces/io/darshan.hpp"
#include "holdfast/traces/machines/machine_table.hpp"
#include "holdfast/traces/speedup/speedup_runs.hpp"

namespace holdfast {

/// Returns what `trace info` says of measured run times: the series, how far they scale, what is odd.
[[nodiscard]] Answer describe(const SpeedupTable& runs, Answer answer);

/// Returns what it says of a table of machines: how many of which kind, what is in one.
[[nodiscard]] Answer describe(const MachineTable& table, Answer answer);

/// Returns what it says of I/O logs: runs, operations, bytes read and written.
[[nodiscard]] Answer describe(const IoLogs& logs, Answer answer);

}  // namespace holdfast
