#include "holdfast/models/speedup/fit_errors.hpp"

#include "holdfast/base/elementary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace holdfast {
namespace {

constexpr std::size_t kMostParameters = 4;

using Matrix = std::array<std::array<double, kMostParameters>, kMostParameters>;

// Returns the derivative of the duration on p processors with respect to a parameter.
double slope(const Speedup& speedup, std::string_view parameter, double p) {
  if (parameter == "work" && speedup.model() == SpeedupModel::power) {
    return elementary::pow(p, -speedup.exponent());
  }
  if (parameter == "exponent")
    return -speedup.work() * elementary::log(p) * elementary::pow(p, -speedup.exponent());
  if (parameter == "sequential_work") return 1;
  if (parameter == "overhead") return p - 1;
  const auto most = static_cast<double>(speedup.max_parallelism());
  if (parameter == "max_parallelism")
    return p > most ? -speedup.parallel_work() / (most * most) : 0;
  return 1 / std::min(p, most);  // derivative for the parallel work
}

// Returns the inverse of the leading part of a symmetric positive matrix by Gauss-Jordan elimination; nothing if the matrix is
// singular up to rounding.
std::optional<Matrix> inverse(Matrix a, std::size_t size) {
  Matrix out{};
  std::array<double, kMostParameters> scale{};
  for (std::size_t i = 0; i < size; ++i) {
    out[i][i] = 1;
    scale[i] = a[i][i];
  }
  for (std::size_t column = 0; column < size; ++column) {
    const double pivot = a[column][column];
    if (!(pivot > 1e-12 * scale[column])) return std::nullopt;
    for (std::size_t j = 0; j < size; ++j) {
      a[column][j] /= pivot;
      out[column][j] /= pivot;
    }
    for (std::size_t row = 0; row < size; ++row) {
      if (row == column) continue;
      const double factor = a[row][column];
      for (std::size_t j = 0; j < size; ++j) {
        a[row][j] -= factor * a[column][j];
        out[row][j] -= factor * out[column][j];
      }
    }
  }
  return out;
}

std::vector<SpeedupParameter> values_of(const Speedup& speedup) {
  const auto bound = static_cast<double>(speedup.max_parallelism());
  switch (speedup.model()) {
    case SpeedupModel::roofline:
      return {{"work", speedup.parallel_work(), {}}, {"max_parallelism", bound, {}}};
    case SpeedupModel::communication:
      return {{"work", speedup.parallel_work(), {}}, {"overhead", speedup.overhead(), {}}};
    case SpeedupModel::amdahl:
      return {{"parallel_work", speedup.parallel_work(), {}},
              {"sequential_work", speedup.sequential_work(), {}}};
    case SpeedupModel::mix:
      return {{"parallel_work", speedup.parallel_work(), {}},
              {"sequential_work", speedup.sequential_work(), {}},
              {"overhead", speedup.overhead(), {}},
              {"max_parallelism", bound, {}}};
    case SpeedupModel::power:
      return {{"work", speedup.work(), {}}, {"exponent", speedup.exponent(), {}}};
    case SpeedupModel::table:
      break;
  }
  return {};
}

}  // namespace

std::vector<SpeedupParameter> fitted_parameters(const SpeedupProfile& profile,
                                                const SpeedupFit& fit) {
  std::vector<SpeedupParameter> out = values_of(fit.speedup);
  std::vector<SpeedupParameter*> free;
  for (SpeedupParameter& parameter : out) {
    const bool is_bound = parameter.name == "max_parallelism";
    const bool is_inside = is_bound
                               ? parameter.value < static_cast<double>(profile.processors.back())
                               : parameter.value > 0;
    if (is_inside) free.push_back(&parameter);
  }
  const auto points = static_cast<int>(profile.size());
  if (points <= fit.parameters || free.empty()) return out;
  Matrix normal{};
  double squares = 0;
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const auto p = static_cast<double>(profile.processors[i]);
    std::array<double, kMostParameters> row{};
    for (std::size_t k = 0; k < free.size(); ++k) {
      row[k] = slope(fit.speedup, free[k]->name, p) / profile.seconds[i];
    }
    for (std::size_t k = 0; k < free.size(); ++k) {
      for (std::size_t l = 0; l < free.size(); ++l) normal[k][l] += row[k] * row[l];
    }
    squares += fit.residuals[i] * fit.residuals[i];
  }
  const auto covariance = inverse(normal, free.size());
  if (!covariance) return out;
  const double variance = squares / (points - fit.parameters);
  for (std::size_t k = 0; k < free.size(); ++k) {
    free[k]->standard_error = std::sqrt(std::max(0.0, variance * (*covariance)[k][k]));
  }
  return out;
}

}  // namespace holdfast
