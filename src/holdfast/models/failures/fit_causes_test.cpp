#include "holdfast/models/failures/fit_causes.hpp"

#include "holdfast/kernel/random.hpp"
#include "holdfast/kernel/samplers.hpp"
#include "holdfast/models/failures/law.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <vector>

using namespace holdfast;

namespace {

constexpr double kDayOfCauses = 86400;
constexpr double kWatchedFor = 400 * kDayOfCauses;
constexpr std::int64_t kUnits = 500;

/// The life after each repair, or from the start on.
using Life = std::function<double(Stream&, std::uint32_t unit, bool is_repaired)>;

std::vector<UnitOutage> drawn(const Life& life, double repair = kDayOfCauses) {
  std::vector<UnitOutage> out;
  for (std::uint32_t unit = 0; unit < kUnits; ++unit) {
    Stream stream({.seed = 7, .purpose = Purpose::tool, .entity = unit});
    double now = 0;
    for (bool is_repaired = false;; is_repaired = true) {
      now += life(stream, unit, is_repaired);
      if (now >= kWatchedFor) break;
      out.push_back({.unit = unit, .down = now, .up = now + repair});
      now += repair;
    }
  }
  std::ranges::sort(out, {}, &UnitOutage::down);
  return out;
}

double exponential(Stream& stream, double mean) {
  return exponential_law(mean).draw(stream);
}

}  // namespace

TEST_CASE("causes: one constant rate shows none") {
  const auto outages =
      drawn([](Stream& s, std::uint32_t, bool) { return exponential(s, 100 * kDayOfCauses); });
  const CauseTests tests = cause_tests(outages, kUnits, 0, kWatchedFor);
  CHECK(tests.lemon->p_value > 0.01);
  CHECK(tests.failed_repair->p_value > 0.01);
  CHECK(tests.cascade->p_value > 0.01);
  CHECK(!tests.infant);
}

TEST_CASE("causes: lemons are not taken for failed repairs, nor the other way round") {
  const auto lemons = drawn([](Stream& s, std::uint32_t unit, bool) {
    return exponential(s, unit % 7 == 0 ? 20 * kDayOfCauses : 200 * kDayOfCauses);
  });
  const CauseTests bad = cause_tests(lemons, kUnits, 0, kWatchedFor);
  CHECK(bad.lemon->seen > 0.5);
  CHECK(bad.lemon->p_value < 1e-6);
  CHECK(bad.failed_repair->p_value > 0.01);
  CHECK(bad.cascade->p_value > 0.01);

  const auto repairs = drawn([](Stream& s, std::uint32_t, bool is_repaired) {
    return exponential(s,
                       is_repaired && s.uniform() < 0.3 ? 0.3 * kDayOfCauses : 200 * kDayOfCauses);
  });
  const CauseTests failed = cause_tests(repairs, kUnits, 0, kWatchedFor);
  CHECK(failed.lemon->p_value > 0.01);
  CHECK(failed.failed_repair->p_value < 1e-6);
  CHECK(failed.failed_repair->seen == doctest::Approx(0.3).epsilon(0.15));
  CHECK(failed.cascade->p_value > 0.01);
}

TEST_CASE("causes: failures of several units at once are a cascade") {
  auto outages =
      drawn([](Stream& s, std::uint32_t, bool) { return exponential(s, 400 * kDayOfCauses); });
  for (std::uint32_t i = 0; i < 40; ++i)  // a rack of four
    for (std::uint32_t k = 0; k < 4; ++k)
      outages.push_back({.unit = 4 * i + k,
                         .down = (5.0 + 9 * i) * kDayOfCauses + k,
                         .up = (6.0 + 9 * i) * kDayOfCauses});
  std::ranges::sort(outages, {}, &UnitOutage::down);
  const CauseTests tests = cause_tests(outages, kUnits, 0, kWatchedFor);
  CHECK(tests.cascade->p_value < 1e-6);
  CHECK(tests.cascade->seen ==
        doctest::Approx(120.0 / static_cast<double>(outages.size() - 1)).epsilon(0.05));
  CHECK(tests.lemon->p_value > 0.01);
}

TEST_CASE("causes: infant mortality is that of units whose first day is known") {
  std::vector<UnitOutage> begun;
  const Life life = [](Stream& s, std::uint32_t, bool is_repaired) {
    return exponential(s,
                       !is_repaired && s.uniform() < 0.2 ? 5 * kDayOfCauses : 200 * kDayOfCauses);
  };
  const auto outages = drawn(life);
  for (std::uint32_t unit = 0; unit < kUnits; ++unit) begun.push_back({.unit = unit});
  const CauseTests tests = cause_tests(outages, kUnits, 0, kWatchedFor, begun);
  CHECK(tests.infant->p_value < 1e-6);
  CHECK(tests.infant->seen > 1.5 * tests.infant->expected);
  CHECK(tests.failed_repair->p_value > 0.01);
}

TEST_CASE("causes: too little to test") {
  const CauseTests none = cause_tests({}, 0, 0, 0);
  CHECK((!none.lemon && !none.failed_repair && !none.infant && !none.cascade));
  const std::vector<UnitOutage> few = {{.unit = 0, .down = 1, .up = 2},
                                       {.unit = 1, .down = 5, .up = 9}};
  const CauseTests two = cause_tests(few, 2, 0, 100);
  CHECK((!two.lemon && !two.failed_repair && !two.infant && !two.cascade));
}
