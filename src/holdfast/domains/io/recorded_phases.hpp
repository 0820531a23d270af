#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/io/instance.hpp"
#include "holdfast/domains/io/record.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace holdfast::io {

/// A part of a record in which no application joins or leaves, as a problem, and the arbiter's results on it. The applications
/// are those of the instance: in the order in which they posted what is open when the window begins, then the others.
struct RecordedWindow {
  Instance instance;
  std::vector<double> yields;      ///< 1 - delay / age at the window's end, by the arbiter's rates
  std::vector<double> progress;    ///< seconds inside the window in which they were not stalled
  std::vector<std::size_t> stays;  ///< their places among the stays of the record
};

/// Returns the window that a text names: "longest" is the longest one without joins and leaves in which some application transfers, from
/// when those who came together have posted; else BEGIN,END in seconds of the record.
///
/// Phases are what each application did: work is the time between operations by the arbiter's clock, volumes are what was
/// moved. If an operation is open at the beginning of the window, its volume is what its later rates moved; if it is open at the
/// end of the record, its volume is the stated one. The phases after the record are unknown, so the recorded ones are repeated.
[[nodiscard]] Result<RecordedWindow> recorded_window(const Record& record, std::string_view text);

}  // namespace holdfast::io
