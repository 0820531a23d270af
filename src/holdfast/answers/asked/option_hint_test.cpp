#include "holdfast/answers/asked/option_hint.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace holdfast;

TEST_CASE("option hint: words of training runs") {
  const std::vector<std::string> plan = {"processors", "checkpoint", "flush", "save-failure",
                                         "spares",     "repair",     "quiet", "minimum-nodes"};
  CHECK(meant_option(plan, "--async") == "--flush");
  CHECK(meant_option(plan, "--durable_after") == "--flush");
  CHECK(given_instead(plan, "--async").find("--flush") != std::string::npos);
  CHECK(meant_option(plan, "--silent") == "--quiet");
  CHECK(meant_option(plan, "--Processors") == "--processors");
  for (const char* typed : {"--elastic", "--min-nodes", "--shrink"})
    CHECK(meant_option(plan, typed) == "--minimum-nodes");
  CHECK(given_instead(plan, "--silent-errors").find("--save-failure") != std::string::npos);
  CHECK(given_instead(plan, "--gpus").find("--processors") != std::string::npos);
  const std::vector<std::string> simulate = {"scenarios", "jobs", "alive", "quantile"};
  CHECK(meant_option(simulate, "--power") == "--alive");
  CHECK(meant_option(simulate, "--tasks") == "--jobs");
  CHECK(given_instead(simulate, "--p95").find("--quantile") != std::string::npos);
  // Elsewhere these words mean nothing.
  const std::vector<std::string> other = {"work", "checkpoint"};
  for (const char* typed : {"--silent-errors", "--gpus", "--p95", "--bandwidth"})
    CHECK(given_instead(other, typed).empty());
  CHECK(meant_option(other, "--elastic").empty());
}

TEST_CASE("option hint: a word that says the same is taken, another one is not") {
  const std::vector<std::string> plan = {"processors", "checkpoint", "platform-mtbf", "flush",
                                         "time-limit", "work",       "mtbf"};
  CHECK(same_option(plan, "--ckpt") == "--checkpoint");
  CHECK(same_option(plan, "--walltime") == "--time-limit");
  CHECK(same_option(plan, "--platform_mtbf") == "--platform-mtbf");
  CHECK(same_option(plan, "--MTBF") == "--mtbf");
  // The cost of a save in the background is another one; a core is no processor that fails by itself.
  for (const char* typed : {"--async", "--cores", "--nodes", "-n", "--time", "--runtime", "--"})
    CHECK(same_option(plan, typed).empty());
  // A job without a time limit has no other option of the same meaning.
  CHECK(same_option({{"work", "length"}}, "--walltime").empty());
  CHECK(same_verb({{"info", "fit"}}, "trend") == "info");
  CHECK(same_verb({{"info", "fit"}}, "law").empty());
  CHECK(idle_beside(plan, "--gpus", {{"--mtbf"}}).empty());
  CHECK(idle_beside(plan, "--gpus", {{"--mtbf", "--processors"}}) == "--processors");
  CHECK(idle_beside(plan, "--size", {{"--mtbf", "--processors"}}).empty());
}

TEST_CASE("option hint: other words for verbs") {
  const std::vector<std::string> trace = {"info", "convert", "slice", "fit"};
  CHECK(meant_verb(trace, "trend") == "info");
  CHECK(meant_verb(trace, "covert") == "convert");
  CHECK(meant_verb(trace, "dance").empty());
  CHECK(meant_verb({{"run", "cite"}}, "trend").empty());
}
