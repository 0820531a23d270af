#include "holdfast/domains/moldable/blind_bound.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/domains/moldable/chain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace holdfast::moldable {
namespace {

// The time left is rounded up, and durations down, to parts of D.
constexpr std::size_t kParts = 32;
constexpr double kStep = 1.02;  // between values of D
constexpr int kMostSteps = 300;
constexpr auto kPrices = std::to_array<double>({0, 2, 8, 30, 100, 300});  // s P D

// The least area of attempts that take less than 1, 2 ... parts of `limit`; negative if there are none.
std::array<double, kParts> areas(const ChainOptions& options, double limit) {
  std::array<double, kParts> out;
  for (std::size_t part = 0; part < kParts; ++part) {
    const double time = limit * static_cast<double>(part + 1) / kParts;
    if (!(options.least_time() < time)) {
      out[part] = -1;
    } else {
      // A roofline job has its least area on any number of processors; its only option is the widest.
      out[part] = options.is_fixed() ? options.least_area() : options.bracket(time).faster.area;
    }
  }
  return out;
}

// Returns an upper bound on M(limit) for a price per area.
double most(const std::array<double, kParts>& areas, double failure, double price) {
  std::array<double, kParts> factors;
  for (std::size_t part = 0; part < kParts; ++part) {
    factors[part] = areas[part] < 0 ? 0 : elementary::exp(-price * areas[part]);
  }
  std::array<double, kParts + 1> values;  // by the parts left
  for (std::size_t left = 0; left <= kParts; ++left) {
    // Attempts of less than a part do not shorten what is left.
    const double shortest = factors.front();
    double value = shortest * (1 - failure) / (1 - shortest * failure);
    for (std::size_t part = 1; part <= std::min(left, kParts - 1); ++part) {
      value = std::max(value, factors[part] * ((1 - failure) + failure * values[left - part]));
    }
    values[left] = value;
  }
  return values.back();
}

}  // namespace

double blind_bound(const State& state) {
  std::vector<ChainOptions> options;
  double longest = 0, area = 0;
  for (const std::uint32_t job : state.pending) {
    options.emplace_back(state.jobs[job], state.limits[job], state.processors,
                         ChainOptions::Of::frontier);
    longest = std::max(longest, state.limits[job].time);
    area += state.limits[job].area;
  }
  const auto machine = static_cast<double>(state.processors);
  double before = std::max(longest, area / machine);
  double mean = before;
  for (int step = 0; step < kMostSteps; ++step) {
    const double limit = before * kStep;
    std::array<double, kPrices.size()> logs = kPrices;
    for (std::size_t k = 0; k < options.size(); ++k) {
      const double failure = -elementary::expm1(-state.exposures[state.pending[k]]);
      const auto least = areas(options[k], limit);
      // Short attempts are many, and rounding them down would lose most of their time. As fast as possible, so many fit.
      const double count = std::floor(limit / options[k].least_time() * (1 + 1e-12));
      const double in_time = 1 - elementary::pow(failure, count);
      for (std::size_t i = 0; i < kPrices.size(); ++i) {
        const double priced = most(least, failure, kPrices[i] / (machine * limit));
        logs[i] += elementary::log(std::min(in_time, priced));
      }
    }
    const double done = elementary::exp(std::min(0.0, *std::ranges::min_element(logs)));
    mean += (limit - before) * (1 - done);
    if (done > 0.999) break;
    before = limit;
  }
  return mean;
}

}  // namespace holdfast::moldable
