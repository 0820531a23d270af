#pragma once

#include "holdfast/contract/answer.hpp"
#include "holdfast/traces/io/darshan.hpp"
#include "holdfast/traces/machines/machine_table.hpp"
#include "holdfast/traces/speedup/speedup_runs.hpp"

namespace holdfast {

/// Returns the answer of `trace info` for measured run times: the series, how far they scale, and oddities.
[[nodiscard]] Answer describe(const SpeedupTable& runs, Answer answer);

/// Returns the answer for a machine table: how many machines there are of each kind, and what they contain.
[[nodiscard]] Answer describe(const MachineTable& table, Answer answer);

/// Returns the answer for I/O logs: runs, operations, bytes read and written.
[[nodiscard]] Answer describe(const IoLogs& logs, Answer answer);

}  // namespace holdfast
