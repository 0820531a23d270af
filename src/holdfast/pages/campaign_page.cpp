#include "holdfast/pages/campaign_page.hpp"

#include "holdfast/base/file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/pages/campaign_charts.hpp"
#include "holdfast/pages/choice.hpp"
#include "holdfast/pages/overall.hpp"
#include "holdfast/pages/summary_tables.hpp"
#include "holdfast/pages/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

namespace holdfast {
namespace {

constexpr std::size_t kMostRows = 400;  // rows of the table of all points; the export has all

std::string axis_text(const Axis& axis) {
  constexpr std::size_t kMost = 40;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(axis.values.size(), kMost); ++i) {
    texts.push_back(parameter_text(axis.values[i]));
  }
  const bool is_long = std::any_of(texts.begin(), texts.end(), [](const std::string& text) {
    return text.find(',') != std::string::npos;
  });
  std::string out = join(texts, is_long ? "; " : ", ");
  if (axis.values.size() > kMost) out += fmt::format(", ... ({} values)", axis.values.size());
  return out;
}

std::vector<PageFact> facts_of(const Results& results, const Overall& overall,
                               const std::string& command) {
  const Description description = results.description().for_people();
  std::vector<PageFact> facts;
  facts.push_back({"command", command, true});
  facts.push_back({"domain", description.domain});
  facts.push_back({"strategies", join(description.strategies, ", ")});
  if (description.baseline) {
    facts.push_back({"baseline", description.strategies[*description.baseline]});
  }
  for (const Axis& axis : description.axes) facts.push_back({axis.name, axis_text(axis)});
  facts.push_back(
      {"cells",
       fmt::format("{} of {}; points {}, instances {}, scenarios {}, strategies {}",
                   overall.cells_done(), overall.cells_total(), results.points(),
                   description.instances, description.scenarios, description.strategies.size())});
  facts.push_back({"seed", std::to_string(description.seed)});
  if (description.scale != 1) facts.push_back({"scale", to_text(description.scale)});
  const Provenance& provenance = results.provenance();
  facts.push_back(
      {"version", "holdfast " + (provenance.versions.empty() ? description.version
                                                             : join(provenance.versions, ", "))});
  if (provenance.unchecked > 0) {
    facts.push_back({"not checked",
                     fmt::format("the first {} cells, stored by a holdfast that kept no checksums",
                                 provenance.unchecked)});
  }
  if (!results.machine().empty()) facts.push_back({"machine", results.machine()});
  facts.push_back({"results", results.directory().string(), true});
  facts.push_back({"every cell",
                   fmt::format("holdfast run {} --export csv", results.directory().string()),
                   true});
  return facts;
}

PageSection what_was_run(const Results& results, const Overall& overall,
                         const std::string& command) {
  PageSection section{.id = "run", .title = "What was run"};
  section.facts = facts_of(results, overall, command);
  // The copy is missing if the campaign had no file; then there is nothing to show.
  if (const auto text = read_file(results.directory() / "campaign.toml")) {
    section.file_name = "campaign.toml";
    section.file_text = *text;
  }
  return section;
}

PageSection all_numbers(const Results& results, const Overall& overall, const CampaignTable& points,
                        std::size_t metric) {
  PageSection section{.id = "numbers", .title = "All numbers"};
  section.tables = overall.other_metrics();
  if (!points.is_empty()) {
    section.tables.push_back(points.table());
    section.tables.back().title += ", every point";
  } else if (results.points() > 1) {
    section.lines.push_back(
        fmt::format("{} points are too many for a table of {}: the charts' data show them grouped.",
                    results.points(), results.description().metrics[metric].name));
  }
  return section;
}

// Returns one choice for each metric that is drawn.
std::vector<ReportChoice> choices_of(const ReportChoice& choice) {
  std::vector<ReportChoice> choices{choice};
  for (const std::size_t metric : choice.also) {
    choices.push_back(choice);
    choices.back().metric = metric;
  }
  return choices;
}

std::vector<PageChart> finish(std::deque<CampaignCharts>& charts,
                              std::span<const ReportChoice> choices,
                              const Description& description) {
  std::vector<PageChart> drawn;
  for (std::size_t i = 0; i < charts.size(); ++i) {
    for (PageChart& chart : charts[i].finish()) {
      if (i > 0) chart.id += "-" + description.metrics[choices[i].metric].name;
      drawn.push_back(std::move(chart));
    }
  }
  return drawn;
}

// Returns the answer of the program as whole sentences.
Result<std::vector<std::string>> verdict_of(const Results& results, std::size_t metric,
                                            const Domain* domain) {
  HOLDFAST_TRY(told, campaign_verdict(results, metric, domain));
  for (std::string& sentence : told) sentence += '.';
  return told;
}

}  // namespace

Result<Page> campaign_page(const Results& results, const Domain* domain,
                           const std::string& command) {
  const Description description = results.description().for_people();
  const std::span<const Parameter> fields =
      domain == nullptr ? std::span<const Parameter>{} : domain->fields;
  HOLDFAST_TRY(choice, read_choice(description, fields));
  Overall overall(description, choice.metric);
  const std::vector<ReportChoice> choices = choices_of(choice);
  std::deque<CampaignCharts> charts;
  for (const ReportChoice& one : choices) charts.emplace_back(description, one);
  CampaignTable points(description, choice.metric);
  const bool has_table =
      results.points() > 1 && results.points() * description.strategies.size() <= kMostRows;
  HOLDFAST_CHECK(results.for_each_point([&](const PointCells& cells) -> Status {
    overall.add(cells);
    for (CampaignCharts& one : charts) one.add(cells);
    if (has_table) {
      points.add(results.parameters(cells.position()),
                 summarize(cells, description.metrics, description.baseline, description.bounds),
                 rank(cells, description.metrics, choice.metric, description.bounds));
    }
    return {};
  }));

  Page page;
  page.title = description.name;
  page.kicker =
      fmt::format("holdfast {}, campaign, domain {}, seed {}, {} cells", description.version,
                  description.domain, description.seed, overall.cells_done());
  page.command = results.command().empty() ? command : results.command();
  HOLDFAST_TRY(told, verdict_of(results, choice.metric, domain));
  page.answers = std::move(told);
  page.problem = campaign_problem(results);
  page.warnings = overall.warnings();
  page.answer_table = overall.strategies_table();
  std::vector<PageChart> drawn = finish(charts, choices, description);
  if (!drawn.empty()) {
    page.answer_chart = std::move(drawn.front());
    drawn.erase(drawn.begin());
  }
  if (!drawn.empty()) {
    page.sections.push_back({.id = "more", .title = "Charts", .charts = std::move(drawn)});
  }
  page.sections.push_back(all_numbers(results, overall, points, choice.metric));
  page.sections.push_back(what_was_run(results, overall, page.command));
  return page;
}

}  // namespace holdfast
