#include "holdfast/arbiter/state_file.hpp"

#include "holdfast/arbiter/testing.hpp"

#include <doctest/doctest.h>

#include "support/scratch.hpp"
#include <string>

using namespace holdfast;
using namespace holdfast::arbiter;
using namespace holdfast::arbiter::testing;

namespace {

KeptState kept_sample() {
  Token token{};
  for (std::size_t i = 0; i < token.size(); ++i) token[i] = static_cast<std::uint8_t>(17 * i);
  return {.boot = "4f7c",
          .date = 1234.5,
          .epoch = 7,
          .applications = {{.uid = 1000,
                            .name = "4711",
                            .age = 100,
                            .delay = 5,
                            .iteration_sum = 12.25,
                            .iteration_count = 3,
                            .nodes = 4,
                            .declared = 1e9,
                            .stay = 30,
                            .resume = token},
                           {.uid = 0, .name = "a \"b\"\n", .age = 1.0 / 3, .resume = {}}}};
}

std::string state_refusal(const std::string& text) {
  const auto document = parse_json(text);
  REQUIRE(document);
  const auto state = read_state_document(*document);
  REQUIRE(!state);
  return state.error().text();
}

}  // namespace

TEST_CASE("a state comes back from its document bit by bit") {
  const KeptState before = kept_sample();
  const auto after = read_state_document(parse_json(to_json(state_document(before))).value());
  REQUIRE(after);
  CHECK(after->boot == before.boot);
  CHECK(after->date == before.date);
  CHECK(after->epoch == before.epoch);
  REQUIRE(after->applications.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const Memory& one = before.applications[i];
    const Memory& other = after->applications[i];
    CHECK(one.uid == other.uid);
    CHECK(one.name == other.name);
    CHECK(one.age == other.age);
    CHECK(one.delay == other.delay);
    CHECK(one.iteration_sum == other.iteration_sum);
    CHECK(one.iteration_count == other.iteration_count);
    CHECK(one.nodes == other.nodes);
    CHECK(one.declared == other.declared);
    CHECK(one.stay == other.stay);
    CHECK(one.resume == other.resume);
  }
}

TEST_CASE("time without a server counts only within one boot") {
  const KeptState state = kept_sample();
  CHECK(state.downtime("4f7c", 1241.5) == 7);
  CHECK(state.downtime("other", 1241.5) == 0);
  CHECK(state.downtime("4f7c", 10) == 0);  // a clock of another name space
}

TEST_CASE("a yield goes on over a restart: (r age 100, delay 5) after 7 s is 1 - 5/107") {
  World world(quiet(100));
  const KeptState state = kept_sample();
  world.core().restore(state.applications, state.downtime("4f7c", 1241.5), world.now());
  const Standing kept = world.standing("4711");
  CHECK(kept.age == 107);
  CHECK(kept.delay == 5);
  CHECK(kept.yield == doctest::Approx(1 - 5.0 / 107).epsilon(1e-15));
  CHECK(kept.nodes == 4);
}

TEST_CASE("what is no state is refused with its place, and with what to do") {
  const std::string good = to_compact_json(state_document(kept_sample()));
  const auto with = [&](const std::string& part, const std::string& other) {
    std::string text = good;
    const auto at = text.find(part);
    REQUIRE(at != std::string::npos);
    return text.replace(at, part.size(), other);
  };
  CHECK(state_refusal(with("io-state", "io-instance")) ==
        "/holdfast/kind: found \"io-instance\", expected \"io-state\"");
  CHECK(state_refusal(with("\"epoch\":7", "\"epoch\":0")).find("/epoch: found 0") == 0);
  CHECK(state_refusal(with("\"epoch\":7", "\"epok\":7")) == "/epoch: is missing");
  CHECK(state_refusal(with("\"age\":100", "\"age\":-1")).find("/applications/0/age: found -1") ==
        0);
  CHECK(state_refusal(with("\"name\":\"4711\"", "\"name\":\"\"")) ==
        "/applications/0/name: found no name, expected that of a job");
  CHECK(
      state_refusal(with("00112233", "0011223X")).find("/applications/0/resume: found '0011223X") ==
      0);
  CHECK(state_refusal(with("\"user\":1000", "\"user\":4294967296")).find("/applications/0/user") ==
        0);

  Scratch scratch;
  CHECK(read_state_file(scratch / "none").value().epoch == 0);
  for (const std::string& text :
       {std::string(), std::string("{\"holdfast\""), with("4711", "\\q")}) {
    write_text(scratch / "broken", text);
    const auto broken = read_state_file(scratch / "broken");
    REQUIRE(!broken);
    CHECK(exit_code(broken.error().code) == 3);
    CHECK(broken.error().text().find("broken") != std::string::npos);
    CHECK(broken.error().text().find("remove the file") != std::string::npos);
  }
  CHECK(!read_state_file(scratch.path()));
}
