#include "holdfast/domains/capacity/tariff.hpp"

#include "holdfast/math/sum.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

namespace holdfast::capacity {
namespace {

/// Seconds of machines at one rate.
struct Offer {
  double per_hour = 0;
  double seconds = 0;
  double share = 1;  ///< cores of the machine, divided by those of the largest
};

// Calls take(begin, end, per_hour) for each part of [begin, end) with one rate, in order of time.
template <class Take>
void each_part(std::span<const Rate> rates, std::int64_t begin, std::int64_t end,
               const Take& take) {
  auto next = std::ranges::upper_bound(rates, begin, {}, &Rate::time);
  while (begin < end) {
    const Rate& rate = next == rates.begin() ? *next : *std::prev(next);
    const std::int64_t until = next == rates.end() ? end : std::min(end, next->time);
    if (until > begin) take(begin, until, rate.per_hour);
    begin = std::max(begin, until);
    if (next != rates.end()) ++next;
  }
}

double busy_cost(std::span<const Rate> rates, std::span<const Execution> log) {
  std::vector<Execution> runs(log.begin(), log.end());
  std::ranges::sort(runs, {},
                    [](const Execution& run) { return std::tuple(run.machine, run.start); });
  CompensatedSum sum;
  std::int64_t machine = -1;
  std::int64_t until = 0;  // what is before it on this machine has been counted
  for (const Execution& run : runs) {
    if (run.machine != machine) until = run.start;
    machine = run.machine;
    const std::int64_t from = std::max(until, run.start);
    if (run.end > from) sum.add(cost_of(rates, from, run.end));
    until = std::max(until, run.end);
  }
  return sum.value();
}

// What all machines cost while they are powered; one that goes off is powered until it has shut down.
double powered_cost(const Instance& instance, std::span<const Rate> rates) {
  CompensatedSum sum;
  std::int64_t before = 0;
  for (const AliveSpan& span : instance.powered_spans()) {
    sum.add(static_cast<double>(span.machines) * cost_of(rates, span.begin, span.end));
    if (const std::int64_t off = before - span.machines; off > 0) {
      const std::int64_t end = std::min(instance.end, span.begin + instance.shutdown);
      sum.add(static_cast<double>(off) * cost_of(rates, span.begin, end));
    }
    before = span.machines;
  }
  return sum.value();
}

double least_cost(const Instance& instance, std::span<const Rate> rates, std::int64_t useful) {
  std::vector<Offer> offers;
  std::vector<MachineSize> sizes = instance.sizes;
  if (sizes.empty()) sizes = {{instance.machines, instance.cores}};
  for (const AliveSpan& span : instance.alive_spans()) {
    std::int64_t left = span.machines;
    for (const MachineSize& size : sizes) {
      const std::int64_t machines = std::min(left, size.machines);
      left -= machines;
      const double part = static_cast<double>(size.cores) / static_cast<double>(instance.cores);
      each_part(rates, span.begin, span.end,
                [&](std::int64_t begin, std::int64_t end, double per_hour) {
                  offers.push_back({per_hour, static_cast<double>(machines * (end - begin)), part});
                });
    }
  }
  std::ranges::sort(offers, {}, [](const Offer& offer) { return offer.per_hour / offer.share; });
  double needed = static_cast<double>(useful) / static_cast<double>(instance.cores);
  CompensatedSum sum;
  for (const Offer& offer : offers) {
    const double taken =
        offer.per_hour < 0 ? offer.seconds : std::clamp(needed / offer.share, 0.0, offer.seconds);
    sum.add(taken / kHour * offer.per_hour);
    needed -= taken * offer.share;
  }
  return sum.value();
}

}  // namespace

double rate_at(std::span<const Rate> rates, std::int64_t time) {
  const auto after = std::ranges::upper_bound(rates, time, {}, &Rate::time);
  return after == rates.begin() ? rates.front().per_hour : std::prev(after)->per_hour;
}

double cost_of(std::span<const Rate> rates, std::int64_t begin, std::int64_t end) {
  CompensatedSum sum;
  each_part(rates, begin, end, [&](std::int64_t from, std::int64_t to, double per_hour) {
    sum.add(static_cast<double>(to - from) / kHour * per_hour);
  });
  return sum.value();
}

double median_rate(std::span<const Rate> rates, const Instance& instance) {
  std::vector<Offer> parts;
  each_part(rates, instance.begin, instance.end,
            [&](std::int64_t from, std::int64_t to, double per_hour) {
              parts.push_back({.per_hour = per_hour, .seconds = static_cast<double>(to - from)});
            });
  std::ranges::sort(parts, {}, &Offer::per_hour);
  double left = static_cast<double>(instance.end - instance.begin) / 2;
  for (const Offer& part : parts) {
    left -= part.seconds;
    if (left <= 0) return part.per_hour;
  }
  return parts.back().per_hour;
}

Bill bill_of(const Instance& instance, std::span<const Rate> rates, std::span<const Execution> log,
             std::int64_t useful) {
  const double busy = busy_cost(rates, log);
  return {.busy = busy,
          .idle = powered_cost(instance, rates) - busy,
          .least = least_cost(instance, rates, useful)};
}

}  // namespace holdfast::capacity
