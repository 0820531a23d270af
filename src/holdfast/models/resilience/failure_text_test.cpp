#include "holdfast/models/resilience/failure_text.hpp"

#include "holdfast/base/units.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace holdfast;

TEST_CASE("a mean time between failures says whether it is of each processor or of all together") {
  CHECK(mtbf_text(10 * kYear, 10000) == "MTBF 10 y of each (8 h 46 min together)");
  CHECK(mtbf_text(86400, 1) == "MTBF 1 d");
  CHECK(mtbf_text(86400, 4, 3600) == "MTBF 1 d of each (1 h together)");
  CHECK(mtbf_text(std::numeric_limits<double>::infinity(), 4) == "no failures");
}

TEST_CASE("a rate of silent errors is written as the work between two of them") {
  CHECK(silent_errors_text(1e-7) == "a silent error every 115 d 18 h of work");
  CHECK(silent_errors_text(0) == "no silent errors");
  CHECK(silent_errors_text(-0.0) == "no silent errors");
}
