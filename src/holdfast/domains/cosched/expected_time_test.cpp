#include "holdfast/domains/cosched/expected_time.hpp"

#include "holdfast/base/units.hpp"
#include "holdfast/domains/cosched/generator.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <set>

using namespace holdfast;
using namespace holdfast::cosched;

namespace {

Instance one_task(double data, double mtbf, double downtime) {
  Instance instance{.processors = 1000,
                    .mtbf = mtbf,
                    .downtime = downtime,
                    .tasks = {},
                    .failures = {},
                    .given = {}};
  instance.tasks.push_back({.id = "a", .data = data, .profile = MLogProfile{0.08}});
  return instance;
}

void check_close(double found, double expected, double relative = 1e-12) {
  CHECK(found == doctest::Approx(expected).epsilon(relative));
}

// Eq. 4 as printed, without prepared constants.
double expected_as_printed(const Instance& instance, const TaskTimes& times, std::int64_t j,
                           double a) {
  if (a == 0) return 0;
  const double platform = static_cast<double>(j) / instance.mtbf;
  const double work = times.work_per_period(j);
  const double count = std::floor(a * times.time(j) / work);
  const double last = std::max(0.0, a * times.time(j) - count * work);
  return std::exp(platform * times.checkpoint(j)) * (1 / platform + instance.downtime) *
         (count * std::expm1(platform * times.period(j)) + std::expm1(platform * last));
}

constexpr double kHundredYears = 3.1536e9;

}  // namespace

TEST_CASE("the formulas give the specification's vectors V1 to V3") {
  const Instance v1 = one_task(2e6, kHundredYears, 60);
  const TaskTimes a(v1, v1.tasks[0]);
  check_close(a.time(10), 18587232.889559865);
  CHECK(a.checkpoint(10) == 200000);
  check_close(a.period(10), 11431384.598525686);
  CHECK(a.periods(10, 1) == 1);
  check_close(a.expected(10, 1), 19095514.946767248);
  check_close(a.real(10, 1), 18787232.889559865);
  check_close(a.redistribution(10, 12), 166666.66666666666);
  check_close(a.redistribution(10, 2), 800000);

  const Instance v2 = one_task(1.5e6, kHundredYears, 60);
  const TaskTimes b(v2, v2.tasks[0]);
  check_close(b.time(10), 13664009.692650191);
  check_close(b.period(10), 9876664.3819965329);
  CHECK(b.periods(10, 0.37) == 0);
  check_close(b.expected(10, 0.37), 5098851.6748415139);

  const Instance v3 = one_task(2e6, 10 * kYear, 3600);
  const TaskTimes c(v3, v3.tasks[0]);
  check_close(c.time(200), 7292558.4895525416);
  check_close(c.period(200), 187583.7830433849);
  CHECK(c.periods(200, 1) == 41);
  check_close(c.expected(200, 1), 8249596.7708532987);
  check_close(c.real(200, 1), 7702558.4895525416);
}

TEST_CASE("prepared constants give Eq. 4 as it is printed") {
  CHECK(rc::check([] {
    const double data = *rc::gen::inRange(2, 3'000'000);
    const double mtbf = *rc::gen::inRange(1, 300) * kYear / 10;
    const auto j = std::int64_t{2} * *rc::gen::inRange(1, 500);
    const double a = *rc::gen::inRange(0, 1001) / 1000.0;
    const Instance instance = one_task(data, mtbf, 60);
    const TaskTimes times(instance, instance.tasks[0]);
    const double fast = times.expected(j, a);
    const double slow = expected_as_printed(instance, times, j, a);
    RC_ASSERT(std::abs(fast - slow) <= 1e-11 * slow);
  }));
}

TEST_CASE("without failures nothing is saved and nothing is lost") {
  Instance instance = one_task(2e6, 0, 60);
  instance.fault_free = true;
  const TaskTimes times(instance, instance.tasks[0]);
  CHECK(times.checkpoint(10) == 0);
  CHECK(times.expected(10, 0.5) == 0.5 * times.time(10));
  CHECK(times.real(10, 1) == times.time(10));
}

TEST_CASE("a table's last entry holds beyond its end") {
  Instance instance = one_task(100, 0, 0);
  instance.fault_free = true;
  instance.tasks[0].profile = Speedup::table({8, 4, 3, 2});
  const TaskTimes times(instance, instance.tasks[0]);
  CHECK(times.time(2) == 4);
  CHECK(times.time(4) == 2);
  CHECK(times.time(64) == 2);
}

TEST_CASE("rounds of a move: nobody sends or receives twice, and their time is the cost of Eq. 9") {
  for (std::int64_t j = 1; j <= 12; ++j) {
    for (std::int64_t k = 1; k <= 12; ++k) {
      CAPTURE(j);
      CAPTURE(k);
      const auto rounds = redistribution_rounds(j, k);
      if (j == k) {
        CHECK(rounds.empty());
        continue;
      }
      const std::int64_t senders = j < k ? j : j - k, receivers = j < k ? k - j : k;
      CHECK(rounds.size() == static_cast<std::size_t>(std::max(senders, receivers)));
      std::set<std::pair<std::int64_t, std::int64_t>> all;
      for (const auto& round : rounds) {
        std::set<std::int64_t> from, to;
        for (const Message& message : round) {
          CHECK(from.insert(message.sender).second);
          CHECK(to.insert(message.receiver).second);
          CHECK(all.insert({message.sender, message.receiver}).second);
        }
      }
      CHECK(all.size() == static_cast<std::size_t>(senders * receivers));
      const double data = 840;
      Instance instance = one_task(data, kHundredYears, 60);
      const TaskTimes times(instance, instance.tasks[0]);
      check_close(static_cast<double>(rounds.size()) * data / static_cast<double>(j * k),
                  times.redistribution(j, k));
    }
  }
  CHECK(redistribution_rounds(4, 6).size() == 4);
  CHECK(redistribution_rounds(4, 6).front().size() == 2);
}
