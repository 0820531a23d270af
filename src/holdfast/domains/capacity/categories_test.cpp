#include "holdfast/domains/capacity/categories.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <vector>

using namespace holdfast;
using namespace holdfast::capacity;

TEST_CASE("V5: the author's quantiles, with the error at the largest") {
  const std::vector<ReferenceJob> reference = {{1, 4}, {2, 1}, {4, 1}};
  const Categories categories(reference, Profile::author, 1000, 10);
  CHECK(categories.of(1) == doctest::Approx(0.7));
  CHECK(categories.of(2) == doctest::Approx(0.5));
  CHECK(categories.of(3) == doctest::Approx(0.5));
  CHECK(categories.of(4) == 1);
  CHECK(categories.of(5) == doctest::Approx(0.1));
}

TEST_CASE("the author's quantiles: lengths are cut to the window, those of the reference too") {
  // Cut to 4: work 4, 2, 4 of 10, and a window's length is the largest quantile. Uncut the work is
  // 4, 2, 40 of 46, and every length below 40 is short.
  const std::vector<ReferenceJob> reference = {{1, 4}, {2, 1}, {40, 1}};
  const Categories categories(reference, Profile::author, 4, 10);
  CHECK(categories.of(1) == doctest::Approx(0.7));
  CHECK(categories.of(2) == doctest::Approx(0.5));
  CHECK(categories.of(3) == doctest::Approx(0.5));
  CHECK(categories.of(4) == 1);
  CHECK(categories.of(40) == 1);
}

TEST_CASE(
    "the reference: its own list, else the week before the window, else every job that fits") {
  Instance instance;
  instance.cores = 4;
  instance.begin = 700000;
  instance.end = 800000;
  instance.jobs = {{"a", 50000, 1, 10, {}},    // before the week
                   {"b", 100000, 2, 20, {}},   // in the week
                   {"c", 700000, 3, 30, {}},   // in the window
                   {"d", 100000, 5, 40, {}}};  // too wide
  CHECK(reference_of(instance).size() == 1);
  CHECK(reference_of(instance)[0].length == 20);
  instance.jobs[1].release = 700001;
  CHECK(reference_of(instance).size() == 3);
  instance.reference = {{7, 1}};
  CHECK(reference_of(instance)[0].length == 7);
}

TEST_CASE(
    "categories fall with the length and lie in [0, 1]; a reference listed twice changes nothing") {
  CHECK(rc::check([] {
    const auto count = *rc::gen::inRange<std::size_t>(1, 40);
    std::vector<ReferenceJob> once, twice;
    for (std::size_t i = 0; i < count; ++i) {
      once.push_back(
          {*rc::gen::inRange<std::int64_t>(1, 1000), *rc::gen::inRange<std::int64_t>(1, 9)});
    }
    twice = once;
    twice.insert(twice.end(), once.begin(), once.end());
    const Categories a(once, Profile::standard, 0), b(twice, Profile::standard, 0);
    double before = 1;
    for (std::int64_t length = 1; length <= 1001; length += 7) {
      const double category = a.of(length);
      RC_ASSERT(category >= 0 && category <= before);
      RC_ASSERT(category == b.of(length));
      before = category;
    }
    RC_ASSERT(a.of(1) == 1);
    RC_ASSERT(a.of(1001) == 0);
  }));
}
