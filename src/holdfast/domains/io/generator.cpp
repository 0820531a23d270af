#include "holdfast/domains/io/generator.hpp"

#include "holdfast/base/units.hpp"
#include "holdfast/domains/io/dedicated.hpp"
#include "holdfast/kernel/samplers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace holdfast::io {
namespace {

constexpr double kShortest = 2;  // seconds: shorter iterations are drawn again
constexpr double kMeans[] = {1e3, 1e4, 1e5};

double mean_of(const GeneratorParameters& p, std::int64_t i) {
  if (i < p.small) return kMeans[0];
  return i < p.small + p.applications / 3 ? kMeans[1] : kMeans[2];
}

std::vector<Phase> draw_phases(const GeneratorParameters& p, Stream& stream, double iteration,
                               double fraction) {
  const auto noisy = [&](double mean) { return mean * (1 + stream.uniform(-p.noise, p.noise)); };
  const auto count = static_cast<std::size_t>(std::ceil(p.length / iteration));
  std::vector<Phase> phases;
  phases.reserve(2 * count + 1);
  phases.push_back({Phase::Kind::work, stream.uniform(0, iteration)});
  for (std::size_t k = 0; k < count; ++k) {
    const auto work = [&] {
      phases.push_back({Phase::Kind::work, noisy((1 - fraction) * iteration)});
    };
    if (p.work_first) work();
    phases.push_back({Phase::Kind::io, noisy(fraction * iteration)});
    if (!p.work_first) work();
  }
  return phases;
}

std::vector<std::uint32_t> order_of(const std::vector<double>& keys) {
  std::vector<std::uint32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&keys](std::uint32_t a, std::uint32_t b) {
    return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
  });
  return order;
}

}  // namespace

Result<Instance> generate(const GeneratorParameters& p, const StreamKey& key, double most_phases) {
  Instance instance{.bandwidth = 1, .reading = p.reading};
  std::vector<Stream> streams;
  std::vector<double> fractions, iterations;
  double sum = 0;
  for (std::int64_t i = 0; i < p.applications; ++i) {
    StreamKey own = key;
    own.purpose = Purpose::instance;
    own.entity = static_cast<std::uint64_t>(i);
    streams.emplace_back(own);
    fractions.push_back(streams.back().uniform());
    sum += fractions.back();
  }
  double shortest = std::numeric_limits<double>::infinity();
  double phases = 0;
  for (std::int64_t i = 0; i < p.applications; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double fraction = fractions[at] * p.load / sum;
    if (!(fraction < 1)) {
      return fail(ErrorCode::bad_value, "/load",
                  fmt::format("found {}, with which one of {} applications would do nothing but "
                              "I/O",
                              p.load, p.applications));
    }
    const double mean = mean_of(p, i);
    const double iteration =
        p.spread == 0 ? mean
                      : sample_truncated_normal(streams[at], mean, p.spread * mean, kShortest,
                                                std::numeric_limits<double>::infinity());
    iterations.push_back(iteration);
    phases += 2 * std::ceil(p.length / iteration) + 1;
    if (phases > most_phases) {
      return fail(ErrorCode::bad_value, "/length",
                  fmt::format("found {}, in which {} applications have more than {} phases; "
                              "expected a shorter one",
                              format_duration(p.length), p.applications, most_phases));
    }
    Application application{.id = std::to_string(i),
                            .nodes = 1,
                            .bandwidth = 1,
                            .release = 0,
                            .progress = 0,
                            .phases = {},
                            .repeat = false};
    application.phases = draw_phases(p, streams[at], iteration, fraction);
    double total = 0;
    for (const Phase& phase : application.phases) total += phase.amount;
    shortest = std::min(shortest, total);
    instance.applications.push_back(std::move(application));
  }
  instance.end = shortest;
  if (p.ranks) {
    instance.by_iteration = order_of(iterations);
    instance.by_fraction = order_of(fractions);
  }
  return instance;
}

}  // namespace holdfast::io
