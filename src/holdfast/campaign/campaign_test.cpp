#include "holdfast/campaign/campaign.hpp"

#include "holdfast/campaign/fake_domain.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>

using namespace holdfast;

namespace {

Result<Campaign> parse(const std::string& text) {
  return parse_campaign(text, "walk.toml", "somewhere", fake::known());
}

}  // namespace

TEST_CASE("campaign file: everything that it may say") {
  const auto campaign = parse(R"([campaign]
name = "how far"
domain = "walk"
seed = 7
instances = 2
scenarios = 50
strategies = ["bold:3", "steady"]
baseline = "steady"

[parameters]
steps = [10, "1e3"]
stride = "2min"
ages = [[[1, 2], [3]], [[4]]]
table = [{ a = 1 }, { a = 2 }]
fixed = { list = [1, 2] }

[report]
x = "steps"
)");
  REQUIRE(campaign);
  CHECK(campaign->name == "how far");
  CHECK(campaign->domain == &fake::domain());
  CHECK(campaign->seed == 7);
  CHECK(campaign->instances == 2);
  CHECK(campaign->scenarios == 50);
  REQUIRE(campaign->strategies.size() == 2);
  CHECK(campaign->strategies[0].text == "bold:by=3");
  CHECK(campaign->baseline == 1);
  CHECK(campaign->directory == "somewhere");
  CHECK(*campaign->report.find("x")->string() == "steps");

  REQUIRE(campaign->axes.size() == 3);
  CHECK(campaign->axes[0].name == "steps");
  CHECK(campaign->axes[0].values == std::vector<Value>{10, "1e3"});
  CHECK(campaign->axes[1].name == "ages");  // each swept value is itself a list
  CHECK(to_compact_json(campaign->axes[1].values[0]) == "[[1,2],[3]]");
  CHECK(to_compact_json(campaign->axes[2].values[1]) == R"({"a":2})");
  CHECK(campaign->fixed.find("stride") != nullptr);
  CHECK(campaign->fixed.find("fixed") != nullptr);  // an array inside a table is not swept
}

TEST_CASE("campaign file: what may be left out") {
  const auto campaign = parse("[campaign]\nname = 'x'\ndomain = 'walk'\n");
  REQUIRE(campaign);
  const auto unnamed = parse("[campaign]\ndomain = 'walk'\n");
  REQUIRE(unnamed);
  CHECK(unnamed->name == "walk");  // of walk.toml
  CHECK(campaign->seed == 1);
  CHECK(campaign->instances == 1);
  CHECK(campaign->scenarios == 1);
  REQUIRE(campaign->strategies.size() == 2);  // recommended, usual baseline
  CHECK(campaign->strategies[0].text == "bold");
  CHECK(campaign->strategies[1].text == "steady");
  CHECK(campaign->baseline == 1);
  CHECK(campaign->axes.empty());
}

TEST_CASE("campaign file: the informed baseline runs too, where it differs at one of the points") {
  Domain domain = fake::domain();
  domain.informed = {.strategy = "steady",
                     .knows = "the stride",
                     .field = "stride",
                     .differs = [](const Value& stride) { return stride.string() != nullptr; }};
  domain.baseline = "bold:3";
  const std::array<const Domain*, 1> known = {&domain};
  const auto strategies_of = [&](const std::string& parameters) {
    const auto campaign = parse_campaign(
        "[campaign]\nname = 'x'\ndomain = 'walk'\n[parameters]\n" + parameters, "x", ".", known);
    REQUIRE(campaign);
    std::string out;
    for (const StrategySpec& spec : campaign->strategies) out += spec.shown + " ";
    return out;
  };
  CHECK(strategies_of("stride = 60") == "bold bold:3 ");
  CHECK(strategies_of("stride = '1min'") == "bold steady bold:3 ");
  CHECK(strategies_of("stride = [1, 2]\nsteps = ['1']") == "bold bold:3 ");
  CHECK(strategies_of("stride = [1, '1min']") == "bold steady bold:3 ");
  CHECK(strategies_of("points = [{ steps = 1 }, { stride = '1min' }]") == "bold steady bold:3 ");
}

TEST_CASE("campaign file: the usual baseline serves only where it is run") {
  const auto campaign = parse("[campaign]\nname = 'x'\ndomain = 'walk'\nstrategies = ['bold']\n");
  REQUIRE(campaign);
  CHECK_FALSE(campaign->baseline);
}

TEST_CASE("campaign file: every error names its line and what was expected") {
  const std::string head = "[campaign]\nname = 'x'\ndomain = 'walk'\n";
  struct Row {
    std::string text;
    std::string error;
  };
  const Row rows[] = {
      {"",
       "walk.toml: /campaign: is missing: begin the file with [campaign], name = \"my campaign\" "
       "and "
       "domain = \"walk\"; 'holdfast init DOMAIN' writes a whole one"},
      {"campaign = 3", "walk.toml:1: /campaign: found 3, expected an object"},
      {"[campaign]\nname = 'x'\n",
       "walk.toml:1: /campaign/domain: is missing: domain = \"walk\", or another of walk"},
      {"[campaign]\nname = 'x'\ndomain = 'wlak'\n",
       "walk.toml:3: /campaign/domain: unknown domain 'wlak'; did you mean 'walk'?"},
      {"[campaign]\nname = 'x'\ndomain = 5\n",
       "walk.toml:3: /campaign/domain: found 5, expected the name of a domain"},
      {head + "scenario = 5\n",
       "walk.toml:4: /campaign/scenario: unknown field 'scenario'; did you mean 'scenarios'?"},
      {head + "scenarios = 0\n",
       "walk.toml:4: /campaign/scenarios: found 0, expected a whole number from 1 to "
       "1000000000000"},
      {head + "scenarios = 2.5\n",
       "walk.toml:4: /campaign/scenarios: found 2.5, expected a whole number from 1 to "
       "1000000000000"},
      {head + "instances = 'many'\n",
       "walk.toml:4: /campaign/instances: found the string \"many\", expected a whole number from "
       "1 to "
       "1000000000000"},
      {head + "seed = -1\n",
       "walk.toml:4: /campaign/seed: found -1, expected a whole number of at least 0"},
      {head + "seed = 'x'\n",
       "walk.toml:4: /campaign/seed: found the string \"x\", expected a whole number of at least "
       "0"},
      {head + "strategies = ['steady',\n  'bald']\n",
       "walk.toml:5: /campaign/strategies/1: unknown strategy 'bald'; did you mean 'bold'?"},
      {head + "strategies = ['steady', 'steady']\n",
       "walk.toml:4: /campaign/strategies/1: 'steady' is named twice"},
      {head + "strategies = ['bold:-1']\n",
       "walk.toml:4: /campaign/strategies/0: by: found the string \"-1\", expected a number "
       "greater than 0"},
      {head + "strategies = 'steady'\n",
       "walk.toml:4: /campaign/strategies: found the string \"steady\", expected an array"},
      {head + "strategies = ['steady']\nbaseline = 'bold'\n",
       "walk.toml:5: /campaign/baseline: 'bold' is not among the strategies; known: steady"},
      {head + "[parameters]\nsteps = []\n",
       "walk.toml:5: /parameters/steps: found an empty array, expected at least one value to "
       "sweep over"},
      {head + "[parameters]\npoints = [3]\n",
       "walk.toml:5: /parameters/points/0: found 3, expected a table"},
      {head + "parameters = 3\n",
       "walk.toml:4: /campaign/parameters: unknown field 'parameters'; known: name, domain, seed, "
       "instances, scenarios, strategies, baseline"},
      {head + "[parameters]\nsteps = nan\n",
       "walk.toml:5: /parameters/steps: found nan or inf, expected a finite number"},
      {head + "[problem]\nsteps = 3\n",
       "walk.toml:4: /problem: is no table of a campaign; the problem is described in "
       "[parameters]"},
      {head + "[parameter]\nsteps = 3\n",
       "walk.toml:4: /parameter: unknown field 'parameter'; did you mean 'parameters'?"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto campaign = parse(row.text);
    REQUIRE_FALSE(campaign);
    CHECK(campaign.error().text() == row.error);
    CHECK(exit_code(campaign.error().code) == 3);
  }
}

TEST_CASE("campaign file: text that is not TOML is refused with its line") {
  const auto campaign = parse("[campaign]\nname = \n");
  REQUIRE_FALSE(campaign);
  CHECK(campaign.error().code == ErrorCode::bad_format);
  CHECK(campaign.error().where.starts_with("walk.toml:2"));
}

TEST_CASE("campaign file: a missing file") {
  const auto campaign = read_campaign("no/such/file.toml", fake::known());
  REQUIRE_FALSE(campaign);
  CHECK(campaign.error().where.find("no/such/file.toml") != std::string::npos);
}

TEST_CASE("scale: multiplies instances and scenarios, at least one of each") {
  auto campaign = parse("[campaign]\nname = 'x'\ndomain = 'walk'\ninstances = 3\nscenarios = 50\n");
  REQUIRE(campaign);
  const Campaign less = scaled(*campaign, 0.1);
  CHECK(less.instances == 1);  // 0.3
  CHECK(less.scenarios == 5);
  CHECK(less.scale == 0.1);
  const Campaign more = scaled(*campaign, 2);
  CHECK(more.instances == 6);
  CHECK(more.scenarios == 100);
}

TEST_CASE("default results directory: beside the caller, named after the file") {
  CHECK(default_results_directory("some/where/first-look.toml") == "first-look-results");
  CHECK(default_results_directory("plan") == "plan-results");
}
