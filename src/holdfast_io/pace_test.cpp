#include <doctest/doctest.h>
#include <pace.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>

namespace {

hf_pace fresh(double now = 0) {
  hf_pace out;
  hf_pace_reset(&out, now);
  return out;
}

struct Row {
  std::uint64_t rate;
  std::uint64_t chunk;
  double capacity;
};

}  // namespace

TEST_CASE("chunks and capacities are those of the specification") {
  const Row kRows[] = {
      {1'000'000, 65'536, 65'536},        {10'000'000, 262'144, 500'000},
      {50'000'000, 2'097'152, 2'500'000}, {200'000'000, 8'388'608, 1e7},
      {1'000'000'000, 16'777'216, 5e7},
  };
  for (const Row& row : kRows) {
    CHECK(hf_pace_chunk(row.rate) == row.chunk);
    CHECK(hf_pace_capacity(row.rate) == doctest::Approx(row.capacity).epsilon(1e-12));
  }
}

TEST_CASE("a piece leaves room for an overslept one") {
  CHECK(hf_pace_piece(1'000'000) == 32'768);
  CHECK(hf_pace_piece(10'000'000) == 249'856);  // whole pages
  CHECK(hf_pace_piece(50'000'000) == 1'249'280);
  CHECK(hf_pace_piece(1'000'000'000) == 16'777'216);
}

TEST_CASE("nothing is paced before an arbiter has spoken") {
  hf_pace pace = fresh();
  CHECK(hf_pace_rate(&pace, 5) == HF_PACE_UNLIMITED);
  CHECK(hf_pace_delay(&pace, 1 << 30, 5) == 0);
}

TEST_CASE("a lease that is not renewed becomes the floor, and then no limit") {
  hf_pace pace = fresh();
  hf_pace_grant(&pace, 50'000'000, 10'000'000, 10, 0);
  CHECK(hf_pace_rate(&pace, 9.999) == 50'000'000);
  CHECK(hf_pace_rate(&pace, 10) == 10'000'000);
  CHECK(hf_pace_rate(&pace, 309.999) == 10'000'000);
  CHECK(hf_pace_rate(&pace, 310) == HF_PACE_UNLIMITED);
  CHECK(hf_pace_delay(&pace, 1, 310) == 0);
}

TEST_CASE("a pause lasts until the lease ends, however often it is renewed") {
  hf_pace pace = fresh();
  hf_pace_grant(&pace, 0, 10'000'000, 10, 0);
  CHECK(hf_pace_delay(&pace, 1, 0) == 10);
  CHECK(hf_pace_delay(&pace, 65'536, 10) == doctest::Approx(0.0065536));
  // A server that says "pause" for ever.
  hf_pace liar = fresh();
  double now = 0;
  while (now < 119) {
    hf_pace_grant(&liar, 0, 10'000'000, 1e9, now);
    CHECK(hf_pace_rate(&liar, now) == 0);
    now += 3;
  }
  hf_pace_grant(&liar, 0, 10'000'000, 10, 120);
  CHECK(hf_pace_rate(&liar, 120) == 10'000'000);
  // And one that grants next to nothing, or a floor of nothing.
  hf_pace_grant(&liar, 1, 0, 10, 130);
  CHECK(hf_pace_rate(&liar, 131) == 4096);
  CHECK(hf_pace_rate(&liar, 141) == 4096);
}

TEST_CASE("no floor is slower than the slowest rate, whoever says it") {
  hf_pace pace = fresh();
  hf_pace_grant(&pace, 0, 10'000'000, 10, 0);
  hf_pace_set_floor(&pace, 0);  // as a WELCOME may say
  CHECK(hf_pace_rate(&pace, 10) == 4096);
  hf_pace_set_floor(&pace, 20'000'000);
  CHECK(hf_pace_rate(&pace, 10) == 20'000'000);
}

TEST_CASE("rates that are taken back at once do not prolong a pause") {
  hf_pace pace = fresh();
  hf_pace_grant(&pace, 0, 10'000'000, 60, 0);
  for (double now = 1; now < 120; now += 1) {
    hf_pace_grant(&pace, 1'000'000, 10'000'000, 60, now);
    hf_pace_grant(&pace, 0, 10'000'000, 60, now);
    CHECK(hf_pace_rate(&pace, now) == 0);
  }
  CHECK(hf_pace_rate(&pace, 120) == 10'000'000);
  hf_pace_grant(&pace, 1'000'000, 10'000'000, 60, 130);
  hf_pace_moved(&pace, 1, 131);  // now it is over
  hf_pace_grant(&pace, 0, 10'000'000, 60, 132);
  CHECK(hf_pace_rate(&pace, 133) == 0);
}

TEST_CASE("a debt of a fast rate is repaid in ten seconds of a slow one") {
  hf_pace pace = fresh();
  hf_pace_grant(&pace, 1'000'000'000, 1, 60, 0);
  hf_pace_moved(&pace, 5'000'000'000, 0);
  hf_pace_grant(&pace, 1'000'000, 1, 60, 1);
  CHECK(hf_pace_delay(&pace, 1, 2) < 10.1);
}

TEST_CASE("a pause saves nothing up, and a debt is repaid") {
  hf_pace pace = fresh();
  hf_pace_grant(&pace, 1'000'000, 100'000, 60, 0);
  hf_pace_fill(&pace, 1);
  CHECK(pace.tokens == 65'536);  // the capacity
  hf_pace_grant(&pace, 0, 100'000, 60, 1);
  CHECK(pace.tokens == 0);
  hf_pace_grant(&pace, 1'000'000, 100'000, 60, 2);
  CHECK(hf_pace_delay(&pace, 50'000, 2) == doctest::Approx(0.032768));  // a piece
  hf_pace_moved(&pace, 1'000'000, 2);
  CHECK(hf_pace_delay(&pace, 1, 2) == doctest::Approx(1.000001));
  hf_pace_moved(&pace, 1'000'000'000, 2);  // at most ten seconds of it
  CHECK(hf_pace_delay(&pace, 1, 2) < 10.1);
}

TEST_CASE("whatever a server says, a program moves again within its pause and its floor") {
  CHECK(rc::check([] {
    hf_pace pace = fresh();
    double now = 0;
    double moved_at = 0;
    const auto count = *rc::gen::inRange(1, 60);
    for (int i = 0; i < count; ++i) {
      const auto rate = *rc::gen::element<std::uint64_t>(0, 0, 1, 5'000, 1'000'000, 1'000'000'000,
                                                         HF_PACE_UNLIMITED);
      const auto floor = *rc::gen::element<std::uint64_t>(0, 100'000, HF_PACE_UNLIMITED);
      const double lease = *rc::gen::inRange(-1, 1000) / 10.0;
      hf_pace_grant(&pace, rate, floor, lease, now);
      const double until = now + *rc::gen::inRange(0, 600) / 10.0;
      // It moves a byte whenever it may.
      while (now < until) {
        const double delay = hf_pace_delay(&pace, 1, now);
        RC_ASSERT(delay >= 0);
        if (delay > 0) {
          now += std::min(std::max(delay, 1e-6), until - now + 1e-6);
          continue;
        }
        RC_ASSERT(now - moved_at <= 121);  // LONGEST_PAUSE, and a byte at the slowest rate
        hf_pace_moved(&pace, 1, now);
        moved_at = now;
        now += 1;
      }
    }
  }));
}

TEST_CASE("what moves in a stretch is the rate times the stretch, and a capacity at most") {
  CHECK(rc::check([] {
    hf_pace pace = fresh();
    const auto rate = *rc::gen::inRange<std::uint64_t>(10'000, 2'000'000'000);
    hf_pace_grant(&pace, rate, 1, 60, 0);
    double now = 0;
    double moved = 0;
    while (now < 20) {
      const auto piece = hf_pace_piece(rate);
      const double delay = hf_pace_delay(&pace, piece, now);
      now += delay + *rc::gen::inRange(0, 20) / 1e3;  // oversleeping
      if (hf_pace_delay(&pace, piece, now) > 1e-9) continue;
      hf_pace_moved(&pace, piece, now);
      moved += static_cast<double>(piece);
      RC_ASSERT(moved <= static_cast<double>(rate) * now + hf_pace_capacity(rate));
    }
    RC_ASSERT(moved >=
              0.98 * static_cast<double>(rate) * (now - 0.02) - 2 * hf_pace_capacity(rate));
  }));
}
