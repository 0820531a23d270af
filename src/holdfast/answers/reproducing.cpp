#include "holdfast/answers/reproducing.hpp"

#include "holdfast/answers/campaign_file.hpp"
#include "holdfast/answers/command_rows.hpp"
#include "holdfast/answers/output_file.hpp"
#include "holdfast/answers/report_file.hpp"
#include "holdfast/answers/reproduction_plot.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/run.hpp"
#include "holdfast/pages/reproduction_page.hpp"
#include "holdfast/reproduction/measure.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace holdfast {
namespace {

namespace fs = std::filesystem;
using reproduction::Item;
using reproduction::Reproduced;

Result<Results> run_cells(const fs::path& file, const ReproduceOptions& options,
                          std::span<const Domain* const> domains,
                          const ReproduceListener& listener) {
  HOLDFAST_TRY(campaign, read_campaign_file(file, domains, options.data));
  RunOptions run;
  run.control = options.control;
  // Campaigns that several items share have one directory, named after the folder of the campaign file and its variant:
  // fig-4.2/campaign-borg.toml has fig-4.2-borg.
  constexpr std::string_view kCampaign = "campaign";
  const std::string name = file.stem().string();
  fs::path directory = options.directory / file.parent_path().filename();
  if (name.starts_with(kCampaign)) directory += name.substr(kCampaign.size());
  auto report = run_campaign(scaled(std::move(campaign), options.scale), directory, run);
  if (listener.ran) listener.ran();
  if (!report) return fail(report.error());
  if (listener.warn) {
    for (const std::string& warning : report->warnings) listener.warn(warning);
  }
  if (report->interrupted) {
    return fail(ErrorCode::interrupted, "",
                fmt::format("stopped: {} of {} cells are kept in {}; the same command continues",
                            report->progress.done, report->progress.total, directory.string()));
  }
  return Results::open(directory);
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

Status Reproducing::measure_campaign(Reproduced& out) const {
  const Item& item = out.item;
  HOLDFAST_TRY(results, run_cells(item.campaign, options_, domains_, listener_));
  HOLDFAST_TRY(measured, reproduction::measure(item, results, domains_));
  out.measured = std::move(measured);
  for (const StoredMetric& metric : results.description().metrics) {
    if (!metric.unit.empty()) out.units.emplace(metric.name, metric.unit);
  }
  if (!item.chart || (!options_.report && options_.plot.empty())) return {};
  HOLDFAST_TRY(drawn, reproduction::draw(item, results, domains_));
  out.figure = std::move(drawn);
  return options_.plot.empty() ? Status{} : plot(out);
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
  HOLDFAST_CHECK(
      write_page_file(reproduction_page(items, options_.scale, command), file, Links::refused));
  return file;
}

}  // namespace holdfast
