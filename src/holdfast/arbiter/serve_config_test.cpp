#include "holdfast/arbiter/serve_config.hpp"

#include "holdfast/arbiter/serve_options.hpp"

#include <doctest/doctest.h>

#include "support/scratch.hpp"
#include <array>
#include <string>

using namespace holdfast;
using namespace holdfast::arbiter;

namespace {

constexpr auto kNotHere = std::to_array<std::string_view>({"config"});

std::string refusal_of(const std::string& text) {
  Scratch scratch;
  write_text(scratch / "io.toml", text);
  const auto config = read_config(scratch / "io.toml", serve_parameters(), kNotHere);
  REQUIRE(!config);
  CHECK(exit_code(config.error().code) == 3);
  const std::string said = config.error().text();
  return said.substr(said.find("io.toml"));
}

}  // namespace

TEST_CASE("a file has options under the names of the command line, which comes first") {
  Scratch scratch;
  write_text(scratch / "io.toml",
             "bandwidth = \"2GB/s\"\nmin-grant = 0.5\nmax_pause = \"30s\"\nconnections = 100\n"
             "policy = \"fcfs\"\n");
  const auto config = read_config(scratch / "io.toml", serve_parameters(), kNotHere);
  REQUIRE(config);
  const auto options =
      read_serve_options(with_config(Value::object({{"bandwidth", 1e9}}), *config));
  REQUIRE(options);
  CHECK(options->settings.bandwidth == 1e9);
  CHECK(options->settings.min_grant == 0.5);
  CHECK(options->settings.max_pause == 30);
  CHECK(options->settings.connections == 100);
  CHECK(options->policy == "fcfs");
  CHECK(read_serve_options(with_config(Value(), *config))->settings.bandwidth == 2e9);
}

TEST_CASE("what a file may not have is refused with its line") {
  CHECK(refusal_of("bandwidth = \"2GB/s\"\nmax_pauze = 1\n") ==
        "io.toml:2: /max_pauze: unknown option; did you mean 'max_pause'?");
  CHECK(refusal_of("bandwidth = \"fast\"\n").starts_with("io.toml:1: /bandwidth: found"));
  CHECK(refusal_of("lease = 3600\n").starts_with("io.toml:1: /lease: found 3600, expected"));
  CHECK(refusal_of("max-pause = 1\nmax_pause = 1\n") == "io.toml:2: /max_pause: is given twice");
  CHECK(refusal_of("config = \"other.toml\"\n").starts_with("io.toml:1: /config: unknown option"));
  CHECK(refusal_of("policy = 3\n") == "io.toml:1: /policy: found 3, expected a text");
  CHECK(refusal_of("[serve]\nlease = 1\n").starts_with("io.toml:1: /serve: unknown option"));
  CHECK(refusal_of("bandwidth = \n").starts_with("io.toml:"));
  Scratch scratch;
  CHECK(exit_code(read_config(scratch / "none", serve_parameters(), kNotHere).error().code) == 3);
}

TEST_CASE("what does not fit together is refused where it stands") {
  Scratch scratch;
  const std::string path = (scratch / "io.toml").string();
  write_text(path, "bandwidth = 1e9\nreport = 8\n");
  const auto from_file = options_of(Value::object({{"config", path}}));
  REQUIRE(!from_file);
  CHECK(exit_code(from_file.error().code) == 3);
  CHECK(from_file.error().where == path + ": /report");
  const auto from_line = options_of(Value::object({{"config", path}, {"report", 9.0}}));
  REQUIRE(!from_line);
  CHECK(exit_code(from_line.error().code) == 2);
  CHECK(from_line.error().where == "/report");
}

TEST_CASE("a file is read again as it stands, and what only a new start changes is named") {
  Scratch scratch;
  const std::string path = (scratch / "io.toml").string();
  write_text(path, "bandwidth = 1e9\npolicy = \"fcfs\"\n");
  const auto before = options_of(Value::object({{"config", path}}));
  REQUIRE(before);
  write_text(path, "bandwidth = 2e9\nlease = 5\nsocket = \"/tmp/other\"\n");
  const auto after = before->again();
  REQUIRE(after);
  CHECK(after->settings.bandwidth == 2e9);
  CHECK(after->policy == "periodic-greedy-yield");
  CHECK(changed_for_later(before->given, after->given) ==
        std::vector<std::string>{"socket", "lease"});
  CHECK(changed_for_later(before->given, before->given).empty());
  CHECK(!read_serve_options(Value::object({{"bandwidth", 1e9}}))->again);
}
