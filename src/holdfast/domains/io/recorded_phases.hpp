#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/io/instance.hpp"
#include "holdfast/domains/io/record.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace holdfast::io {

/// A part of a record in which no application joins or leaves, as a problem, and the arbiter's results on it. The lists have
/// the order of the instance's applications: first those with an operation that is open when the window begins, in the order in
/// which these operations were posted, then the others.
struct RecordedWindow {
  Instance instance;
  std::vector<double> yields;      ///< 1 - delay / age at the window's end, by the arbiter's rates
  std::vector<double> progress;    ///< seconds inside the window without a stall
  std::vector<std::size_t> stays;  ///< positions among the stays of the record
};

/// Returns the window that a text names: BEGIN,END in seconds of the record, or "longest". This is the longest window without
/// joins and leaves in which some application transfers. It begins once every application without progress so far has posted.
///
/// Phases are what each application did: work is the time between operations by the arbiter's clock, volumes are what was
/// moved. If an operation is open at the beginning of the window, its volume is what its later rates moved; if it is open at
/// the end of the record, its volume is the stated one. The phases after the record are unknown, so the recorded ones are
/// repeated.
[[nodiscard]] Result<RecordedWindow> recorded_window(const Record& record, std::string_view text);

}  // namespace holdfast::io
