#pragma once

#include <array>
#include <cstddef>

namespace holdfast {

/// The nodes (in (-1, 1)) and weights (with sum 2) of Gauss-Legendre quadrature. n points integrate polynomials of degree 2n -
/// 1 exactly.
template <std::size_t n>
struct GaussLegendre {
  std::array<double, n> nodes;
  std::array<double, n> weights;

  /// Returns the integral of f over [low, high].
  template <class Function>
  [[nodiscard]] double integrate(double low, double high, const Function& f) const {
    const double centre = 0.5 * (low + high);
    const double half = 0.5 * (high - low);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += weights[i] * f(centre + half * nodes[i]);
    return half * sum;
  }
};

inline constexpr GaussLegendre<8> kGaussLegendre8{
    {-0.960289856497536231684, -0.796666477413626739592, -0.525532409916328985818,
     -0.183434642495649804939, 0.183434642495649804939, 0.525532409916328985818,
     0.796666477413626739592, 0.960289856497536231684},
    {0.101228536290376259153, 0.222381034453374470544, 0.313706645877887287338,
     0.362683783378361982965, 0.362683783378361982965, 0.313706645877887287338,
     0.222381034453374470544, 0.101228536290376259153}};

}  // namespace holdfast
