// Least squares of relative errors: after division by the measured time, an error of 1 s on 10 s counts as much as one of 100 s
// on 1000 s.
#include "holdfast/base/elementary.hpp"
#include "holdfast/math/minimum.hpp"
#include "holdfast/models/speedup/profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

namespace holdfast {
namespace {

constexpr std::size_t kMost = 3;

/// A minimum of sum_i (sum_k x_k f_k(i) / t_i - 1)^2 over x >= 0. It is found by trying every subset of the columns, of which
/// there are at most three.
struct LinearFit {
  std::array<double, kMost> x{};
  double error = std::numeric_limits<double>::infinity();
};

// Solves the normal equations of the columns in `used` by Gaussian elimination; returns false if they are singular.
bool solve(std::array<std::array<double, kMost + 1>, kMost> a, const std::vector<std::size_t>& used,
           std::array<double, kMost>& x) {
  const std::size_t n = used.size();
  for (std::size_t row = 0; row < n; ++row) {
    const std::size_t r = used[row];
    if (!(std::abs(a[r][r]) > 1e-30)) return false;
    for (std::size_t other = 0; other < n; ++other) {
      if (other == row) continue;
      const std::size_t o = used[other];
      const double factor = a[o][r] / a[r][r];
      for (const std::size_t column : used) a[o][column] -= factor * a[r][column];
      a[o][kMost] -= factor * a[r][kMost];
    }
  }
  x = {};
  for (const std::size_t r : used) x[r] = a[r][kMost] / a[r][r];
  return true;
}

LinearFit fit_linear(const std::vector<std::array<double, kMost>>& rows, std::size_t columns) {
  std::array<std::array<double, kMost + 1>, kMost> normal{};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < columns; ++i) {
      for (std::size_t j = 0; j < columns; ++j) normal[i][j] += row[i] * row[j];
      normal[i][kMost] += row[i];
    }
  }
  LinearFit best;
  for (std::size_t subset = 1; subset < (std::size_t{1} << columns); ++subset) {
    std::vector<std::size_t> used;
    for (std::size_t k = 0; k < columns; ++k) {
      if ((subset >> k & 1) != 0) used.push_back(k);
    }
    LinearFit fit;
    if (!solve(normal, used, fit.x)) continue;
    if (std::ranges::any_of(fit.x, [](double value) { return value < 0; })) continue;
    fit.error = 0;
    for (const auto& row : rows) {
      double sum = -1;
      for (std::size_t k = 0; k < columns; ++k) sum += fit.x[k] * row[k];
      fit.error += sum * sum;
    }
    if (fit.error < best.error) best = fit;
  }
  return best;
}

/// The factors of the unknowns in t = w g(p) + d + (p - 1) c, each divided by the measured time.
enum Column : std::uint8_t { kParallel = 1, kSequential = 2, kOverhead = 4 };

LinearFit fit_canonical(const SpeedupProfile& profile, unsigned columns,
                        const std::function<double(double)>& shared) {
  std::vector<std::array<double, kMost>> rows;
  std::size_t count = 0;
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const auto p = static_cast<double>(profile.processors[i]);
    std::array<double, kMost> row{};
    count = 0;
    if ((columns & kParallel) != 0) row[count++] = shared(p) / profile.seconds[i];
    if ((columns & kSequential) != 0) row[count++] = 1 / profile.seconds[i];
    if ((columns & kOverhead) != 0) row[count++] = (p - 1) / profile.seconds[i];
    rows.push_back(row);
  }
  return fit_linear(rows, count);
}

double by_processors(double p) {
  return 1 / p;
}

// The best whole degree of parallelism for a fit that is linear once this degree is known. The error is smooth between measured
// numbers of processors: each interval is narrowed by thirds, and in a small one all numbers are tried.
struct Bounded {
  std::int64_t bound = 1;
  LinearFit fit;
};

Bounded fit_bounded(const SpeedupProfile& profile, unsigned columns) {
  Bounded best;
  const auto consider = [&](std::int64_t bound) {
    const auto most = static_cast<double>(bound);
    LinearFit fit =
        fit_canonical(profile, columns, [&](double p) { return 1 / std::min(p, most); });
    const double error = fit.error;
    if (error < best.fit.error) best = {bound, fit};
    return error;
  };
  std::int64_t from = 1;
  for (const std::int64_t to : profile.processors) {
    std::int64_t low = from;
    std::int64_t high = to;
    while (high - low > 64) {
      const std::int64_t third = (high - low) / 3;
      if (consider(low + third) < consider(high - third)) {
        high -= third;
      } else {
        low += third;
      }
    }
    for (std::int64_t bound = low; bound <= high; ++bound) consider(bound);
    from = to;
  }
  return best;
}

// Fits the exponent; the work follows from it in closed form.
Speedup fit_power(const SpeedupProfile& profile) {
  const auto work_of = [&](double exponent) {
    double top = 0, bottom = 0;
    for (std::size_t i = 0; i < profile.size(); ++i) {
      const double x = elementary::pow(static_cast<double>(profile.processors[i]), -exponent) /
                       profile.seconds[i];
      top += x;
      bottom += x * x;
    }
    return top / bottom;
  };
  const auto error_of = [&](double exponent) {
    const double work = work_of(exponent);
    double error = 0;
    for (std::size_t i = 0; i < profile.size(); ++i) {
      const double x = work *
                           elementary::pow(static_cast<double>(profile.processors[i]), -exponent) /
                           profile.seconds[i] -
                       1;
      error += x * x;
    }
    return error;
  };
  // A grid finds the best of several minima; a search then starts around it.
  constexpr int kGrid = 200;
  int best = 0;
  for (int k = 1; k <= kGrid; ++k) {
    if (error_of(k / double{kGrid}) < error_of(best / double{kGrid})) best = k;
  }
  const double inside = find_minimum(error_of, std::max(0, best - 1) / double{kGrid},
                                     std::min(kGrid, best + 1) / double{kGrid}, 1e-12);
  const double exponent = error_of(1) <= error_of(inside)   ? 1.0
                          : error_of(0) <= error_of(inside) ? 0.0
                                                            : inside;
  return Speedup::power(work_of(exponent), exponent);
}

SpeedupFit judged(const SpeedupProfile& profile, Speedup speedup, int parameters) {
  SpeedupFit out{.speedup = std::move(speedup), .residuals = {}, .parameters = parameters};
  double sum = 0;
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const double residual = out.speedup.time(profile.processors[i]) / profile.seconds[i] - 1;
    out.residuals.push_back(residual);
    out.worst = std::max(out.worst, std::abs(residual));
    sum += residual * residual;
  }
  out.rms = std::sqrt(sum / static_cast<double>(profile.size()));
  return out;
}

}  // namespace

std::vector<SpeedupFit> fit_speedups(const SpeedupProfile& profile) {
  std::vector<SpeedupFit> out;
  const auto allows = [&](int parameters) {
    return profile.size() >= static_cast<std::size_t>(parameters);
  };
  if (allows(2)) {
    const Bounded roofline = fit_bounded(profile, kParallel);
    out.push_back(judged(profile, Speedup::roofline(roofline.fit.x[0], roofline.bound), 2));
    const auto communication = fit_canonical(profile, kParallel | kOverhead, by_processors).x;
    out.push_back(judged(profile, Speedup::communication(communication[0], communication[1]), 2));
    const auto amdahl = fit_canonical(profile, kParallel | kSequential, by_processors).x;
    out.push_back(judged(profile, Speedup::amdahl_of_parts(amdahl[0], amdahl[1]), 2));
  }
  if (allows(4)) {
    const Bounded mix = fit_bounded(profile, kParallel | kSequential | kOverhead);
    out.push_back(judged(
        profile, Speedup::mix_of_parts(mix.fit.x[0], mix.fit.x[1], mix.bound, mix.fit.x[2]), 4));
  }
  if (allows(2)) out.push_back(judged(profile, fit_power(profile), 2));
  return out;
}

}  // namespace holdfast
