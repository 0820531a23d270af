#include "holdfast/math/linear_program.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

using namespace holdfast;

namespace {

using Term = LinearProgram::Term;

// x, y >= 0 and a x + b y <= c: the best corner of all pairs of borders.
struct HalfPlane {
  double a = 0, b = 0, c = 0;
};

std::optional<double> best_corner(const std::vector<HalfPlane>& planes, double along_x,
                                  double along_y) {
  std::vector<HalfPlane> all = planes;
  all.push_back({-1, 0, 0});
  all.push_back({0, -1, 0});
  std::optional<double> best;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t k = i + 1; k < all.size(); ++k) {
      const double det = all[i].a * all[k].b - all[k].a * all[i].b;
      if (std::abs(det) < 1e-12) continue;
      const double x = (all[i].c * all[k].b - all[k].c * all[i].b) / det;
      const double y = (all[i].a * all[k].c - all[k].a * all[i].c) / det;
      bool is_inside = true;
      for (const HalfPlane& plane : all)
        is_inside = is_inside && plane.a * x + plane.b * y <= plane.c + 1e-9;
      const double value = along_x * x + along_y * y;
      if (is_inside && (!best || value > *best)) best = value;
    }
  }
  return best;
}

}  // namespace

TEST_CASE("linear program: by hand") {
  // z = 3 x + 2 y with x + y <= 4, x + 3 y <= 6, x <= 3: at x = 3, y = 1.
  LinearProgram program;
  const auto x = program.add_variable(), y = program.add_variable(), z = program.add_variable();
  program.at_most({{x, 1}, {y, 1}}, 4);
  program.at_most({{x, 1}, {y, 3}}, 6);
  program.at_most({{x, 1}}, 3);
  program.equal({{z, 1}, {x, -3}, {y, -2}}, 0);
  const auto best = program.maximise(z);
  REQUIRE(best);
  CHECK(best->value == doctest::Approx(11).epsilon(1e-12));
  CHECK(best->variables[x] == doctest::Approx(3).epsilon(1e-12));
  CHECK(best->variables[y] == doctest::Approx(1).epsilon(1e-12));
}

TEST_CASE(
    "linear program: an equality given twice counts once, two that differ are a contradiction") {
  LinearProgram program;
  const auto x = program.add_variable(), y = program.add_variable();
  program.equal({{x, 1}, {y, 1}}, 1);
  program.equal({{x, 2}, {y, 2}}, 2);
  REQUIRE(program.maximise(x));
  CHECK(program.maximise(x)->value == doctest::Approx(1).epsilon(1e-12));
  program.equal({{x, 1}, {y, 1}}, 1.5);
  CHECK_FALSE(program.maximise(x));
}

TEST_CASE("linear program: a variable that has to be at least something") {
  LinearProgram program;
  const auto x = program.add_variable(), y = program.add_variable();
  program.at_most({{x, -1}}, -2);          // x >= 2
  program.at_most({{x, 1}, {y, 1}}, 3.5);  // so y <= 1.5
  REQUIRE(program.maximise(y));
  CHECK(program.maximise(y)->value == doctest::Approx(1.5).epsilon(1e-12));
  program.at_most({{x, 1}}, 1);
  CHECK_FALSE(program.maximise(y));
}

TEST_CASE("linear program: Beale's example, in which the steepest price alone cycles") {
  LinearProgram program;
  std::array<std::size_t, 4> x{};
  for (auto& variable : x) variable = program.add_variable();
  const auto z = program.add_variable();
  program.at_most({{x[0], 0.25}, {x[1], -60}, {x[2], -0.04}, {x[3], 9}}, 0);
  program.at_most({{x[0], 0.5}, {x[1], -90}, {x[2], -0.02}, {x[3], 3}}, 0);
  program.at_most({{x[2], 1}}, 1);
  program.equal({{z, 1}, {x[0], -0.75}, {x[1], 150}, {x[2], -0.02}, {x[3], 6}}, 0);
  REQUIRE(program.maximise(z));
  CHECK(program.maximise(z)->value == doctest::Approx(0.05).epsilon(1e-9));
}

TEST_CASE("linear program: 2000 in the plane, against all corners") {
  std::mt19937_64 bits(29);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * (static_cast<double>(bits() >> 12) + 0.5) * 0x1p-52;
  };
  int contradictions = 0;
  for (int i = 0; i < 2000; ++i) {
    CAPTURE(i);
    std::vector<HalfPlane> planes = {{1, 1, uniform(1, 10)}};  // so that it is bounded
    for (int k = 0; k < 4; ++k)
      planes.push_back({uniform(-1, 1), uniform(-1, 1), uniform(-0.5, 1)});
    const double along_x = uniform(0, 1), along_y = uniform(0, 1);
    LinearProgram program;
    const auto x = program.add_variable(), y = program.add_variable(), z = program.add_variable();
    for (const HalfPlane& plane : planes) program.at_most({{x, plane.a}, {y, plane.b}}, plane.c);
    program.equal({{z, 1}, {x, -along_x}, {y, -along_y}}, 0);
    const auto found = program.maximise(z);
    const auto best = best_corner(planes, along_x, along_y);
    REQUIRE(found.has_value() == best.has_value());
    if (best) {
      CHECK(found->value == doctest::Approx(*best).epsilon(1e-7));
    } else {
      ++contradictions;
    }
  }
  CHECK(contradictions > 50);
}
