#include "holdfast/steward/metrics.hpp"

#include <doctest/doctest.h>

#include "support/dashboard.hpp"

using namespace holdfast;

TEST_CASE("the dashboard asks for metrics of a steward that exist") {
  test::check_dashboard(HOLDFAST_SOURCE_DIR "/packaging/grafana/holdfast.json",
                        "holdfast_capacity_", steward::metrics_text({}, {}, {}, {}));
}
