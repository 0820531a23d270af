#include "holdfast/domains/moldable/adversary.hpp"

#include "holdfast/base/elementary.hpp"

#include <fmt/format.h>

#include <cmath>

namespace holdfast::moldable {
namespace {

// The largest number of jobs in a document.
constexpr double kMostJobs = 1e6;

Error wrong_size(std::int64_t found, std::string expected) {
  return {ErrorCode::usage, "/size", fmt::format("found {}, expected {}", found, expected)};
}

}  // namespace

Result<Adversary> theorem_7(std::int64_t processors, std::int64_t jobs) {
  const auto root =
      static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(processors))));
  if (processors < 4 || root * root != processors || processors > 1'000'000) {
    return fail(wrong_size(processors, "a number of processors that is a square from 4 to 10^6"));
  }
  if (jobs != 1 && jobs != processors) {
    return fail(ErrorCode::usage, "/jobs",
                fmt::format("found {}, expected 1 or as many as processors, {}", jobs, processors));
  }
  const auto s = static_cast<double>(root);
  const auto machine = static_cast<double>(processors);
  std::vector<double> times;
  for (std::int64_t p = 1; p <= processors; ++p) {
    const auto x = static_cast<double>(p);
    times.push_back(p <= root ? (s - 1) / (x + s - 2) : (machine - s) / (x * (s - 2) + machine));
  }
  Adversary out;
  out.instance.processors = processors;
  out.instance.jobs.assign(static_cast<std::size_t>(jobs), Speedup::table(std::move(times)));
  const bool is_single = jobs == 1;
  out.instance.given.assign(static_cast<std::size_t>(jobs), {is_single ? processors : 1});
  out.reference = is_single ? 1 / s : 1;
  out.bound = is_single ? 0.5 : s / 2;
  out.about = is_single ? "rules that look at one job at a time and give it at most sqrt(P)"
                        : "rules that look at one job at a time and give it more than sqrt(P)";
  return out;
}

Result<Adversary> theorem_9(std::int64_t groups) {
  if (groups < 1 || groups > 31) return fail(wrong_size(groups, "from 1 to 31 jobs"));
  Adversary out;
  out.instance.processors = groups;
  for (int j = 1; j <= static_cast<int>(groups); ++j) {
    out.instance.jobs.push_back(Speedup::roofline(std::ldexp(1.0, -j), 1));
    out.instance.failures.push_back((std::int64_t{1} << (j - 1)) - 1);
  }
  out.instance.given.assign(static_cast<std::size_t>(groups), {1});
  out.reference = 0.5;
  // Every batch except the first and the last takes 1/4.
  const auto k = static_cast<double>(groups);
  out.bound = groups == 1 ? 0.5 : 0.5 + (k - 2) / 4 + elementary::exp2(-k);
  out.about = "batches of 1, 2, 4 ... attempts";
  return out;
}

Clusters theorem_10_sizes(std::int64_t groups, double probability) {
  Clusters out;
  out.product = 1;
  const double log_q = elementary::log(probability);
  for (std::int64_t j = 1; j <= groups; ++j) {
    const double m = elementary::exp2(static_cast<double>(groups + j - 1));
    const double log_size = elementary::log(m * -log_q) - (m - 1) * log_q;
    const double size = std::ceil(elementary::exp(log_size));
    // (1 - x)^n for ln x, by logarithms, because n overflows and x underflows from K = 6 on.
    const auto none_of = [&](double log_x) {
      const double x = elementary::exp(log_x);
      const bool is_small = x < 1e-9 || std::isinf(size);
      return elementary::exp(is_small ? -elementary::exp(log_size + log_x)
                                      : size * elementary::log1p(-x));
    };
    const double certainty = none_of((2 * m - 1) * log_q) - none_of((m - 1) * log_q);
    out.sizes.push_back(size);
    out.certainty.push_back(certainty);
    out.product *= certainty;
  }
  out.ratio = static_cast<double>(groups - 1) / 4 * out.product;
  return out;
}

Result<Adversary> theorem_10(std::int64_t groups, double probability) {
  if (groups < 1 || groups > 40) return fail(wrong_size(groups, "from 1 to 40 clusters"));
  const Clusters clusters = theorem_10_sizes(groups, probability);
  double jobs = 0;
  for (const double size : clusters.sizes) jobs += size;
  Adversary out;
  if (jobs <= kMostJobs) {
    for (std::size_t j = 0; j < clusters.sizes.size(); ++j) {
      const auto count = static_cast<std::size_t>(clusters.sizes[j]);
      const Speedup job = Speedup::roofline(std::ldexp(1.0, -static_cast<int>(j + 1)), 1);
      out.instance.jobs.insert(out.instance.jobs.end(), count, job);
    }
    out.instance.processors = static_cast<std::int64_t>(out.instance.size());
    out.instance.failure_probabilities.assign(out.instance.size(), probability);
  }
  // The failures are drawn, and the optimum depends on them: in the likely case jobs of cluster j
  // fail between 2^(K+j-1) and 2^(K+j) times, which takes less than 2^K.
  out.reference = elementary::exp2(static_cast<double>(groups));
  out.bound = clusters.ratio * out.reference;
  out.about = "batches of 1, 2, 4 ... attempts, in expectation";
  return out;
}

Result<Adversary> theorem_11(std::int64_t levels, bool fixed) {
  if (levels < 1 || levels > 3) return fail(wrong_size(levels, "from 1 to 3 levels"));
  const std::int64_t groups = std::int64_t{1} << levels;
  Adversary out;
  out.instance.processors = groups << (groups - 1);
  std::vector<double> times;
  for (std::int64_t p = 1; p <= out.instance.processors; ++p) {
    times.push_back(1 / (elementary::log2(static_cast<double>(p)) + 1));
  }
  const Speedup job = Speedup::table(std::move(times));
  for (std::int64_t group = 1; group <= groups; ++group) {
    const auto count = std::size_t{1} << (groups - group);
    out.instance.jobs.insert(out.instance.jobs.end(), count, job);
    if (!fixed) continue;
    out.instance.failures.insert(out.instance.failures.end(), count, group - 1);
    out.instance.given.insert(out.instance.given.end(), count, {std::int64_t{1} << (group - 1)});
  }
  if (!fixed) out.instance.adaptive = AdaptiveFailures{groups};
  out.reference = 1;
  for (std::int64_t i = 1; i <= groups; ++i) {
    out.bound += 1 / static_cast<double>(levels + i);
  }
  out.about = "every rule that does not know the failures beforehand";
  return out;
}

}  // namespace holdfast::moldable
