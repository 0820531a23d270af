#include "holdfast/campaign/batch_bytes.hpp"

#include "holdfast/campaign/design.hpp"
#include "holdfast/campaign/fake_domain.hpp"
#include "holdfast/campaign/results.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <string>
#include <vector>

using namespace holdfast;

namespace {

Campaign small_campaign() {
  auto parsed = parse_campaign(
      "[campaign]\nname = 'walks'\ndomain = 'walk'\nscenarios = 4\n[parameters]\nsteps = [2, 3]\n",
      "walk.toml", ".", fake::known());
  REQUIRE(parsed);
  return std::move(*parsed);
}

Batch batch() {
  Batch out;
  for (std::uint32_t point = 0; point < 2; ++point) {
    Outcome outcome;
    outcome.completed = point == 0;
    outcome.metrics = {1.5, std::nullopt, 3};
    out.add({point, 1, 0, 3}, outcome, 0.25);
  }
  return out;
}

}  // namespace

TEST_CASE("batch: as bytes and back") {
  const Campaign file = small_campaign();
  const auto design = Design::make(file);
  REQUIRE(design);
  const auto read = parse_batch(to_bytes(batch()), *design);
  REQUIRE(read);
  CHECK(read->size() == 2);
  CHECK(read->keys[1].point == 1);
  CHECK(read->keys[1].scenario == 3);
  CHECK(read->flags == batch().flags);
  CHECK(read->seconds == batch().seconds);
  CHECK(read->values[3] == 1.5);
  CHECK(std::isnan(read->values[4]));
  CHECK(parse_batch(to_bytes(Batch{}), *design)->empty());
}

TEST_CASE("batch: bytes that are cut, or of another campaign, are refused") {
  const Campaign file = small_campaign();
  const auto design = Design::make(file);
  REQUIRE(design);
  const std::string bytes = to_bytes(batch());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CHECK_FALSE(parse_batch(bytes.substr(0, size), *design));
  }
  CHECK_FALSE(parse_batch(bytes + "x", *design));
  Batch strange = batch();
  strange.keys[0].scenario = 4;  // there are 4, from 0
  CHECK_FALSE(parse_batch(to_bytes(strange), *design));
  strange = batch();
  strange.values.pop_back();
  CHECK_FALSE(parse_batch(to_bytes(strange), *design));
}

TEST_CASE("runs: what is done is the same after its conversion to runs and back") {
  CHECK(to_runs({true, true, false}) == std::vector<std::uint64_t>{0, 2, 1});
  CHECK(from_runs({1, 2}, 5) == std::vector<bool>{false, true, true, false, false});
  CHECK(from_runs({1, 9}, 3) == std::vector<bool>{false, true, true});
  CHECK(rc::check([](const std::vector<bool>& done) {
    RC_ASSERT(from_runs(to_runs(done), done.size()) == done);
  }));
}
