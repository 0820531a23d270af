#include "holdfast/models/resilience/failure_text.hpp"

#include "holdfast/base/units.hpp"

#include <fmt/format.h>

#include <cmath>

namespace holdfast {

std::string mtbf_text(double mtbf, std::int64_t processors, double together) {
  if (std::isinf(mtbf)) return "no failures";
  if (processors == 1) return "MTBF " + format_duration(mtbf);
  if (together < 0) together = mtbf / static_cast<double>(processors);
  return fmt::format("MTBF {} of each ({} together)", format_duration(mtbf),
                     format_duration(together));
}

std::string silent_errors_text(double rate) {
  if (!(std::fabs(1 / rate) < HUGE_VAL)) return "no silent errors";  // includes -0
  return fmt::format("a silent error every {} of work", format_duration(1 / rate));
}

}  // namespace holdfast
