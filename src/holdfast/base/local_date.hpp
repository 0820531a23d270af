#pragma once

#include <string>

namespace holdfast {

/// Returns the present date as logs of a machine have it: in local time, without a zone, "2026-11-23T18:20:05".
[[nodiscard]] std::string local_date();

}  // namespace holdfast
