#include "holdfast/domains/volatile/recorded_pool.hpp"

#include "holdfast/domains/volatile/generator.hpp"
#include "holdfast/domains/volatile/generator_io.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace holdfast;
using namespace holdfast::volatile_workers;

namespace {

constexpr std::string_view kSamples = "src/holdfast/traces/samples/";

RecordedPool sample(const char* file, double slot, std::optional<std::int64_t> history) {
  return load_pool(std::string(kSamples) + file, "", WorkerState::reclaimed, slot, history).value();
}

}  // namespace

TEST_CASE("recorded pool: a record in slots of ten minutes") {
  const RecordedPool pool = sample("states.txt", 600, std::nullopt);
  CHECK(pool.slots == 8);
  CHECK(pool.history == 4);
  CHECK(letters_of(pool, 2) == std::vector<std::string>{"uuurrddu", "uuuuuuuu"});
  CHECK(
      !load_pool(std::string(kSamples) + "states.txt", "", WorkerState::down, 6000, std::nullopt));
}

TEST_CASE("recorded pool: what is drawn was up in its history, and runs on what followed") {
  // gamma is down until slot 2: with a history of 2 slots only alpha and beta can be drawn.
  GeneratorParameters parameters;
  parameters.workers = 2;
  parameters.tasks = 1;
  parameters.slot_limit = 6;
  parameters.recorded = std::make_shared<RecordedPool>(sample("states.txt", 600, 2));
  const Result<Instance> instance = generate(parameters, 1, 0);
  REQUIRE(instance);
  std::vector<std::string> states = instance->states;
  std::sort(states.begin(), states.end());
  CHECK(states == std::vector<std::string>{"urrddu", "uuuuuu"});
  CHECK(instance->slot_limit == 6);
  CHECK(instance->seen_slots == 2);
  CHECK(instance->workers[0].seen_up == 2);
  CHECK(instance->workers[0].up_for == 2);
  CHECK(instance->workers[0].markov.has_value());
  parameters.workers = 3;
  CHECK(generate(parameters, 1, 0).error().text() ==
        "/workers: found 2 workers that were up in the history, expected 3");
  // More than the record has: said before any of them is drawn.
  parameters.workers = 4;
  CHECK(generate(parameters, 1, 0).error().text() ==
        "/workers: found 3 workers in the record, expected 4");
}

TEST_CASE("recorded pool: a document names a file and gets workers") {
  const auto read = [](std::string_view rest) {
    return read_generator(parse_json("{\"tasks\": 1, \"workers\": 2, \"availability\": {\"file\": "
                                     "\"states.txt\"" +
                                     std::string(rest) + "}")
                              .value(),
                          std::string(kSamples));
  };
  CHECK(read(", \"history\": 2}, \"slot\": \"10min\"").value().recorded != nullptr);
  CHECK(read("}").error().text().find("/slot") == 0);
  CHECK(read(", \"history\": 9}, \"slot\": 600").error().where == "/availability/history");
}
