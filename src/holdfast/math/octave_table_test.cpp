#include "holdfast/math/octave_table.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

using namespace holdfast;

namespace {

OctaveTable table_of(int resolution, double low, double high, auto function) {
  const OctaveGrid grid{resolution};
  std::vector<Jet> jets;
  for (std::int64_t cell = grid.cell(low); grid.start(cell - 1) < high; ++cell) {
    jets.push_back(function(grid.start(cell)));
  }
  OctaveTable table;
  table.assign(grid, grid.cell(low), jets);
  return table;
}

Jet square_root(double x) {
  return {std::sqrt(x), 0.5 / std::sqrt(x), -0.25 / (x * std::sqrt(x))};
}

}  // namespace

TEST_CASE("OctaveGrid: cells tile the numbers, 2^resolution per octave") {
  const OctaveGrid grid{2};
  CHECK(grid.cell(1.0) + 4 == grid.cell(2.0));
  CHECK(grid.cell(1.249) == grid.cell(1.0));
  CHECK(grid.cell(1.25) == grid.cell(1.0) + 1);
  CHECK(grid.start(grid.cell(6.9)) == 6);
  CHECK(grid.start(grid.cell(0.99) + 1) == 1);
}

TEST_CASE("OctaveTable: a polynomial of degree five comes back exactly") {
  const auto quintic = [](double x) {
    return Jet{1 + x * x * (2 - x * x * x), x * (4 - 5 * x * x * x), 4 - 20 * x * x * x};
  };
  const OctaveTable table = table_of(1, 0.25, 8, quintic);
  for (double x = 0.25; x <= 8; x += 0.01) {
    const Jet jet = table.jet(x);
    const Jet exact = quintic(x);
    CHECK(jet.value == doctest::Approx(exact.value).epsilon(1e-12));
    CHECK(jet.first == doctest::Approx(exact.first).epsilon(1e-12));
    CHECK(jet.second == doctest::Approx(exact.second).epsilon(1e-11));
    CHECK(table.value(x) == jet.value);
  }
}

TEST_CASE("OctaveTable: the error falls as the sixth power of the cell's width") {
  double errors[3] = {};
  for (const int resolution : {2, 3, 4}) {
    const OctaveTable table = table_of(resolution, 1e-6, 1e6, square_root);
    double worst = 0;
    for (double x = 1e-6; x < 1e6; x *= 1.0037) {
      worst = std::max(worst, std::abs(table.value(x) / std::sqrt(x) - 1));
    }
    errors[resolution - 2] = worst;
  }
  CHECK(errors[0] < 1e-7);
  CHECK(errors[1] < 1.7e-9);
  CHECK(errors[2] < 4e-11);
  CHECK(errors[0] / errors[1] > 40);
}

TEST_CASE("OctaveTable: exact at the nodes, both ends included") {
  const OctaveTable table = table_of(0, 1, 16, square_root);
  CHECK(table.begin() == 1);
  CHECK(table.end() == 16);
  for (const double x : {1.0, 2.0, 4.0, 8.0}) CHECK(table.value(x) == std::sqrt(x));
  CHECK(table.value(16) == doctest::Approx(4).epsilon(1e-15));
}

TEST_CASE("OctaveTable: the inverse finds the argument again, and stops at the ends") {
  const OctaveTable table = table_of(3, 1e-3, 1e3, square_root);
  for (double x = 1e-3; x < 1e3; x *= 1.01) {
    CHECK(table.inverse(table.value(x)) == doctest::Approx(x).epsilon(1e-13));
  }
  CHECK(table.inverse(0) == table.begin());
  CHECK(table.inverse(1e9) == table.end());
}

TEST_CASE("OctaveTable: monotone cubics neither overshoot nor turn at a kink") {
  const OctaveGrid grid{2};
  const auto kinked = [](double x) { return x < 3 ? 0 : x < 5.2 ? x - 3 : 2.2 + 100 * (x - 5.2); };
  std::vector<double> values;
  for (std::int64_t cell = grid.cell(1.0); grid.start(cell) <= 16; ++cell) {
    values.push_back(kinked(grid.start(cell)));
  }
  OctaveTable table;
  table.assign_monotone(grid, grid.cell(1.0), values);
  double previous = 0;
  for (double x = 1; x < 16; x += 1.0 / 256) {
    const Jet jet = table.jet(x);
    CHECK(jet.value >= previous);
    CHECK(jet.first >= -1e-12);
    previous = jet.value;
  }
  CHECK(table.value(10) == kinked(10));
  CHECK(table.value(2.2) == 0);
  CHECK(table.value(11.3) == doctest::Approx(kinked(11.3)));
}
