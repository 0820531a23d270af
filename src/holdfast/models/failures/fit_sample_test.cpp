#include "holdfast/models/failures/fit_sample.hpp"

#include "holdfast/kernel/samplers.hpp"
#include "holdfast/models/failures/fit_likelihood.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace holdfast;

namespace {

std::vector<Lifetime> many_lives(int count) {
  Stream stream{{.seed = 4, .purpose = Purpose::tool}};
  std::vector<Lifetime> out;
  while (static_cast<int>(out.size()) < count) {
    const double age = sample_weibull(stream, 0.7, 1e6);
    const double end = sample_exponential(stream, 2.2e6);
    const double entry = stream.chance(0.2) ? stream.uniform(0, 1e5) : 0;
    if (std::min(age, end) <= entry) continue;
    out.push_back(age < end ? Lifetime::exact(age, entry) : Lifetime::censored(end, entry));
  }
  return out;
}

}  // namespace

TEST_CASE(
    "LifetimeSample: many lives become few points with the same likelihood, for every law near the "
    "fit") {
  const auto lives = many_lives(40000);
  const auto sample = LifetimeSample::make(lives);
  REQUIRE(sample);
  CHECK(sample->failure_ages().size() + sample->survived_ages().size() < 2000);
  CHECK(sample->lives() == 40000);
  // The same lives in parts too small to be compressed.
  const auto reference = [&](LawFamily family, const LawPoint& law) {
    Curved sum;
    for (std::size_t begin = 0; begin < lives.size(); begin += 2000) {
      const auto part = LifetimeSample::make(std::span(lives).subspan(begin, 2000));
      const double shift = sample->log_unit() - part->log_unit();
      Curved at = log_likelihood(family, {law.location + shift, law.log_shape}, *part);
      at.value += static_cast<double>(part->exact()) * shift;
      sum += at;
    }
    return sum;
  };
  for (const LawFamily family :
       {LawFamily::exponential, LawFamily::weibull, LawFamily::gamma, LawFamily::lognormal}) {
    for (const LawPoint law : {LawPoint{1, -0.4}, LawPoint{0.5, 0}, LawPoint{2, -1}}) {
      CAPTURE(name_of(family));
      CAPTURE(law.location);
      const Curved fast = log_likelihood(family, law, *sample);
      const Curved slow = reference(family, law);
      CHECK(fast.value == doctest::Approx(slow.value).epsilon(1e-11));
      CHECK(fast.l == doctest::Approx(slow.l).epsilon(1e-9));
      CHECK(fast.ll == doctest::Approx(slow.ll).epsilon(1e-9));
      if (family == LawFamily::exponential) continue;
      CHECK(fast.s == doctest::Approx(slow.s).epsilon(1e-9));
      CHECK(fast.ls == doctest::Approx(slow.ls).epsilon(1e-9));
      CHECK(fast.ss == doctest::Approx(slow.ss).epsilon(1e-9));
    }
  }
}

TEST_CASE("LifetimeSample: counts, and equal intervals kept once") {
  std::vector<Lifetime> lives(3, Lifetime::between(1, 10));
  lives.push_back(Lifetime::between(0, 1));
  lives.push_back(Lifetime::exact(4, 1));
  lives.push_back(Lifetime::censored(9));
  lives.push_back(Lifetime::censored(0));
  const auto sample = LifetimeSample::make(lives);
  REQUIRE(sample);
  CHECK(sample->lives() == 7);
  CHECK(sample->exact() == 1);
  CHECK(sample->between() == 4);
  CHECK(sample->censored() == 2);
  CHECK(sample->truncated() == 1);
  REQUIRE(sample->intervals().size() == 2);
  CHECK(std::isinf(sample->intervals()[0].low));
  CHECK(sample->intervals()[1].weight == 3);
  CHECK(sample->exposure() * std::exp(sample->log_unit()) == doctest::Approx(4 + 9 - 1));
}

TEST_CASE("LifetimeSample: ages of all magnitudes, and many equal ones") {
  std::vector<Lifetime> lives;
  for (int i = 0; i < 6000; ++i) lives.push_back(Lifetime::exact(std::pow(10.0, i % 600 - 300)));
  CHECK(LifetimeSample::make(lives));
  lives.assign(10000, Lifetime::exact(60));
  for (int i = 0; i < 5000; ++i) lives.push_back(Lifetime::exact(120));
  const auto sample = LifetimeSample::make(lives);
  REQUIRE(sample);
  CHECK(sample->failure_ages().size() <= 16);
  double weight = 0;
  for (const LogAge& point : sample->failure_ages()) weight += point.weight;
  CHECK(weight == doctest::Approx(15000));
}
