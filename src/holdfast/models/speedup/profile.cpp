#include "holdfast/models/speedup/profile.hpp"

#include "holdfast/base/elementary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace holdfast {
namespace {

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace

Result<SpeedupProfile> make_profile(std::vector<std::int64_t> processors,
                                    std::vector<double> seconds) {
  if (processors.empty()) {
    return fail(ErrorCode::bad_value, "", "found no measurement, expected at least one");
  }
  std::map<std::int64_t, std::vector<double>> by_processors;
  for (std::size_t i = 0; i < processors.size(); ++i) {
    if (processors[i] < 1) {
      return fail(ErrorCode::bad_value, "",
                  fmt::format("found {} processors, expected at least 1", processors[i]));
    }
    if (!(seconds[i] > 0) || std::isinf(seconds[i])) {
      return fail(ErrorCode::bad_value, "",
                  fmt::format("found {} s on {} processors, expected a duration greater than 0",
                              seconds[i], processors[i]));
    }
    by_processors[processors[i]].push_back(seconds[i]);
  }
  SpeedupProfile out;
  for (auto& [p, times] : by_processors) {
    out.processors.push_back(p);
    out.seconds.push_back(median(std::move(times)));
  }
  return out;
}

std::vector<ProfileFlaw> profile_flaws(const SpeedupProfile& profile) {
  std::vector<ProfileFlaw> out;
  for (std::size_t i = 0; i + 1 < profile.size(); ++i) {
    const double time = profile.seconds[i + 1] / profile.seconds[i];
    const double area = time * static_cast<double>(profile.processors[i + 1]) /
                        static_cast<double>(profile.processors[i]);
    if (time > 1) out.push_back({ProfileFlaw::Kind::slower, i, time - 1});
    if (area < 1) out.push_back({ProfileFlaw::Kind::superlinear, i, area - 1});
  }
  return out;
}

std::size_t preferred_fit(const std::vector<SpeedupFit>& fits) {
  const auto cost = [](const SpeedupFit& fit) {
    const auto n = static_cast<double>(fit.residuals.size());
    const double k = fit.parameters + 1;  // the spread of the errors is also a parameter
    // An exact fit of as many points as parameters says nothing, so an error of at least 1e-6 is assumed.
    const double error = n * elementary::log(std::max(fit.rms * fit.rms, 1e-12));
    return error + 2 * k + (n - k - 1 > 0 ? 2 * k * (k + 1) / (n - k - 1) : 2 * k * (k + 1));
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < fits.size(); ++i) {
    if (cost(fits[i]) < cost(fits[best])) best = i;
  }
  return best;
}

ProfileTable profile_table(const SpeedupProfile& profile, std::int64_t processors) {
  ProfileTable out;
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(processors));
  const double first_area =
      profile.seconds.front() * static_cast<double>(profile.processors.front());
  std::size_t measured = 0;  // points at or below p
  double least = 0;
  for (std::int64_t p = 1; p <= processors; ++p) {
    if (measured < profile.size() && profile.processors[measured] == p) {
      least = measured == 0 ? profile.seconds[0] : std::min(least, profile.seconds[measured]);
      ++measured;
    }
    if (measured == 0) ++out.assumed;
    times.push_back(measured == 0 ? first_area / static_cast<double>(p) : least);
  }
  out.speedup = Speedup::table(std::move(times));
  return out;
}

}  // namespace holdfast
