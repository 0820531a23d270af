#pragma once

#include <string>

namespace holdfast {

/// Returns the current date and time as the logs of a machine write them: in local time, without a zone, "2026-11-23T18:20:05".
[[nodiscard]] std::string local_date();

}  // namespace holdfast
