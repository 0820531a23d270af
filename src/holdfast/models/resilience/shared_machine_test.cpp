#include "holdfast/models/resilience/shared_machine.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace holdfast;

namespace {

bool matches(double found, double expected, double relative) {
  return std::fabs(found - expected) <= relative * std::fabs(expected);
}

// 17 784 nodes of 16 cores and 32e9 bytes; checkpoints in multiples of the memory, shares normalised.
SharedMachine cielo(double bandwidth, double machine_mtbf = 3600) {
  struct Row {
    double cores, checkpoint, share;
  };
  SharedMachine out{.nodes = 17784, .bandwidth = bandwidth, .mtbf = 17784 * machine_mtbf};
  for (const Row& row : {Row{16384, 1.6, 0.6}, Row{4096, 1.85, 0.05}, Row{32768, 3.5, 0.15},
                         Row{30000, 0.85, 0.1}}) {
    const double nodes = row.cores / 16;
    const double bytes = row.checkpoint * nodes * 32e9;
    out.classes.push_back({.jobs = row.share / 0.9 * out.nodes / nodes,
                           .nodes = nodes,
                           .checkpoint = bytes,
                           .recovery = bytes});
  }
  return out;
}

double drawn_size(int low, int high, double unit) {
  return *rc::gen::inRange(low, high) * unit;
}

SharedMachine drawn_machine() {
  SharedMachine out{.nodes = 1000, .bandwidth = 1e9, .mtbf = 86400 * drawn_size(100, 4000, 1)};
  if (*rc::gen::arbitrary<bool>()) out.node_bandwidth = drawn_size(1, 100, 1e7);
  out.downtime = drawn_size(0, 10, 10);
  out.classes.resize(static_cast<std::size_t>(*rc::gen::inRange(1, 5)));
  for (MachineClass& one : out.classes) {
    one = {.jobs = drawn_size(1, 20, 0.25),
           .nodes = drawn_size(1, 100, 1),
           .checkpoint = drawn_size(1, 100, 1e10),
           .recovery = drawn_size(0, 100, 1e10),
           .regular = drawn_size(0, 10, 1e5)};
  }
  return out;
}

}  // namespace

TEST_CASE("shared machine: plans for the classes of Cielo") {
  struct Row {
    double bandwidth, pressure, price;
    std::vector<double> periods;
    double bound, alone;
  };
  const Row rows[] = {{160e9,
                       0.978033701,
                       0,
                       {6184.5560, 6820.0631, 8536.7618, 4455.5419},
                       0.863038497,
                       0.863038497},
                      {80e9,
                       1.402623813,
                       0.0696832547,
                       {13324.3235, 23714.2543, 15960.6462, 8251.3469},
                       0.796179137,
                       0.807326},
                      {40e9,
                       2.015540388,
                       0.28513314,
                       {32917.0156, 65182.4320, 39486.7855, 18555.3049},
                       0.647637977,
                       0.731727}};
  for (const Row& row : rows) {
    CAPTURE(row.bandwidth);
    const auto classes = shared_classes(cielo(row.bandwidth));
    const SharedPlan alone = plan_of_each_alone(classes, 0);
    CHECK(matches(alone.load, row.pressure, 1e-9));
    CHECK(std::fabs(alone.useful_share - row.alone) <= 5e-7);
    const auto plan = plan_shared(classes, 0);
    REQUIRE(plan);
    CHECK(std::fabs(plan->price - row.price) <= 5e-9);
    for (std::size_t i = 0; i < 4; ++i) CHECK(matches(plan->periods[i], row.periods[i], 1e-8));
    CHECK(matches(plan->useful_share, row.bound, 1e-9));
    CHECK(*useful_share_bound(cielo(row.bandwidth)) == plan->useful_share);
  }
}

TEST_CASE("shared machine: first-order periods load the file system with more than it has") {
  struct Row {
    double bandwidth, price, load;
  };
  for (const Row& row :
       {Row{160e9, 0, 0}, Row{80e9, 0.0479680248, 1.052}, Row{40e9, 0.166874848, 1.186}}) {
    CAPTURE(row.bandwidth);
    const auto plan = plan_shared_first_order(shared_classes(cielo(row.bandwidth)), 0);
    REQUIRE(plan);
    CHECK(std::fabs(plan->price - row.price) <= 1e-9);
    if (row.load > 0) CHECK(std::fabs(plan->load - row.load) <= 5e-4);
  }
  const auto plan = plan_shared_first_order(shared_classes(cielo(80e9)), 0);
  const double expected[] = {12256.3300, 20260.7271, 15935.2405, 7958.7896};
  for (std::size_t i = 0; i < 4; ++i) CHECK(matches(plan->periods[i], expected[i], 1e-8));
}

TEST_CASE("shared machine: the bound against bandwidth and failures") {
  struct Row {
    double bandwidth, hours, bound;
  };
  for (const Row& row :
       {Row{60e9, 1, 0.749623}, Row{100e9, 1, 0.823168}, Row{120e9, 1, 0.840901},
        Row{140e9, 1, 0.853516}, Row{40e9, 2, 0.796179}, Row{40e9, 4, 0.863038},
        Row{40e9, 8, 0.903111}, Row{40e9, 16, 0.931590}, Row{40e9, 24, 0.944207}}) {
    CAPTURE(row.bandwidth);
    CAPTURE(row.hours);
    CHECK(std::fabs(*useful_share_bound(cielo(row.bandwidth, 3600 * row.hours)) - row.bound) <=
          5e-7);
  }
}

TEST_CASE("shared machine: how much bandwidth to buy, and what one more unit of it is worth") {
  const auto bought = bandwidth_for_share(cielo(80e9), 0.8);
  REQUIRE(bought);
  CHECK(matches(*bought, 82.30851894e9, 1e-9));
  CHECK(matches(*useful_share_bound(cielo(*bought)), 0.8, 1e-12));
  CHECK(matches(*bandwidth_for_share(cielo(1e3), 0.8), *bought, 1e-12));  // wherever it starts
  CHECK(matches(*bandwidth_for_share(cielo(1e20), 0.8), *bought, 1e-12));
  // A plain difference quotient of 1 GB/s, whose error is of second order.
  const double plain =
      (*useful_share_bound(cielo(80.5e9)) - *useful_share_bound(cielo(79.5e9))) / 1e9;
  CHECK(matches(value_of_bandwidth(cielo(80e9)), plain, 1e-3));

  // Nodes that cannot write faster: 60 s per checkpoint at any bandwidth.
  SharedMachine slow{.nodes = 10, .bandwidth = 20, .node_bandwidth = 1, .mtbf = 1e5};
  slow.classes = {{.jobs = 10, .nodes = 1, .checkpoint = 60, .recovery = 60}};
  const double best = *useful_share_bound(slow);
  CHECK(value_of_bandwidth(slow) == 0);
  CHECK_FALSE(bandwidth_for_share(slow, best));
  CHECK_FALSE(bandwidth_for_share(slow, 0.999));
  CHECK(*bandwidth_for_share(slow, best * 0.999) < 1);
}

TEST_CASE("shared machine: from which bandwidth on there is a plan") {
  SharedMachine two{.nodes = 100, .bandwidth = 1, .mtbf = 6e3};
  two.classes = {{.jobs = 1, .nodes = 60, .checkpoint = 120, .recovery = 120},
                 {.jobs = 2, .nodes = 20, .checkpoint = 60, .recovery = 90}};
  CHECK_FALSE(useful_share_bound(two));
  const double least = least_bandwidth(two);
  const auto at = [&two](double bandwidth) {
    SharedMachine out = two;
    out.bandwidth = bandwidth;
    return useful_share_bound(out);
  };
  CHECK(least > 1);
  CHECK_FALSE(at(least * (1 - 1e-9)));
  CHECK(at(least * (1 + 1e-9)));
  CHECK(least_bandwidth(two, 0.5) > least);
  CHECK(*bandwidth_for_share(two, 1e-3) > least);
  // Nothing is read, nothing else is written: any bandwidth will do.
  two.classes = {{.jobs = 1, .nodes = 60, .checkpoint = 120}};
  CHECK(least_bandwidth(two) == 0);
  two.mtbf = std::numeric_limits<double>::infinity();
  two.classes[0].regular = 3;
  CHECK(matches(least_bandwidth(two), 3, 1e-14));
  CHECK(regular_load(two) == 3);
}

TEST_CASE("shared machine: jobs without checkpoints are one segment, or save nothing") {
  SharedMachine machine{.nodes = 10, .bandwidth = 2, .mtbf = 1e4};
  machine.classes = {{.jobs = 4, .nodes = 1, .recovery = 100, .work = 500},
                     {.jobs = 4, .nodes = 1}};
  const auto classes = shared_classes(machine);
  CHECK(classes[0].segment == 500);
  CHECK(std::isinf(*classes[1].segment));
  const double time = 1e4 * std::exp(0.005) * std::expm1(0.05);
  CHECK(matches(*useful_share_bound(machine), 0.4 * 500 / time, 1e-13));
}

TEST_CASE("shared machine: the bound rises with the bandwidth and the target finds its way back") {
  CHECK(rc::check([] {
    SharedMachine machine = drawn_machine();
    double last = 0;
    for (double bandwidth = 1e7; bandwidth < 1e13; bandwidth *= 3) {
      machine.bandwidth = bandwidth;
      const auto bound = useful_share_bound(machine);
      RC_ASSERT(bound.has_value() || last == 0);
      RC_ASSERT(bound.has_value() == (least_bandwidth(machine) < bandwidth));
      if (!bound) continue;
      RC_ASSERT(*bound >= last * (1 - 1e-12));
      last = *bound;
    }
    const auto needed = bandwidth_for_share(machine, 0.9 * last);
    RC_ASSERT(needed.has_value());
    machine.bandwidth = *needed;
    RC_ASSERT(matches(*useful_share_bound(machine), 0.9 * last, 1e-9));
  }));
}

TEST_CASE("shared machine: the unit of volume does not matter") {
  CHECK(rc::check([] {
    const SharedMachine machine = drawn_machine();
    SharedMachine other = machine;
    const double unit = std::pow(2.0, *rc::gen::inRange(-40, 41));
    other.bandwidth *= unit;
    other.node_bandwidth *= unit;
    for (MachineClass& one : other.classes) {
      one.checkpoint *= unit;
      one.recovery *= unit;
      one.regular *= unit;
    }
    RC_ASSERT(useful_share_bound(machine) == useful_share_bound(other));
  }));
}
