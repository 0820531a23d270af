#include "holdfast/domains/capacity/cluster_state.hpp"

#include "holdfast/domains/capacity/testing.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace holdfast;
using namespace holdfast::capacity;

TEST_CASE("cluster state: starts, ends in order of job, kills, and the accounts") {
  Instance instance = testing::machines_of({{0, 2}, {6, 1}}, 20);
  testing::add_job(instance, 0, 2, 5);
  testing::add_job(instance, 0, 2, 5);
  testing::add_job(instance, 0, 4, 9);
  const std::vector<Task> tasks = tasks_of(instance);
  std::vector<Execution> log;
  ClusterState cluster(instance, tasks, &log);
  cluster.set_alive(0, true), cluster.set_alive(1, true);
  CHECK(cluster.alive_count() == 2);
  cluster.start(1, 0, 0), cluster.start(0, 0, 0), cluster.start(2, 1, 0);
  CHECK(cluster.free(0) == 0);
  CHECK(cluster.next_end() == 5);
  CHECK(cluster.end_one(5).task == 0);
  CHECK(cluster.end_one(5).task == 1);
  CHECK(cluster.next_end() == 9);
  std::vector<std::size_t> killed;
  cluster.kill_all(1, 6, killed);
  cluster.set_alive(1, false);
  CHECK(killed == std::vector<std::size_t>{2});
  CHECK(cluster.next_end() == kNever);
  CHECK(cluster.next_length(2) == 9);
  cluster.start(2, 0, 12);
  const Metrics metrics = cluster.close(0, 0);
  CHECK(metrics.useful == 10 + 10 + 8 * 4);  // the last one still runs at 20
  CHECK(metrics.aborted == 6 * 4);
  CHECK(metrics.aborted_time == 6);
  CHECK(metrics.capacity == 4 * (6 * 2 + 14 * 1));
  CHECK(metrics.completed == 2);
  CHECK(metrics.running == 1);
  CHECK_FALSE(metrics.makespan);
  CHECK(log.size() == 4);
}

TEST_CASE(
    "cluster state: a carried-in job runs for the rest of its length, and after a kill for all of "
    "it") {
  Instance instance = testing::machines_of({{0, 1}}, 50);
  instance.begin = 10;
  testing::add_job(instance, 4, 1, 20);
  testing::add_job(instance, 2, 1, 8);  // over at the window's start: dropped
  const std::vector<Task> tasks = tasks_of(instance);
  REQUIRE(tasks.size() == 1);
  CHECK(tasks[0].arrival == 10);
  ClusterState cluster(instance, tasks, nullptr);
  cluster.set_alive(0, true);
  CHECK(cluster.next_length(0) == 14);
  cluster.start(0, 0, 10);
  std::vector<std::size_t> killed;
  cluster.kill_all(0, 15, killed);
  CHECK(cluster.next_length(0) == 20);
}
