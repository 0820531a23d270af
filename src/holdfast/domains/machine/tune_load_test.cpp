#include "holdfast/domains/machine/tune_load.hpp"

#include "holdfast/base/value.hpp"
#include "holdfast/domains/machine/domain.hpp"
#include "holdfast/domains/machine/instance_io.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace holdfast;
using namespace holdfast::machine;

TEST_CASE("tune_load: jobs that stall do better with periods for a part of the bandwidth") {
  // The mix of the Cielo experiment at 80 GB/s, where Young and Daly's periods ask for 1.33 of the bandwidth.
  const Instance instance =
      read_instance(parse_json(R"({"nodes": 17235, "bandwidth": 80e9, "horizon": 2592000,
      "warmup": 432000, "failures": {"mtbf": 64022400}, "classes": "examples/data/machine-cielo.csv",
      "mix": "EAP=12,LAP=4,Silverton=1,VPIC=1"})")
                        .value(),
                    ".")
          .value();
  const StrategySpec sharing = parse_strategy("fcfs:waiting=blocking", domain().strategies).value();
  const LoadSearch search = tune_load(instance, sharing, 1, 4, {}).value();
  REQUIRE(search.tried.size() == 11);
  CHECK(search.tried.front().load == 0.5);
  CHECK(search.tried.back().load == 1);
  const TriedLoad& best = search.tried[search.best];
  CHECK(best.behind == 0);
  for (const TriedLoad& row : search.tried) CHECK(row.useful_share <= best.useful_share);
  // The specification has .61 for Young and Daly and .74 for a load of 0.8.
  CHECK(best.load < 1);
  CHECK(best.load > 0.5);
  CHECK(best.useful_share > search.young_daly.useful_share + 0.08);
  CHECK(search.young_daly.behind > 4 * search.young_daly.behind_error);
  // The same seed, the same numbers.
  const LoadSearch again = tune_load(instance, sharing, 1, 4, {}).value();
  CHECK(again.tried[3].useful_share == search.tried[3].useful_share);
}
