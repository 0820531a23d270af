#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/io/instance.hpp"
#include "holdfast/domains/io/record.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace holdfast::io {

/// A stretch of a record in which nobody joins or leaves, as a problem, and what the arbiter made of it. The applications
/// are those of the instance.
struct RecordedWindow {
  Instance instance;
  std::vector<double> yields;      ///< 1 - delay / age at the window's end, by the arbiter's rates
  std::vector<double> progress;    ///< seconds inside the window in which they were not stalled
  std::vector<std::size_t> stays;  ///< their places among the stays of the record
};

/// Returns the window that a text names: "longest" is the longest in which nobody joins or leaves and somebody transfers, else
/// BEGIN,END in seconds of the record.
///
/// Phases are what each application did: work is the time between operations by the arbiter's clock, volumes are what was
/// moved. Of an operation that is open at the window's begin it is the part that its later rates had of it, of one that is
/// open at the record's end what was stated. Nobody knows what would have come next: the phases come again.
[[nodiscard]] Result<RecordedWindow> recorded_window(const Record& record, std::string_view text);

}  // namespace holdfast::io
