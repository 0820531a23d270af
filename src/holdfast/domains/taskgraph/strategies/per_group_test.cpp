#include "holdfast/domains/taskgraph/strategies/per_group.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace holdfast::taskgraph {
namespace {

// One task a of 0.5 + 8/p, and four tasks b after it.
Instance fork(const Speedup& b) {
  Instance out;
  out.processors = 8;
  out.tasks = {Speedup::amdahl_of_parts(8, 0.5), b, b, b, b};
  out.groups = {"a", "b", "b", "b", "b"};
  const std::vector<Edge> edges = {{0, 1}, {0, 2}, {0, 3}, {0, 4}};
  out.graph = Dag::from_edges(5, edges).value();
  return out;
}

}  // namespace

TEST_CASE("per-group: the search finds the best numbers of a small graph") {
  const Instance instance = fork(Speedup::amdahl_of_parts(8, 1));
  const Groups groups = groups_of(instance);
  OrderlessScore score(instance, groups);
  double least = 1e300;
  for (std::int64_t a = 1; a <= 8; ++a) {
    for (std::int64_t b = 1; b <= 8; ++b) least = std::min(least, score(std::vector{a, b}));
  }
  const std::vector<std::int64_t> found = search_groups(instance, groups);
  CHECK(score(found) == doctest::Approx(least));
  CHECK(found == std::vector<std::int64_t>{8, 2});  // four jobs of 5 s side by side
  CHECK(search_groups(instance, groups) == found);
}

TEST_CASE("per-group: a number that helps nobody is not given") {
  const Instance instance = fork(Speedup::amdahl(9, 1));
  CHECK(search_groups(instance, groups_of(instance)) == std::vector<std::int64_t>{8, 1});
}

}  // namespace holdfast::taskgraph
