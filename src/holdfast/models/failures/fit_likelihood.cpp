#include "holdfast/models/failures/fit_likelihood.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/math/normal_tail.hpp"
#include "holdfast/models/failures/fit_gamma_tail.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace holdfast {
namespace {

/// H(z) with its first and second derivative, for laws of z = shape (y - location).
struct Standard {
  double value = 0;
  double first = 0;
  double second = 0;
};

/// Weibull: z has the law of the smallest extreme, H = e^z.
struct Gumbel {
  static Standard at(double z) {
    const double h = elementary::exp(z);
    return {h, h, h};
  }
};

/// Lognormal: z is standard normal.
struct Normal {
  static Standard at(double z) {
    const double ratio = normal_hazard(z);
    return {minus_log_normal_survival(z), ratio, ratio * (ratio - z)};
  }
};

/// Laws for which ln(age) has a location and a scale.
template <class StandardLaw>
class LocationScale {
 public:
  explicit LocationScale(const LawPoint& law)
      : location_{law.location}, shape_{elementary::exp(law.log_shape)} {}

  /// Returns H with derivatives: z_l = -shape, z_s = z, z_ls = -shape, z_ss = z.
  [[nodiscard]] Curved hazard(double y) const {
    const double z = shape_ * (y - location_);
    const Standard h = StandardLaw::at(z);
    return {h.value,
            -shape_ * h.first,
            z * h.first,
            shape_ * shape_ * h.second,
            -shape_ * (z * h.second + h.first),
            z * (z * h.second + h.first)};
  }
  /// Returns the weighted sum of H; the factors that are the same for all points are taken out of the loop.
  [[nodiscard]] Curved hazards(std::span<const LogAge> points) const {
    Standard sum;
    double first_z = 0;
    double second_z = 0;
    double second_zz = 0;
    for (const LogAge& point : points) {
      const double z = shape_ * (point.y - location_);
      const Standard h = StandardLaw::at(z);
      const double first = point.weight * h.first;
      const double second = point.weight * h.second;
      sum.value += point.weight * h.value;
      sum.first += first;
      sum.second += second;
      first_z += first * z;
      second_z += second * z;
      second_zz += second * z * z;
    }
    return {sum.value,
            -shape_ * sum.first,
            first_z,
            shape_ * shape_ * sum.second,
            -shape_ * (second_z + sum.first),
            second_zz + first_z};
  }
  [[nodiscard]] double shape() const { return shape_; }
  [[nodiscard]] double location() const { return location_; }

 private:
  double location_;
  double shape_;
};

using WeibullTail = LocationScale<Gumbel>;
using LognormalTail = LocationScale<Normal>;

/// H = t / mean: the Weibull law of shape 1, whose shape is fixed.
class ExponentialTail {
 public:
  explicit ExponentialTail(const LawPoint& law) : location_{law.location} {}
  [[nodiscard]] Curved hazard(double y) const {
    const double h = elementary::exp(y - location_);
    return {h, -h, 0, h, 0, 0};
  }

 private:
  double location_;
};

/// H = -ln Q(k, u), u = k age / mean, so ln u = y - location + ln k.
class GammaHazard {
 public:
  explicit GammaHazard(const LawPoint& law)
      : tail_{elementary::exp(law.log_shape)}, log_rate_{law.log_shape - law.location} {}

  [[nodiscard]] Curved hazard(double y) const {
    const double log_u = y + log_rate_;
    const double k = tail_.shape();
    const GammaTailValue t = tail_(log_u);
    const double d = t.by_log_age;
    // d/d(ln u) of D = u h is D (k - u + D); d/dk of D is D (ln u - digamma + dH/dk).
    const double twice = d * (k - elementary::exp(log_u) + d);
    const double mixed = k * d * (log_u - tail_.digamma() + t.by_shape);
    return {t.hazard,           -d,
            d + k * t.by_shape, twice,
            -(twice + mixed),   twice + 2 * mixed + k * t.by_shape + k * k * t.by_shape_twice};
  }
  [[nodiscard]] Curved hazards(std::span<const LogAge> points) const {
    Curved sum;
    for (const LogAge& point : points) sum += point.weight * hazard(point.y);
    return sum;
  }
  [[nodiscard]] const GammaTailByShape& tail() const { return tail_; }

 private:
  GammaTailByShape tail_;
  double log_rate_;
};

/// Returns ln(e^-A - e^-B) of two cumulative hazards A < B: -A + ln(1 - e^-(B - A)).
Curved log_between(const Curved& a, const Curved& b) {
  constexpr double kForever = 750;  // e^-750 is 0: nobody survives to the upper end
  if (b.value - a.value > kForever) return -1 * a;
  const Curved d{b.value - a.value, b.l - a.l, b.s - a.s, b.ll - a.ll, b.ls - a.ls, b.ss - a.ss};
  const double r = 1 / elementary::expm1(d.value);
  const double curvature = -r * (1 + r);
  // For d below ln 2, expm1 keeps the digits of 1 - e^-d; above, log1p does.
  const double log_mass = d.value < std::numbers::ln2
                              ? elementary::log(-elementary::expm1(-d.value))
                              : elementary::log1p(-elementary::exp(-d.value));
  return {log_mass - a.value,
          r * d.l - a.l,
          r * d.s - a.s,
          r * d.ll + curvature * d.l * d.l - a.ll,
          r * d.ls + curvature * d.l * d.s - a.ls,
          r * d.ss + curvature * d.s * d.s - a.ss};
}

template <class Tail>
void add_intervals(const Tail& tail, const LifetimeSample& sample, Curved& sum) {
  for (const LogInterval& interval : sample.intervals()) {
    const Curved low = std::isinf(interval.low) ? Curved{} : tail.hazard(interval.low);
    sum += interval.weight * log_between(low, tail.hazard(interval.high));
  }
}

Curved exponential_likelihood(const LawPoint& law, const LifetimeSample& sample) {
  const double risk = sample.exposure() * elementary::exp(-law.location);
  const auto failures = static_cast<double>(sample.exact());
  Curved sum{-risk - failures * law.location, risk - failures, 0, -risk, 0, 0};
  add_intervals(ExponentialTail{law}, sample, sum);
  return sum;
}

/// ln f = ln shape + z - y - H.
Curved weibull_likelihood(const LawPoint& law, const LifetimeSample& sample) {
  const WeibullTail tail{law};
  const auto n = static_cast<double>(sample.exact());
  const double z = tail.shape() * (sample.sum_y() - n * law.location);
  Curved sum{
      z + n * law.log_shape - sample.sum_y(), -n * tail.shape(), z + n, 0, -n * tail.shape(), z};
  sum += -1 * tail.hazards(sample.failure_ages());
  sum += -1 * tail.hazards(sample.survived_ages());
  add_intervals(tail, sample, sum);
  return sum;
}

/// ln f = ln shape - z^2 / 2 - ln(2 pi) / 2 - y.
Curved lognormal_likelihood(const LawPoint& law, const LifetimeSample& sample) {
  const LognormalTail tail{law};
  const auto n = static_cast<double>(sample.exact());
  const double shape = tail.shape();
  const double z = shape * (sample.sum_y() - n * law.location);
  const double zz =
      shape * shape *
      (sample.sum_yy() - 2 * law.location * sample.sum_y() + n * law.location * law.location);
  const double constant =
      n * (law.log_shape - 0.5 * elementary::log(2 * std::numbers::pi)) - sample.sum_y();
  Curved sum{constant - 0.5 * zz, shape * z, n - zz, -shape * shape * n, 2 * shape * z, -2 * zz};
  sum += -1 * tail.hazards(sample.survived_ages());
  add_intervals(tail, sample, sum);
  return sum;
}

/// ln f = k (ln k - location) + (k - 1) y - k age / mean - ln Gamma(k).
Curved gamma_likelihood(const LawPoint& law, const LifetimeSample& sample) {
  const GammaHazard tail{law};
  const GammaTailByShape& at = tail.tail();
  const auto n = static_cast<double>(sample.exact());
  const double k = at.shape();
  const double log_rate = law.log_shape - law.location;
  const double load = elementary::exp(log_rate) * sample.sum_age();
  const double slope = k * (n * (log_rate + 1 - at.digamma()) + sample.sum_y());
  Curved sum{n * (k * log_rate - at.log_gamma()) + (k - 1) * sample.sum_y() - load,
             load - n * k,
             slope - load,
             -load,
             load - n * k,
             slope + n * k - n * k * k * at.trigamma() - load};
  sum += -1 * tail.hazards(sample.survived_ages());
  add_intervals(tail, sample, sum);
  return sum;
}

}  // namespace

std::string_view name_of(LawFamily family) {
  static constexpr auto kNames =
      std::to_array<std::string_view>({"exponential", "weibull", "gamma", "lognormal"});
  return kNames[static_cast<std::size_t>(family)];
}

int free_parameters(LawFamily family) {
  return family == LawFamily::exponential ? 1 : 2;
}

Curved& Curved::operator+=(const Curved& other) {
  value += other.value;
  l += other.l;
  s += other.s;
  ll += other.ll;
  ls += other.ls;
  ss += other.ss;
  return *this;
}

Curved operator*(double factor, const Curved& x) {
  return {factor * x.value, factor * x.l,  factor * x.s,
          factor * x.ll,    factor * x.ls, factor * x.ss};
}

bool Curved::is_finite() const {
  return std::isfinite(value) && std::isfinite(l) && std::isfinite(s) && std::isfinite(ll) &&
         std::isfinite(ls) && std::isfinite(ss);
}

Curved cumulative_hazard(LawFamily family, const LawPoint& law, double y) {
  switch (family) {
    case LawFamily::exponential:
      return ExponentialTail{law}.hazard(y);
    case LawFamily::weibull:
      return WeibullTail{law}.hazard(y);
    case LawFamily::gamma:
      return GammaHazard{law}.hazard(y);
    case LawFamily::lognormal:
      return LognormalTail{law}.hazard(y);
  }
  return {};
}

Curved log_likelihood(LawFamily family, const LawPoint& law, const LifetimeSample& sample) {
  switch (family) {
    case LawFamily::exponential:
      return exponential_likelihood(law, sample);
    case LawFamily::weibull:
      return weibull_likelihood(law, sample);
    case LawFamily::gamma:
      return gamma_likelihood(law, sample);
    case LawFamily::lognormal:
      return lognormal_likelihood(law, sample);
  }
  return {};
}

}  // namespace holdfast
