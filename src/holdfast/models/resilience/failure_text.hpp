#pragma once

#include <cstdint>
#include <string>

/// Texts for people about how often something fails. They always say what a number refers to.
namespace holdfast {

/// Returns "MTBF 10 y of each (8 h 46 min together)"; "MTBF 1 d" for one processor; "no failures" if the MTBF is infinite.
/// @param mtbf  mean time between failures of one processor, seconds
/// @param together  mean time between failures of all processors, seconds; if negative, mtbf / processors
[[nodiscard]] std::string mtbf_text(double mtbf, std::int64_t processors, double together = -1);

/// Returns "a silent error every 115 d 18 h of work", or "no silent errors".
/// @param rate  errors per second of work on one processor
[[nodiscard]] std::string silent_errors_text(double rate);

}  // namespace holdfast
