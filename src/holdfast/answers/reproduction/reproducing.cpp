#include "holdfast/answers/reproduction/reproducing.hpp"

#include "holdfast/answers/asked/command_rows.hpp"
#include "holdfast/answers/campaign/campaign_file.hpp"
#include "holdfast/answers/campaign/report_file.hpp"
#include "holdfast/answers/files/output_file.hpp"
#include "holdfast/answers/reproduction/reproduction_plot.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/run.hpp"
#include "holdfast/pages/reproduction_page.hpp"
#include "holdfast/reproduction/enough.hpp"
#include "holdfast/reproduction/measure.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace holdfast {
namespace {

namespace fs = std::filesystem;
using reproduction::Draws;
using reproduction::Item;
using reproduction::Reproduced;

/// Returns where the results of a campaign lie. Campaigns that several items share have one directory, named after the folder of the
/// campaign file and its variant: fig-4.2/campaign-borg.toml has fig-4.2-borg.
fs::path results_of(const fs::path& file, const fs::path& directory) {
  constexpr std::string_view kCampaign = "campaign";
  const std::string name = file.stem().string();
  fs::path out = directory / file.parent_path().filename();
  if (name.starts_with(kCampaign)) out += name.substr(kCampaign.size());
  return out;
}

}  // namespace

Status Reproducing::measure(std::span<const fs::path> folders,
                            const std::function<void(Reproduced)>& measured) const {
  for (const fs::path& folder : folders) {
    HOLDFAST_TRY(item, reproduction::read_item(folder));
    auto reproduced = measure_item(item);
    if (reproduced) {
      measured(std::move(*reproduced));
      continue;
    }
    const Error& error = reproduced.error();
    if (folders.size() == 1 || error.code == ErrorCode::interrupted) return fail(error);
    measured({.item = std::move(item), .not_run = error.text()});
  }
  return {};
}

Result<Reproduced> Reproducing::measure_item(Item item) const {
  const auto begin = std::chrono::steady_clock::now();
  Reproduced out{.item = std::move(item)};
  out.measured.resize(out.item.rows.size());
  if (!out.item.campaign.empty()) HOLDFAST_CHECK(measure_campaign(out));
  HOLDFAST_CHECK(measure_commands(out));
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  out.seconds = spent.count();
  return out;
}

Result<Results> Reproducing::run_cells(
    const Campaign& campaign, std::function<bool(std::size_t, const CellKey&)> wanted) const {
  RunOptions run;
  run.control = options_.control;
  run.wanted = std::move(wanted);
  const fs::path directory = results_of(campaign.file, options_.directory);
  auto report = run_campaign(campaign, directory, run);
  if (listener_.ran) listener_.ran();
  if (!report) return fail(report.error());
  if (listener_.warn) {
    for (const std::string& warning : report->warnings) listener_.warn(warning);
  }
  if (report->interrupted) {
    return fail(ErrorCode::interrupted, "",
                fmt::format("stopped: {} of {} cells are kept in {}; the same command continues",
                            report->progress.done, report->progress.total, directory.string()));
  }
  return Results::open(directory);
}

Status Reproducing::measure_campaign(Reproduced& out) const {
  const Item& item = out.item;
  HOLDFAST_TRY(whole, read_campaign_file(item.campaign, domains_, options_.data));
  const Campaign campaign = scaled(std::move(whole), options_.scale.value_or(1));
  const Description description = describe_campaign(campaign);
  const bool is_drawn = item.chart && (options_.report || !options_.plot.empty());
  // A picture shows all draws.
  Draws draws = options_.scale || is_drawn ? reproduction::all_draws(description)
                                           : reproduction::first_draws(item, description);
  for (bool is_enough = false; !is_enough;) {
    std::function<bool(std::size_t, const CellKey&)> wanted;
    if (!draws.rows.empty()) {
      HOLDFAST_TRY(needed, needed_draws(item, description, draws, domains_));
      wanted = [needed = std::move(needed), &campaign](std::size_t position, const CellKey& key) {
        const std::uint64_t draw = campaign.scenarios > 1 ? key.scenario : key.instance;
        return draw < needed[position * campaign.strategies.size() + key.strategy];
      };
    }
    HOLDFAST_TRY(results, run_cells(campaign, std::move(wanted)));
    HOLDFAST_TRY(measured, reproduction::measure(item, results, draws, domains_));
    out.measured = std::move(measured);
    is_enough = draws.rows.empty() || !add_draws(item, out.measured, draws);
    if (is_drawn) {
      HOLDFAST_TRY(drawn, reproduction::draw(item, results, domains_));
      out.figure = std::move(drawn);
    }
  }
  for (const StoredMetric& metric : description.metrics) {
    if (!metric.unit.empty()) out.units.emplace(metric.name, metric.unit);
  }
  return options_.plot.empty() || !is_drawn ? Status{} : plot(out);
}

Status Reproducing::measure_commands(Reproduced& out) const {
  const Item& item = out.item;
  CommandRows commands(run_);
  const auto wrote = [this](const fs::path& file) {
    if (listener_.wrote) listener_.wrote(file);
  };
  // A page contains its pictures; they are also written as files beside it.
  if (!item.drawings.empty() && (options_.report || !options_.plot.empty())) {
    const bool is_plot = !options_.plot.empty();
    HOLDFAST_TRY(pictures, commands.draw(item, is_plot ? options_.plot : options_.directory,
                                         !is_plot || options_.force, wrote));
    out.pictures = std::move(pictures);
  }
  for (std::size_t i = 0; i < item.rows.size(); ++i) {
    if (item.rows[i].command.empty()) continue;
    HOLDFAST_TRY(value, commands.measure(item, item.rows[i]));
    out.measured[i] = value;
  }
  return {};
}

Status Reproducing::plot(const Reproduced& one) const {
  HOLDFAST_CHECK(make_directory(options_.plot));
  for (const NamedPicture& picture : pictures_of(one.item, one.figure)) {
    const fs::path file = options_.plot / picture.file;
    HOLDFAST_CHECK(write_new_file(file, picture.svg, options_.force));
    if (listener_.wrote) listener_.wrote(file);
  }
  return {};
}

Result<fs::path> Reproducing::write_page(std::span<const Reproduced> items,
                                         const std::string& command) const {
  HOLDFAST_CHECK(make_directory(options_.directory));
  fs::path file = options_.directory / kReportFile;
  HOLDFAST_CHECK(write_page_file(reproduction_page(items, options_.scale.value_or(1), command),
                                 file, Links::refused));
  return file;
}

}  // namespace holdfast
