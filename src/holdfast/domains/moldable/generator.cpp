#include "holdfast/domains/moldable/generator.hpp"

#include <array>
#include <cmath>

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

Speedup draw_job(Family family, Stream stream) {
  const double work = stream.uniform(5000, 4'000'000);
  switch (family) {
    case Family::roofline:
      return Speedup::roofline(work, stream.integer(100, 4000));
    case Family::communication:
      return Speedup::communication(work, draw_overhead(stream));
    case Family::amdahl:
      return Speedup::amdahl(work, draw_fraction(stream));
    case Family::power:
      return Speedup::power(work, stream.uniform());
    case Family::mix_low_com:
    case Family::mix:
      break;
  }
  const std::int64_t bound = stream.integer(100, 4000);
  const double overhead = draw_overhead(stream) * (family == Family::mix ? 3 : 1);
  return Speedup::mix(work, bound, draw_fraction(stream), overhead);
}

}  // namespace

Instance generate(const GeneratorParameters& parameters, std::uint64_t seed,
                  std::uint64_t instance) {
  Instance out;
  out.processors = parameters.processors;
  out.error_rate = parameters.error_rate;
  out.jobs.reserve(static_cast<std::size_t>(parameters.jobs));
  for (std::int64_t job = 0; job < parameters.jobs; ++job) {
    out.jobs.push_back(
        draw_job(parameters.model, Stream({.seed = seed,
                                           .purpose = Purpose::instance,
                                           .instance = instance,
                                           .entity = static_cast<std::uint64_t>(job)})));
  }
  return out;
}

}  // namespace holdfast::moldable
