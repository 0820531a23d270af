#pragma once

#include <cstdint>
#include <string>

/// How often something fails, for people: numbers never without saying of what they are.
namespace holdfast {

/// "MTBF 10 y of each (8 h 46 min together)"; "MTBF 1 d" where there is one processor; "no failures" where it is
/// infinite.
/// @param mtbf  mean time between failures of one processor, seconds
/// @param together  of all of them, seconds; negative: mtbf / processors
[[nodiscard]] std::string mtbf_text(double mtbf, std::int64_t processors, double together = -1);

/// "a silent error every 115 d 18 h of work", or "no silent errors".
/// @param rate  errors per second of work on one processor
[[nodiscard]] std::string silent_errors_text(double rate);

}  // namespace holdfast
