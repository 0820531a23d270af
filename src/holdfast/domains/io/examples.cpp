#include "holdfast/domains/io/examples.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

namespace holdfast::io {
namespace {

constexpr auto kNames = std::to_array<std::string_view>({"example-1", "example-1b", "example-2a",
                                                         "example-2b", "example-3", "example-4",
                                                         "example-5", "example-5r", "example-6"});

Instance window(double begin, double end) {
  return {.bandwidth = 1,
          .begin = begin,
          .end = end,
          .applications = {},
          .reading = {},
          .allow_completion = false,
          .given = {}};
}

void add(Instance& instance, double release, double progress, std::vector<Phase> phases,
         bool repeat = false) {
  instance.applications.push_back({.id = std::to_string(instance.applications.size() + 1),
                                   .nodes = 1,
                                   .bandwidth = 1,
                                   .release = release,
                                   .progress = progress,
                                   .phases = std::move(phases),
                                   .repeat = repeat});
}

// Gives the whole bandwidth to one application from `time` on.
void serve(Instance& instance, double time, std::size_t application) {
  std::vector<double> rates(instance.applications.size(), 0);
  rates[application] = 1;
  instance.given.push_back({time, std::move(rates)});
}

// m - 1 old applications and a fresh one; sharing equally leaves the fresh one at 1/m.
Example example_1(std::int64_t m, double) {
  constexpr double kAge = 100;
  Example out{.metric = "minimum_yield", .instance = window(kAge, kAge + 1)};
  for (std::int64_t i = 1; i < m; ++i) add(out.instance, 0, kAge, {{Phase::Kind::io, 1}});
  add(out.instance, kAge, 0, {{Phase::Kind::io, 1}});
  serve(out.instance, kAge, out.instance.applications.size() - 1);
  out.reference = kAge / (kAge + 1);
  out.bound = static_cast<double>(m) * out.reference;
  return out;
}

// The same without history: K blocks of K applications, one slot apart, and one application with a long operation.
Example example_1b(std::int64_t k, double) {
  const auto slots = static_cast<double>(k);
  Example out{.metric = "minimum_yield", .instance = window(0, slots)};
  for (std::int64_t block = 0; block < k; ++block) {
    for (std::int64_t i = 0; i < k; ++i) {
      add(out.instance, 0, 0,
          {{Phase::Kind::work, static_cast<double>(block)},
           {Phase::Kind::io, 1 / (slots + 1)},
           {Phase::Kind::work, slots}});
    }
  }
  add(out.instance, 0, 0, {{Phase::Kind::io, 1}, {Phase::Kind::work, slots}});
  serve(out.instance, 0, out.instance.applications.size() - 1);
  for (std::int64_t block = 0; block + 1 < k; ++block) {
    for (std::int64_t i = 0; i < k; ++i) {
      serve(out.instance, static_cast<double>(block + 1) + static_cast<double>(i) / (slots + 1),
            static_cast<std::size_t>(block * k + i));
    }
  }
  out.reference = (slots - 2) / slots;
  out.bound = out.reference * (slots + 1);
  return out;
}

// Half of the applications have more to transfer after short work: if they are served first, no application has work.
Example example_2(std::int64_t m, double epsilon, bool short_first) {
  const double half = static_cast<double>(m) / 2;
  Example out{.metric = "efficiency", .instance = window(0, 1)};
  for (const bool is_short : {short_first, !short_first}) {
    for (std::int64_t i = 0; i < m / 2; ++i) {
      if (is_short) {
        add(out.instance, 0, 0,
            {{Phase::Kind::io, 1 / half},
             {Phase::Kind::work, epsilon / (half - 1)},
             {Phase::Kind::io, 1}});
      } else {
        add(out.instance, 0, 0, {{Phase::Kind::io, 1 / half}, {Phase::Kind::work, 1}});
      }
    }
  }
  for (std::int64_t i = 0; i < m / 2; ++i) {
    serve(out.instance, static_cast<double>(i) / half,
          static_cast<std::size_t>(short_first ? m / 2 + i : i));
  }
  out.reference = (half + 1) / static_cast<double>(2 * m);
  out.bound = out.reference * static_cast<double>(m) / (1 + epsilon);
  return out;
}
Example example_2a(std::int64_t m, double epsilon) {
  return example_2(m, epsilon, false);
}
Example example_2b(std::int64_t m, double epsilon) {
  return example_2(m, epsilon, true);
}

// One starved application with a long operation holds up m - 1 short ones.
Example example_3(std::int64_t m, double epsilon) {
  const double volume = epsilon / static_cast<double>(m);
  Example out{.metric = "efficiency", .instance = window(1, 2)};
  add(out.instance, 0, 0, {{Phase::Kind::io, 1}});
  for (std::int64_t i = 1; i < m; ++i)
    add(out.instance, 0, 1, {{Phase::Kind::io, volume}, {Phase::Kind::work, 1}});
  for (std::int64_t i = 1; i < m; ++i) {
    serve(out.instance, 1 + static_cast<double>(i - 1) * volume, static_cast<std::size_t>(i));
  }
  serve(out.instance, 1 + static_cast<double>(m - 1) * volume, 0);
  out.reference = 1 - epsilon;
  out.bound = static_cast<double>(m) * (1 - epsilon);
  return out;
}

// Periodic applications that fit one after the other; deciding too often makes them all advance together.
Example example_4(std::int64_t m, double) {
  const auto count = static_cast<double>(m);
  const double rounds = 4 * count;
  Example out{.metric = "minimum_yield", .instance = window(0, rounds)};
  for (std::int64_t i = 0; i < m; ++i) {
    add(out.instance, 0, 0,
        {{Phase::Kind::io, 1 / count}, {Phase::Kind::work, (count - 1) / count}}, true);
  }
  for (std::int64_t k = 0; k < 4 * m * m; ++k) {
    serve(out.instance, static_cast<double>(k) / count, static_cast<std::size_t>(k % m));
  }
  out.reference = (rounds - 1) / rounds;
  out.bound = 2 - 1 / count;
  return out;
}

// In index order the second operations never collide; in the other order they all do.
Example example_5(std::int64_t m, double, bool reversed) {
  const auto count = static_cast<double>(m);
  Example out{.metric = "minimum_yield", .instance = window(0, 4 * count - 1)};
  for (std::int64_t k = 1; k <= m; ++k) {
    const auto i = static_cast<double>(reversed ? m + 1 - k : k);
    add(out.instance, 0, 0,
        {{Phase::Kind::io, 1},
         {Phase::Kind::work, count - 2 + i},
         {Phase::Kind::io, 2},
         {Phase::Kind::work, 3 * count}});
  }
  const auto place = [&](std::int64_t i) {
    return static_cast<std::size_t>(reversed ? m - i : i - 1);
  };
  for (std::int64_t i = 1; i <= m; ++i) {
    serve(out.instance, static_cast<double>(i - 1), place(i));
  }
  for (std::int64_t i = 1; i <= m; ++i) {
    serve(out.instance, count - 2 + 2 * static_cast<double>(i), place(i));
  }
  out.reference = 3 * count / (4 * count - 1);
  out.bound = 3 * count / (2 * count + 1);
  return out;
}
Example example_5_in_order(std::int64_t m, double epsilon) {
  return example_5(m, epsilon, false);
}
Example example_5_reversed(std::int64_t m, double epsilon) {
  return example_5(m, epsilon, true);
}

// A small periodic application always has the next event, and long operations starve.
Example example_6(std::int64_t m, double epsilon) {
  const auto count = static_cast<double>(m);
  const double end = count * count / 2 - 2 * count + 2;
  Example out{.metric = "minimum_yield", .instance = window(count, end)};
  add(out.instance, 0, count,
      {{Phase::Kind::io, 1 / count}, {Phase::Kind::work, epsilon / (count * count * count)}}, true);
  for (std::int64_t i = 1; i < m; ++i) {
    add(out.instance, 0, count,
        {{Phase::Kind::io, 1 + epsilon}, {Phase::Kind::work, count * count}});
  }
  for (std::int64_t i = 1; i < m; ++i) {
    serve(out.instance, count + static_cast<double>(i - 1) * (1 + epsilon),
          static_cast<std::size_t>(i));
  }
  serve(out.instance, count + (count - 1) * (1 + epsilon), 0);
  out.reference = (end - count - (count - 1) * (1 + epsilon) + count) / end;
  out.bound = count / 2 - 4;
  return out;
}

struct Row {
  Example (*make)(std::int64_t, double);
  std::int64_t smallest;
  bool even;
  double largest_epsilon;  // at size m
};

}  // namespace

std::span<const std::string_view> example_names() {
  return kNames;
}

Result<Example> make_example(std::string_view name, std::int64_t size, double epsilon) {
  constexpr Row kRows[] = {{example_1, 2, false, 1},          {example_1b, 2, false, 1},
                           {example_2a, 4, true, 1},          {example_2b, 4, true, 1},
                           {example_3, 2, false, 1},          {example_4, 2, false, 1},
                           {example_5_in_order, 2, false, 1}, {example_5_reversed, 2, false, 1},
                           {example_6, 11, false, 0}};
  const auto* found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) {
    return fail(ErrorCode::usage, "family",
                fmt::format("unknown example {}; {}", in_quotes(name), suggestion(name, kNames)));
  }
  const Row& row = kRows[found - kNames.begin()];
  constexpr std::int64_t kLargest = 1'000'000;
  if (size < row.smallest || size > kLargest || (row.even && size % 2 != 0)) {
    return fail(ErrorCode::bad_value, "/size",
                fmt::format("found {}, expected {} number from {}", size,
                            row.even ? "an even" : "a", row.smallest));
  }
  const double largest =
      row.largest_epsilon > 0 ? row.largest_epsilon : 1 / static_cast<double>(size);
  if (!(epsilon > 0 && epsilon < largest)) {
    return fail(ErrorCode::bad_value, "/epsilon",
                fmt::format("found {}, expected a number between 0 and {}", to_text(epsilon),
                            to_text(largest)));
  }
  Example out = row.make(size, epsilon);
  out.name = *found;
  return out;
}

}  // namespace holdfast::io
