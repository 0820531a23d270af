#include "holdfast/base/elementary.hpp"
#include "holdfast/models/failures/law_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace holdfast {
namespace {

/// A hazard that is constant between breakpoints; the last one continues for ever. H is piecewise linear.
class Empirical final : public LawModelOf<Empirical> {
 public:
  Empirical(std::vector<double> breakpoints, std::vector<double> hazards)
      : LawModelOf{Value::object({{"distribution", "empirical"},
                                  {"breakpoints", Value::list(breakpoints)},
                                  {"hazards", Value::list(hazards)}})},
        breakpoints_{std::move(breakpoints)},
        hazards_{std::move(hazards)} {
    cumulative_.reserve(hazards_.size());
    cumulative_.push_back(0);
    for (std::size_t i = 0; i + 1 < hazards_.size(); ++i) {
      cumulative_.push_back(cumulative_[i] + hazards_[i] * (breakpoints_[i + 1] - breakpoints_[i]));
    }
    mean_ = Empirical::mean_of_minimum(1);
  }

  [[nodiscard]] double cumulative_hazard(double x) const override {
    const std::size_t i = piece(breakpoints_, x);
    return cumulative_[i] + hazards_[i] * (x - breakpoints_[i]);
  }
  [[nodiscard]] HazardValue at(double x) const override {
    const std::size_t i = piece(breakpoints_, x);
    return {cumulative_[i] + hazards_[i] * (x - breakpoints_[i]), hazards_[i], 0};
  }
  [[nodiscard]] double inverse_cumulative_hazard(double y) const override {
    if (!(y > 0)) return 0;
    std::size_t i = piece(cumulative_, y);
    if (y == cumulative_[i]) {
      while (i > 0 && hazards_[i - 1] == 0) --i;  // the left end of a plateau of H
      return breakpoints_[i];
    }
    return breakpoints_[i] + (y - cumulative_[i]) / hazards_[i];
  }
  [[nodiscard]] double mean() const override { return mean_; }
  [[nodiscard]] bool is_smooth() const override { return false; }

  /// Returns the integral of exp(-p H), piece by piece.
  [[nodiscard]] double mean_of_minimum(double processors) const override {
    double sum = 0;
    for (std::size_t i = 0; i < hazards_.size(); ++i) {
      const double survival = elementary::exp(-processors * cumulative_[i]);
      const double rate = processors * hazards_[i];
      if (i + 1 == hazards_.size()) {
        sum += survival / rate;
      } else {
        const double width = breakpoints_[i + 1] - breakpoints_[i];
        sum += survival * (rate > 0 ? -elementary::expm1(-rate * width) / rate : width);
      }
    }
    return sum;
  }

 private:
  /// Returns the last i with starts[i] <= x. starts[0] = 0.
  static std::size_t piece(const std::vector<double>& starts, double x) {
    const auto next = std::upper_bound(starts.begin() + 1, starts.end(), x);
    return static_cast<std::size_t>(next - starts.begin()) - 1;
  }

  std::vector<double> breakpoints_;
  std::vector<double> hazards_;
  std::vector<double> cumulative_;  ///< H at each breakpoint
  double mean_ = 0;
};

struct ReadLifetime {
  double length;
  bool is_observed;
};

}  // namespace

Law empirical_law(std::span<const double> breakpoints, std::span<const double> hazards) {
  assert(!hazards.empty() && breakpoints.size() == hazards.size());
  assert(breakpoints.front() == 0 && hazards.back() > 0);
  return Law{std::make_shared<Empirical>(std::vector(breakpoints.begin(), breakpoints.end()),
                                         std::vector(hazards.begin(), hazards.end()))};
}

Result<Law> empirical_law_of_lifetimes(std::span<const double> lifetimes,
                                       std::span<const std::uint8_t> observed, std::size_t pieces) {
  assert(observed.empty() || observed.size() == lifetimes.size());
  assert(pieces >= 1);
  std::vector<ReadLifetime> sample;
  sample.reserve(lifetimes.size());
  std::size_t deaths = 0;
  for (std::size_t i = 0; i < lifetimes.size(); ++i) {
    if (!(lifetimes[i] > 0) || !std::isfinite(lifetimes[i])) {
      return fail(
          ErrorCode::bad_value, "",
          fmt::format("found a lifetime of {} s, expected one greater than 0", lifetimes[i]));
    }
    sample.push_back({lifetimes[i], observed.empty() || observed[i] != 0});
    deaths += sample.back().is_observed ? 1U : 0U;
  }
  if (deaths < 2) {
    return fail(ErrorCode::bad_value, "",
                fmt::format("found {} {} that ended in a failure, expected at least 2", deaths,
                            deaths == 1 ? "lifetime" : "lifetimes"));
  }
  std::sort(sample.begin(), sample.end(),
            [](const ReadLifetime& a, const ReadLifetime& b) { return a.length < b.length; });

  const std::size_t deaths_per_piece = (deaths + pieces - 1) / pieces;
  std::vector<double> breakpoints{0};
  std::vector<double> hazards;
  double cumulative = 0;        // Nelson-Aalen estimate of H so far
  double piece_cumulative = 0;  // its value where the current piece begins
  std::size_t piece_deaths = 0;
  std::size_t seen_deaths = 0;
  for (std::size_t i = 0; i < sample.size();) {
    const double at_risk = static_cast<double>(sample.size() - i);
    const double length = sample[i].length;
    std::size_t here = 0;
    for (; i < sample.size() && sample[i].length == length; ++i) {
      here += sample[i].is_observed ? 1U : 0U;
    }
    if (here == 0) continue;
    cumulative += static_cast<double>(here) / at_risk;
    piece_deaths += here;
    seen_deaths += here;
    if (piece_deaths < deaths_per_piece && seen_deaths < deaths) continue;
    hazards.push_back((cumulative - piece_cumulative) / (length - breakpoints.back()));
    breakpoints.push_back(length);
    piece_cumulative = cumulative;
    piece_deaths = 0;
  }
  hazards.push_back(cumulative / breakpoints.back());
  return empirical_law(breakpoints, hazards);
}

}  // namespace holdfast
