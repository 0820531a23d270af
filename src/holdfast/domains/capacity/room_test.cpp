#include "holdfast/domains/capacity/room.hpp"

#include "holdfast/domains/capacity/testing.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace holdfast;
using namespace holdfast::capacity;

TEST_CASE("room: starts, ends in order of job, kills, and the accounts") {
  Instance instance = testing::machines_of({{0, 2}, {6, 1}}, 20);
  testing::add_job(instance, 0, 2, 5);
  testing::add_job(instance, 0, 2, 5);
  testing::add_job(instance, 0, 4, 9);
  const std::vector<Task> tasks = tasks_of(instance);
  std::vector<Execution> log;
  Room room(instance, tasks, &log);
  room.set_alive(0, true), room.set_alive(1, true);
  CHECK(room.alive_count() == 2);
  room.start(1, 0, 0), room.start(0, 0, 0), room.start(2, 1, 0);
  CHECK(room.free(0) == 0);
  CHECK(room.next_end() == 5);
  CHECK(room.end_one(5).task == 0);
  CHECK(room.end_one(5).task == 1);
  CHECK(room.next_end() == 9);
  std::vector<std::size_t> killed;
  room.kill_all(1, 6, killed);
  room.set_alive(1, false);
  CHECK(killed == std::vector<std::size_t>{2});
  CHECK(room.next_end() == kNever);
  CHECK(room.next_length(2) == 9);
  room.start(2, 0, 12);
  const Metrics metrics = room.close(0, 0);
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
    "room: a carried-in job runs for the rest of its length, and after a kill for all of it") {
  Instance instance = testing::machines_of({{0, 1}}, 50);
  instance.begin = 10;
  testing::add_job(instance, 4, 1, 20);
  testing::add_job(instance, 2, 1, 8);  // over at the window's start: dropped
  const std::vector<Task> tasks = tasks_of(instance);
  REQUIRE(tasks.size() == 1);
  CHECK(tasks[0].arrival == 10);
  Room room(instance, tasks, nullptr);
  room.set_alive(0, true);
  CHECK(room.next_length(0) == 14);
  room.start(0, 0, 10);
  std::vector<std::size_t> killed;
  room.kill_all(0, 15, killed);
  CHECK(room.next_length(0) == 20);
}
