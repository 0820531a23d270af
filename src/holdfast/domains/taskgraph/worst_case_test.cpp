#include "holdfast/domains/taskgraph/worst_case.hpp"

#include "holdfast/domains/taskgraph/simulate.hpp"
#include "holdfast/domains/taskgraph/strategies/as_given.hpp"
#include "holdfast/domains/taskgraph/strategies/capped_lpa.hpp"
#include "holdfast/domains/taskgraph/validate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace holdfast::taskgraph {
namespace {

struct Row {
  SpeedupModel model;
  std::int64_t processors;
  std::int64_t p_a, p_b, p_c, x, k, y, z;
  std::int64_t size;  // 0: published rounded, or not at all
  double ratio;
};

constexpr auto kRoofline = SpeedupModel::roofline;
constexpr auto kCommunication = SpeedupModel::communication;
constexpr auto kAmdahl = SpeedupModel::amdahl;

// Tightness of the ratios, epsilon = 0.5.
constexpr Row kRows[] = {
    {kRoofline, 16, 1, 1, 7, 10, 1, 10, 15, 190, 2.499939},
    {kRoofline, 100, 1, 1, 39, 62, 1, 62, 99, 6398, 2.596772},
    {kRoofline, 1024, 1, 1, 392, 633, 1, 633, 1023, 650'238, 2.616114},
    {kRoofline, 1'000'000, 1, 1, 381'967, 618'034, 1, 618'034, 999'999, 0, 2.618032},
    {kCommunication, 16, 1, 2, 5, 6, 2, 18, 28, 242, 3.039912},
    {kCommunication, 100, 1, 2, 30, 36, 1, 54, 98, 3778, 3.312314},
    {kCommunication, 1024, 1, 2, 302, 362, 1, 543, 1022, 372'551, 3.381892},
    {kCommunication, 1'000'000, 1, 2, 294'900, 352'551, 1, 528'826, 999'998, 0, 3.390974},
    {kAmdahl, 16, 3, 4, 4, 4, 1, 10, 8, 58, 2.265560},
    {kAmdahl, 100, 9, 10, 22, 8, 1, 62, 69, 752, 3.161395},
    {kAmdahl, 1024, 31, 32, 226, 25, 1, 738, 843, 23'499, 3.750591},
    {kAmdahl, 10'000, 99, 100, 2200, 79, 1, 7969, 9000, 0, 4.055172},
    {kAmdahl, 1'000'000, 999, 1000, 219'952, 781, 1, 852'915, 968'378, 0, 4.392725},
    {kAmdahl, 100'000'000, 9999, 10'000, 21'995'157, 7801, 1, 87'328'769, 99'000'000, 0, 4.498189},
};

}  // namespace

TEST_CASE("worst case: counts, allocations and ratios of the specification") {
  for (const Row& row : kRows) {
    CAPTURE(name(row.model));
    CAPTURE(row.processors);
    const WorstCase found = worst_case(row.model, row.processors, 0.5).value();
    CHECK(found.a.processors == row.p_a);
    CHECK(found.b.processors == row.p_b);
    CHECK(found.c.processors == row.p_c);
    CHECK(found.x == row.x);
    CHECK(found.k == row.k);
    CHECK(found.y == row.y);
    CHECK(found.z == row.z);
    if (row.size > 0) CHECK(found.size() == row.size);
    CHECK(std::abs(found.ratio() - row.ratio) < 1e-5 * row.ratio);
    CHECK(found.ratio() < found.limit());
  }
  CHECK(worst_case(kAmdahl, 10'000, 0.5).value().size() / 1000 == 736);  // "737k"
}

TEST_CASE("worst case: both schedules, simulated, are what the closed forms say") {
  for (const Row& row : kRows) {
    if (row.processors > 100) continue;
    CAPTURE(name(row.model));
    CAPTURE(row.processors);
    const WorstCase worst = worst_case(row.model, row.processors, 0.5).value();
    const Instance instance = build(worst);
    REQUIRE(check(instance));
    CHECK(static_cast<std::int64_t>(instance.graph.edges()) == worst.edges());

    Schedule schedule;
    const CappedLpa strategy = CappedLpa::make(instance, {}).value();
    const Metrics online = simulate(instance, strategy, {}, &schedule);
    CHECK(online.makespan == doctest::Approx(worst.makespan()).epsilon(1e-12));
    CHECK(validate(instance, {}, schedule, Idling::forbidden));

    schedule.clear();
    const Metrics offline = simulate(instance, AsGiven::make(instance).value(), {}, &schedule);
    CHECK(offline.makespan == doctest::Approx(worst.offline_makespan()).epsilon(1e-12));
    CHECK(validate(instance, {}, schedule, Idling::allowed));
  }
}

TEST_CASE("worst case: makespans of capped-lpa at P = 16") {
  const auto makespan = [](SpeedupModel model) {
    const Instance instance = build(worst_case(model, 16, 0.5).value());
    return simulate(instance, CappedLpa::make(instance, {}).value()).makespan;
  };
  CHECK(makespan(kRoofline) == doctest::Approx(25.0000346).epsilon(1e-8));
  CHECK(makespan(kCommunication) == doctest::Approx(218.87509).epsilon(1e-7));
  CHECK(makespan(kAmdahl) == doctest::Approx(7.6957956).epsilon(1e-7));
}

TEST_CASE("worst case: large graphs, simulated" * doctest::test_suite("slow")) {
  for (const Row& row : kRows) {
    if (row.processors < 1024 || row.processors > 10'000) continue;
    CAPTURE(name(row.model));
    const WorstCase worst = worst_case(row.model, row.processors, 0.5).value();
    const Instance instance = build(worst);
    const double online = simulate(instance, CappedLpa::make(instance, {}).value()).makespan;
    const double offline = simulate(instance, AsGiven::make(instance).value()).makespan;
    CHECK(std::abs(online / offline - row.ratio) < 1e-5 * row.ratio);
    CHECK(online == doctest::Approx(worst.makespan()).epsilon(1e-9));
    CHECK(offline == doctest::Approx(worst.offline_makespan()).epsilon(1e-9));
  }
}

TEST_CASE("worst case: all constraints of Table IV hold from some size on, but for F1") {
  const auto broken = [](SpeedupModel model, std::int64_t processors) {
    std::string out;
    for (const auto& c : proof_constraints(worst_case(model, processors, 0.5).value())) {
      if (!c.holds) out += std::string(c.label) + " ";
    }
    return out;
  };
  for (const SpeedupModel model : {kRoofline, kCommunication, kAmdahl}) {
    CAPTURE(name(model));
    CHECK(broken(model, 1'000'000) == "F1 ");
  }
  CHECK(proof_constraints(worst_case(kRoofline, 16, 0.5).value()).size() == 16);
}

TEST_CASE("worst case: with the parameters of mix, Amdahl tasks approach alpha / (1 - mu) + 2") {
  const WorstCase worst = worst_case(SpeedupModel::mix, 1'000'000'000, 0.5).value();
  CHECK(worst.limit() == doctest::Approx(2 / (1 - 0.216068317985) + 2).epsilon(1e-12));
  CHECK(worst.limit() < guarantee_of(SpeedupModel::mix)->ratio());
  CHECK(worst.ratio() > 4.5);
  CHECK(worst.ratio() < worst.limit());
  const Instance small = build(worst_case(SpeedupModel::mix, 100, 0.5).value());
  CHECK(simulate(small, CappedLpa::make(small, {}).value()).makespan ==
        doctest::Approx(worst_case(SpeedupModel::mix, 100, 0.5)->makespan()).epsilon(1e-12));
}

TEST_CASE("worst case: what cannot be built is refused") {
  CHECK(worst_case(SpeedupModel::power, 100, 0.5).error().where == "family");
  CHECK(worst_case(kRoofline, 15, 0.5).error().where == "/size");
  CHECK(worst_case(kAmdahl, 17, 0.5).error().where == "/size");
  for (const double epsilon : {0.0, 1.0, -1.0, std::nan(""), 1e-300}) {
    CHECK(worst_case(kRoofline, 16, epsilon).error().where == "/epsilon");
  }
}

}  // namespace holdfast::taskgraph
