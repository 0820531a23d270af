#include "holdfast/domains/moldable/generator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace holdfast::moldable {
namespace {

double draw_overhead(Stream& stream) {
  const double factor = stream.uniform(1, 2);
  return std::ldexp(factor, static_cast<int>(stream.integer(0, 3)));
}

double draw_fraction(Stream& stream) {
  constexpr auto kTenths = std::to_array<double>({1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7});
  const double factor = stream.uniform(0, 10);
  return factor * kTenths[static_cast<std::size_t>(stream.integer(0, 5))];
}

Speedup draw_job(const GeneratorParameters& parameters, Stream stream) {
  const Family family = parameters.model;
  const double work = stream.uniform(5000, 4'000'000);
  const auto fraction = [&] {
    const double drawn = draw_fraction(stream);
    return parameters.sequential_fraction.value_or(drawn);
  };
  switch (family) {
    case Family::roofline:
      return Speedup::roofline(work, stream.integer(100, 4000));
    case Family::communication:
      return Speedup::communication(work, draw_overhead(stream));
    case Family::amdahl:
      return Speedup::amdahl(work, fraction());
    case Family::power:
      return Speedup::power(work, stream.uniform());
    case Family::mix_low_com:
    case Family::mix:
      break;
  }
  const std::int64_t bound = stream.integer(100, 4000);
  const double overhead = draw_overhead(stream) * (family == Family::mix ? 3 : 1);
  return Speedup::mix(work, bound, fraction(), overhead);
}

}  // namespace

std::int64_t jobs_of(const GeneratorParameters& parameters) {
  if (parameters.log == nullptr) return parameters.jobs;
  return std::min(parameters.jobs, std::int64_t{std::ssize(parameters.log->jobs)});
}

Instance generate(const GeneratorParameters& parameters, std::uint64_t seed,
                  std::uint64_t instance) {
  Instance out;
  out.processors = parameters.processors;
  out.error_model = parameters.error_model;
  out.error_rate = parameters.error_rate;
  out.checkpoint = parameters.checkpoint;
  out.recovery = parameters.recovery;
  const auto stream_of = [&](std::uint64_t entity) {
    return Stream(
        {.seed = seed, .purpose = Purpose::instance, .instance = instance, .entity = entity});
  };
  const std::int64_t count = jobs_of(parameters);
  out.jobs.reserve(static_cast<std::size_t>(count));
  LoggedSizes logged;
  if (parameters.log != nullptr) {
    logged =
        drawn_from(*parameters.log, count, stream_of(std::numeric_limits<std::uint64_t>::max()));
    out.releases = logged.releases;
  }
  for (std::int64_t job = 0; job < count; ++job) {
    Speedup speedup = parameters.speedup
                          ? *parameters.speedup
                          : draw_job(parameters, stream_of(static_cast<std::uint64_t>(job)));
    if (parameters.log != nullptr) {
      const LoggedSize& size = logged.jobs[static_cast<std::size_t>(job)];
      speedup = stretched(speedup, size);
      out.given.push_back({std::min(size.processors, speedup.limit(parameters.processors))});
    }
    out.jobs.push_back(std::move(speedup));
  }
  return out;
}

}  // namespace holdfast::moldable
