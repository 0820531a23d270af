#include "holdfast/domains/checkpoint/optimum/renewal.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/math/quadrature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace holdfast::checkpoint {
namespace {

/// Steps of the renewal equation over one downtime.
constexpr std::size_t kRenewalSteps = 256;
/// The ages into which these steps are combined, as fractions of the downtime: young ages differ most. Two are enough if
/// failures in a downtime are rare.
constexpr auto kGathered = std::to_array({1.0 / 32, 1.0 / 8, 1.0 / 4, 1.0 / 2, 3.0 / 4, 1.0});
constexpr auto kGatheredRare = std::to_array({1.0 / 8, 1.0});
constexpr double kRare = 0.01;
/// Failures within a downtime are ignored if they are less likely than this.
constexpr double kNoRenewal = 1e-12;
/// The first panel of an integral that begins at age 0, where a hazard may be infinite, as a fraction of the whole.
constexpr double kFirstPanel = 0x1p-30;
/// Growth of Lambda beyond which nothing survives: exp(-45) = 3e-20.
constexpr double kNoMore = 45;

}  // namespace

RenewalFailures::RenewalFailures(const Instance& instance)
    : law_{*instance.law},
      count_{static_cast<double>(instance.processors)},
      downtime_{instance.downtime} {}

double RenewalFailures::survival(double age, double span) const {
  return elementary::exp(cumulative(age) - cumulative(age + span));
}

double RenewalFailures::time_between(double age, double begin, double end) const {
  const double now = cumulative(age);
  const auto survived = [&](double at) { return elementary::exp(now - cumulative(at)); };
  const double last = age + end;
  double at = age + begin;
  double sum = 0;
  while (at < last) {
    double to = std::min(last, at > 0 ? 2 * at : last * kFirstPanel);
    const double grown = cumulative(at);
    if (grown - now > kNoMore) break;
    if (cumulative(to) - grown > 1) to = std::max(inverse(grown + 1), at + 1e-6 * (to - at));
    to = std::min(to, last);
    sum += kGaussLegendre8.integrate(at, to, survived);
    at = to;
  }
  return sum;
}

// The distribution of the age when a downtime ends. M, the expected number of failures in a time, solves
// M(t) = F(t) + integral of F(t - s) dM(s): the sum with F taken in the middle of each step (Xie 1989).
std::vector<ReadyAge> RenewalFailures::ages_when_up() const {
  const auto failed_by = [&](double age) { return -elementary::expm1(-cumulative(age)); };
  if (failed_by(downtime_) < kNoRenewal) return {{.age = downtime_, .probability = 1}};
  const double step = downtime_ / kRenewalSteps;
  std::vector<double> middle(kRenewalSteps);
  for (std::size_t i = 0; i < kRenewalSteps; ++i)
    middle[i] = failed_by((static_cast<double>(i) + 0.5) * step);
  std::vector<double> renewals(kRenewalSteps);  // within each step
  double before = 0;
  for (std::size_t i = 0; i < kRenewalSteps; ++i) {
    double sum = failed_by(static_cast<double>(i + 1) * step) - middle[0] * before;
    for (std::size_t j = 0; j < i; ++j) sum += middle[i - j] * renewals[j];
    const double until = sum / (1 - middle[0]);
    renewals[i] = until - before;
    before = until;
  }
  std::vector<ReadyAge> out{{.age = downtime_, .probability = 1 - failed_by(downtime_)}};
  double all = out.front().probability;
  const std::span<const double> bounds =
      1 - all < kRare ? std::span<const double>(kGatheredRare) : std::span<const double>(kGathered);
  std::size_t at = kRenewalSteps;
  for (const double bound : bounds) {
    ReadyAge gathered;
    for (; at > 0; --at) {
      const double age = downtime_ - (static_cast<double>(at) - 0.5) * step;
      if (age > bound * downtime_) break;
      const double mass = renewals[at - 1] * (1 - failed_by(age));
      gathered.age += mass * age;
      gathered.probability += mass;
    }
    if (!(gathered.probability > 0)) continue;
    gathered.age /= gathered.probability;
    all += gathered.probability;
    out.push_back(gathered);
  }
  for (ReadyAge& ready : out) ready.probability /= all;
  return out;
}

Restart RenewalFailures::restart(double recovery) const {
  Restart out{.time = 0, .ages = ages_when_up()};
  double succeeds = 0;
  double attempt = downtime_;
  for (ReadyAge& ready : out.ages) {
    attempt += ready.probability * time_within(ready.age, recovery);
    ready.probability *= survival(ready.age, recovery);
    ready.age += recovery;
    succeeds += ready.probability;
  }
  for (ReadyAge& ready : out.ages) ready.probability /= succeeds;
  out.time = attempt / succeeds;
  return out;
}

double age_at_start(const Instance& instance) {
  return instance.ages.empty() ? instance.platform_age : instance.ages.front().age;
}

Status check_renewal(const Instance& instance) {
  if (!instance.law) {
    return fail(ErrorCode::bad_value, "/failures",
                "found no law ('distribution' or 'mtbf'), which an expectation needs");
  }
  if (std::isinf(instance.work)) {
    return fail(ErrorCode::bad_value, "/work", "is missing: only a job with an end has a makespan");
  }
  if (instance.local.exists()) {
    return fail(ErrorCode::bad_value, "/local_checkpoint",
                "is given, expected none: the optimum is known for jobs of one level");
  }
  if (instance.late.exist()) {
    return fail(ErrorCode::bad_value, instance.late.flush > 0 ? "/flush" : "/save_failure",
                "is given, expected none: the optimum is known for checkpoints that are safe when "
                "they end");
  }
  if (instance.processors > 1 && instance.rejuvenation != Rejuvenation::all &&
      instance.law->name() != "exponential") {
    return fail(
        ErrorCode::bad_value, "/rejuvenation",
        fmt::format("found 'failed' with {} processors that age separately, expected 'all', "
                    "one processor or exponential failures: the optimum is known where the age "
                    "of the job is one number",
                    instance.processors));
  }
  return {};
}

}  // namespace holdfast::checkpoint
