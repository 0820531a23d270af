#include "holdfast/domains/capacity/generator.hpp"

#include "holdfast/base/elementary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace holdfast::capacity {
namespace {

constexpr std::int64_t kThreeWeeks = std::int64_t{3} * 604800;

std::int64_t draw_cores(Stream& stream) {
  const double u = 6 * stream.uniform();  // 1, 2, 4, 8 with probability 1/6, 1/3, 1/3, 1/6
  return u < 1 ? 1 : u < 3 ? 2 : u < 5 ? 4 : 8;
}

std::int64_t draw_class(Stream& stream, std::span<const double> weights) {
  double u = stream.uniform() * std::accumulate(weights.begin(), weights.end(), 0.0);
  std::int64_t k = 0;
  while (k + 1 < static_cast<std::int64_t>(weights.size()) &&
         u >= weights[static_cast<std::size_t>(k)]) {
    u -= weights[static_cast<std::size_t>(k++)];
  }
  return k;
}

constexpr std::array<double, 3> kThreeTypes = {9, 3, 1};

double length_by_text(Family family, double mean, Stream& stream) {
  switch (family) {
    case Family::uniform:
      return 2 * mean * stream.uniform();
    case Family::three_types:
      return mean / 27 * 13 *
             elementary::pow(3.0, static_cast<double>(draw_class(stream, kThreeTypes)));
    case Family::log_scale:
    case Family::log_scale_u:
      break;
  }
  const bool equal = family == Family::log_scale_u;
  const std::array<double, 4> weights =
      equal ? std::array<double, 4>{1, 1, 1, 1} : std::array<double, 4>{4, 1, 1, 1};
  const double unit = equal ? mean / 117 : mean * 7 / 477;
  const double low = unit * elementary::pow(5.0, static_cast<double>(draw_class(stream, weights)));
  return stream.uniform(low, 5 * low);
}

double length_by_author(Family family, double mean, Stream& stream) {
  const auto whole = static_cast<std::int64_t>(mean);
  switch (family) {
    case Family::uniform:
      return static_cast<double>(stream.integer(1, 2 * whole));
    case Family::three_types: {
      const double base = std::floor(13 * mean / 27);
      const double type =
          elementary::pow(3.0, static_cast<double>(draw_class(stream, kThreeTypes)));
      return base * type * (1 + stream.uniform(-0.05, 0.05));
    }
    case Family::log_scale:
    case Family::log_scale_u:
      break;
  }
  const bool equal = family == Family::log_scale_u;
  const std::array<double, 4> weights =
      equal ? std::array<double, 4>{1, 1, 1, 1} : std::array<double, 4>{64, 16, 4, 1};
  auto low = std::int64_t{100};
  for (std::int64_t k = draw_class(stream, weights); k > 0; --k) low *= 5;
  return static_cast<double>(stream.integer(low, 5 * low)) * mean / (equal ? 19120 : 1300);
}

std::int64_t author_interval(const GeneratorParameters& p) {
  return kThreeWeeks / (3 * p.jobs);
}

}  // namespace

double mean_length(const GeneratorParameters& p) {
  if (p.profile == Profile::author) {
    const std::int64_t count = kThreeWeeks / author_interval(p);
    return std::floor(static_cast<double>(kThreeWeeks) * 725 / (4 * static_cast<double>(count)));
  }
  return 26.0 * 24.0 * static_cast<double>(p.end) / (3.5 * static_cast<double>(p.jobs));
}

std::vector<Step> resource_walk(const GeneratorParameters& p, Stream stream) {
  const std::int64_t low = p.mean_machines - p.machine_range,
                     high = p.mean_machines + p.machine_range;
  const std::int64_t step = p.walk_step.value_or(p.machine_range / 4);
  std::vector<Step> steps = {{0, p.mean_machines}};
  std::int64_t machines = p.mean_machines;
  for (std::int64_t time = p.period; time <= p.end; time += p.period) {
    if (p.profile == Profile::author) {
      machines = std::clamp(machines + (stream.chance(0.5) ? step : -step), low, high);
    } else if (machines + step > high) {
      machines -= stream.chance(0.5) ? step : 0;
    } else if (machines - step < low) {
      machines += stream.chance(0.5) ? step : 0;
    } else {
      machines += step * stream.integer(-1, 1);
    }
    if (machines != steps.back().machines) steps.push_back({time, machines});
  }
  return steps;
}

std::vector<Job> synthetic_jobs(const GeneratorParameters& p, Stream stream) {
  const bool author = p.profile == Profile::author;
  const double mean = mean_length(p);
  const std::int64_t interval = author ? author_interval(p) : 0;
  std::vector<Job> jobs;
  for (std::int64_t i = 0;; ++i) {
    const std::int64_t release = author ? interval * (i + 1) : i * p.end / p.jobs;
    if (author ? release >= kThreeWeeks : i >= p.jobs) return jobs;
    const std::int64_t cores = draw_cores(stream);
    const double length = author ? length_by_author(p.family, mean, stream)
                                 : std::round(length_by_text(p.family, mean, stream));
    jobs.push_back({.id = fmt::format("{}", i),
                    .release = release,
                    .cores = cores,
                    .length = std::max<std::int64_t>(1, static_cast<std::int64_t>(length))});
  }
}

std::vector<Step> generate_walk(const GeneratorParameters& p, std::uint64_t seed,
                                std::uint64_t index, std::uint64_t scenario) {
  return resource_walk(
      p,
      Stream(
          {.seed = seed, .purpose = Purpose::failures, .instance = index, .scenario = scenario}));
}

Instance generate(const GeneratorParameters& p, std::uint64_t seed, std::uint64_t index,
                  std::uint64_t scenario) {
  const auto jobs = [&](std::uint64_t entity) {
    return synthetic_jobs(
        p,
        Stream({.seed = seed, .purpose = Purpose::instance, .instance = index, .entity = entity}));
  };
  Instance instance;
  instance.machines = p.mean_machines + p.machine_range;
  instance.safe_machines = p.mean_machines - p.machine_range;
  instance.cores = p.cores;
  instance.begin = p.begin;
  instance.end = p.end;
  instance.profile = p.profile;
  instance.jobs = jobs(0);
  instance.alive = generate_walk(p, seed, index, scenario);
  if (p.profile == Profile::author) {
    for (const Job& job : jobs(1)) {
      instance.reference.push_back({job.length, job.cores});
    }
  }
  return instance;
}

Result<Instance> three_partition(std::span<const std::int64_t> numbers, std::int64_t gap) {
  const auto count = static_cast<std::int64_t>(numbers.size() / 3);
  const std::int64_t sum = std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0});
  if (numbers.empty() || numbers.size() % 3 != 0 || sum % count != 0) {
    return fail(
        ErrorCode::bad_value, "/numbers",
        fmt::format("found {} numbers of sum {}, expected 3n numbers whose sum is a multiple of n",
                    numbers.size(), sum));
  }
  const std::int64_t target = sum / count;
  Instance instance;
  instance.machines = count;
  instance.cores = 1;
  instance.begin = 0;
  instance.alive = {{0, count}, {target, 0}, {target + gap * target, count}};
  instance.end = (3 + gap) * target;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (4 * numbers[i] <= target || 2 * numbers[i] >= target) {
      return fail(ErrorCode::bad_value, "/numbers",
                  fmt::format("found {}, expected numbers between {} and {}", numbers[i],
                              static_cast<double>(target) / 4, static_cast<double>(target) / 2));
    }
    instance.jobs.push_back({.id = fmt::format("{}", i), .length = numbers[i]});
  }
  return instance;
}

std::vector<PlantedNumber> partition_numbers(std::int64_t triplets, Stream stream) {
  std::vector<PlantedNumber> numbers = planted_numbers(triplets, stream);
  for (std::size_t k = numbers.size(); k > 1; --k) {
    std::swap(
        numbers[k - 1],
        numbers[static_cast<std::size_t>(stream.integer(0, static_cast<std::int64_t>(k) - 1))]);
  }
  return numbers;
}

void place_triplets(std::span<const PlantedNumber> numbers, Instance& instance) {
  std::vector<std::int64_t> free_from(static_cast<std::size_t>(instance.machines), 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::int64_t& start = free_from[static_cast<std::size_t>(numbers[i].triplet)];
    instance.given.push_back({.job = i, .machine = numbers[i].triplet, .start = start});
    start += numbers[i].value;
  }
}

}  // namespace holdfast::capacity
