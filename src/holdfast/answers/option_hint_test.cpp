#include "holdfast/answers/option_hint.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace holdfast;

TEST_CASE("option hint: words of training runs") {
  const std::vector<std::string> plan = {"processors", "checkpoint", "flush", "save-failure",
                                         "spares",     "repair",     "quiet", "minimum-nodes"};
  CHECK(meant_option(plan, "--async") == "--flush");
  CHECK(meant_option(plan, "--durable_after") == "--flush");
  CHECK(meant_option(plan, "--silent") == "--quiet");
  CHECK(meant_option(plan, "--Processors") == "--processors");
  for (const char* typed : {"--elastic", "--min-nodes", "--shrink"})
    CHECK(meant_option(plan, typed) == "--minimum-nodes");
  CHECK(given_instead(plan, "--silent-errors").find("--save-failure") != std::string::npos);
  CHECK(given_instead(plan, "--gpus").find("--processors") != std::string::npos);
  const std::vector<std::string> simulate = {"scenarios", "jobs", "alive"};
  CHECK(meant_option(simulate, "--power") == "--alive");
  CHECK(meant_option(simulate, "--tasks") == "--jobs");
  CHECK(given_instead(simulate, "--quantile").find("report") != std::string::npos);
  // Elsewhere these words mean nothing.
  const std::vector<std::string> other = {"work", "checkpoint"};
  for (const char* typed : {"--silent-errors", "--gpus", "--quantile", "--bandwidth"})
    CHECK(given_instead(other, typed).empty());
  CHECK(meant_option(other, "--elastic").empty());
}

TEST_CASE("option hint: other words for verbs") {
  const std::vector<std::string> trace = {"info", "convert", "slice", "fit"};
  CHECK(meant_verb(trace, "trend") == "info");
  CHECK(meant_verb(trace, "covert") == "convert");
  CHECK(meant_verb(trace, "dance").empty());
  CHECK(meant_verb({{"run", "cite"}}, "trend").empty());
}
