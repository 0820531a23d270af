#include "holdfast/answers/campaign/campaign_draft.hpp"

#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/run.hpp"
#include "holdfast/catalog/catalog.hpp"

#include <doctest/doctest.h>

#include "support/scratch.hpp"
#include <filesystem>
#include <string>

using namespace holdfast;

namespace {

std::filesystem::path examples() {
  return std::filesystem::absolute(HOLDFAST_SOURCE_DIR "/examples");
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("drafts: what is written for a domain runs as it is") {
  for (const Domain* domain : domains()) {
    INFO(domain->name);
    const Scratch scratch;
    const auto campaign =
        parse_campaign(campaign_draft(*domain, examples()), "draft.toml", scratch.path());
    REQUIRE_MESSAGE(campaign, campaign.error().text());
    const auto report = run_campaign(scaled(*campaign, 0.05), scratch / "out");
    REQUIRE_MESSAGE(report, report.error().text());
    CHECK(report->progress.done == report->progress.total);
    CHECK_MESSAGE(report->progress.total >= 2 * campaign->strategies.size(), "nothing is swept");
  }
}

TEST_CASE("drafts: every field, strategy and metric of the catalog is explained") {
  for (const Domain* domain : domains()) {
    const std::string draft = campaign_draft(*domain, examples());
    INFO(domain->name);
    for (const Parameter& field : domain->fields) {
      const std::string_view name = field.pointer.empty() ? field.name : field.pointer;
      const std::string key(name.substr(name.rfind('/') + 1));
      CHECK_MESSAGE(has(draft, key + " = "), key);
    }
    for (const StrategyEntry& entry : domain->strategies) {
      if (!entry.takes_rule)
        CHECK_MESSAGE(has(draft, "#   " + std::string(entry.name)), entry.name);
    }
    for (const Metric& metric : domain->metrics)
      CHECK_MESSAGE(has(draft, "#   " + std::string(metric.name)), metric.name);
  }
}

TEST_CASE("drafts: what has a default stands there as it may be set") {
  for (const Domain* domain : domains()) {
    INFO(domain->name);
    std::size_t settings = 0;
    std::string table;
    const std::string draft = campaign_draft(*domain, examples());
    for (std::size_t begin = 0; begin < draft.size();) {
      const std::size_t end = draft.find('\n', begin);
      std::string line = draft.substr(begin, end - begin);
      begin = end + 1;
      const bool is_setting = line.starts_with("# ") && has(line, " = ") && !has(line, " = <") &&
                              line.find(' ', 2) == line.find(" = ");
      if (!is_setting) continue;
      ++settings;
      CHECK_MESSAGE(parse_toml(line.substr(2)), line);
    }
    CHECK(settings > 0);
  }
}
