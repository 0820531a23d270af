#include "holdfast/domains/volatile/instance_io.hpp"

#include "holdfast/domains/volatile/generator.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace holdfast;
using namespace holdfast::volatile_workers;

namespace {

std::string refusal(std::string_view json) {
  const auto document = parse_json(json);
  REQUIRE(document);
  const auto instance = read_instance(*document);
  return instance ? "" : instance.error().text();
}

constexpr std::string_view kMarkov =
    R"("markov": [[0.95,0.025,0.025],[0.02,0.96,0.02],[0.03,0.03,0.94]])";

}  // namespace

TEST_CASE("instance: what is refused says where and what") {
  struct Row {
    std::string_view workers, rest, where;
  };
  const std::string good = "{\"speed\": 3, " + std::string(kMarkov) + "}";
  const Row rows[] = {
      {"", "", "/workers: found no worker"},
      {R"({"speed": 0})", "", "/workers/0/speed: found 0"},
      {R"({"speed": 1})", "", "/workers/0/markov: is missing"},
      {R"({"markov": [[0.5,0.4,0.2],[0,1,0],[0,0,1]]})", "", "/workers/0/markov/0: found a row"},
      {R"({"markov": [[1.5,-0.5,0],[0,1,0],[0,0,1]]})", "", "/workers/0/markov/0/0: found 1.5"},
      {R"({"markov": [[1,0,0],[0,1,0]]})", "", "/workers/0/markov: found"},
      {R"({"speeed": 1})", "", "/workers/0"},
      {R"({"max_tasks": 1})", R"(, "states": ["uu"])", "/workers: all workers together hold 1"},
      {R"({"max_tasks": 2}, {"max_tasks": 2})", R"(, "states": ["uu","uuu"])",
       "/states/1: found 3 slots"},
      {R"({"max_tasks": 2})", R"(, "states": ["ux"])", "/states/0: found 'x' in slot 1"},
      {R"({"max_tasks": 2})", R"(, "states": ["u","u"])", "/states: found 2 strings"},
      {R"({"max_tasks": 2})", R"(, "states": ["u"], "assignment": [1])", "/assignment: found 1"},
      {R"({"speed": 1000000000000})", R"(, "states": ["u"])", "/workers/0/speed"},
      {R"({"max_tasks": 2})", R"(, "states": ["u"], "program_size": 10)", "/program_size"},
      {R"({"max_tasks": 2})", R"(, "states": ["u"], "concurrent_communications": 0)",
       "/concurrent_communications"},
  };
  for (const Row& row : rows) {
    const std::string text = refusal("{\"tasks\": 2, \"workers\": [" + std::string(row.workers) +
                                     "]" + std::string(row.rest) + "}");
    CAPTURE(text);
    CHECK(text.find(row.where) == 0);
  }
  CHECK(refusal("{\"tasks\": 2, \"workers\": [" + good + "]}") == "");
}

TEST_CASE("instance: sizes and bandwidths become slots") {
  // 1 GB/s feeds floor(1000/300) = 3 links of 300 MB/s; 1 GB takes ceil(1000/(300 x 2)) = 2 slots of
  // 2 s, 100 MB one.
  const auto document = parse_json(
      "{\"tasks\": 2, \"master_bandwidth\": \"1GB/s\", \"link_bandwidth\": \"300MB/s\", "
      "\"program_size\": \"1GB\", \"data_size\": \"100MB\", \"slot\": \"2s\", \"workers\": [{" +
      std::string(kMarkov) + "}]}");
  const auto instance = read_instance(document.value());
  REQUIRE(instance);
  CHECK(instance->concurrent_communications == 3);
  CHECK(instance->program_slots == 2);
  CHECK(instance->data_slots == 1);
}

TEST_CASE("instance: a document written is a document read") {
  GeneratorParameters parameters;
  parameters.workers = 3;
  parameters.holding_times = weibull_law_of_mean(0.6, 1);
  const Instance instance = generate(parameters, 1, 0).value();
  const Value document = to_value(instance);
  const auto again = read_instance(document);
  REQUIRE(again);
  CHECK(to_compact_json(to_value(*again)) == to_compact_json(document));
}
