// Real profiles: what they are known to contain is found.
#include "holdfast/base/file.hpp"
#include "holdfast/models/speedup/profile.hpp"
#include "holdfast/traces/speedup/speedup_runs.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace holdfast::moldable {
namespace {

std::filesystem::path data_folder() {
  const char* given = std::getenv("HOLDFAST_DATA");
  return std::filesystem::path(given != nullptr ? given : "../shared/data") / "speedup";
}

struct Count {
  std::size_t series = 0, steps = 0, slower = 0, superlinear = 0;
};

Count count(const std::string& file) {
  auto source = open_input(data_folder() / file);
  REQUIRE(source.has_value());
  const auto all = read_speedup_runs(LineReader(std::move(*source), file));
  REQUIRE(all.has_value());
  Count out;
  for (const SpeedupRuns& runs : *all) {
    const auto profile = make_profile(runs.processors, runs.seconds);
    REQUIRE(profile.has_value());
    ++out.series;
    out.steps += profile->size() - 1;
    for (const ProfileFlaw& flaw : profile_flaws(*profile)) {
      ++(flaw.kind == ProfileFlaw::Kind::slower ? out.slower : out.superlinear);
    }
    for (const SpeedupFit& fit : fit_speedups(*profile)) {
      CAPTURE(runs.name);
      CHECK(fit.rms < 1);  // even a wrong model is nearer than nothing
    }
  }
  return out;
}

}  // namespace

TEST_CASE("fit: measured profiles, and the steps on which they are not monotone") {
  if (!std::filesystem::exists(data_folder())) {
    MESSAGE("skipped: no folder " << data_folder().string());
    return;
  }
  const Count nas = count("nas-grid5000.csv");
  CHECK(nas.series == 8);
  CHECK(nas.slower == 1);
  CHECK(nas.superlinear == 1);
  const Count climate = count("e3sm-v1-atmosphere.csv");
  CHECK(climate.series == 10);
  CHECK(climate.steps == 130);
  CHECK(climate.slower == 35);
  CHECK(climate.superlinear == 34);
  CHECK(count("vlasiator-mahti-heavy.dat").series == 4);
}

}  // namespace holdfast::moldable
