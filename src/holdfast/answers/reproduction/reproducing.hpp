#pragma once

#include "holdfast/answers/command_runner.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/cell.hpp"
#include "holdfast/campaign/control.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/contract/domain.hpp"
#include "holdfast/reproduction/item.hpp"
#include "holdfast/reproduction/summary.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// The options for measuring published tables and figures again.
struct ReproduceOptions {
  /// Factor for the numbers of instances and scenarios; nothing: as many of them as the verdicts need.
  std::optional<double> scale = {};
  /// The directory for the campaigns' results, one folder for each, and for the report.
  std::filesystem::path directory = "reproduce-results";
  /// The folder in which figures are drawn, an SVG for each panel; empty: none are drawn.
  std::filesystem::path plot = {};
  bool force = false;               ///< replace existing pictures
  bool report = false;              ///< a page will show figures and schedules
  std::filesystem::path data = {};  ///< the folder of real data; empty: none
  Control control = {};             ///< settings and stop flag of the runs
};

/// Functions that are called during the run. Each may be empty.
struct ReproduceListener {
  std::function<void(std::string_view)> warn = {};               ///< takes a warning
  std::function<void(const std::filesystem::path&)> wrote = {};  ///< takes the path of a new file
  /// Called when a campaign has ended, so that its progress is no longer shown.
  std::function<void()> ran = {};
};

/// A measurement of published tables and figures: it runs the missing cells of their campaigns, and the commands that they
/// name.
class Reproducing {
 public:
  /// Prepares a measurement.
  /// @param domains  the domains that campaigns may name; must outlive this object
  Reproducing(ReproduceOptions options, std::span<const Domain* const> domains, CommandRunner run,
              ReproduceListener listener)
      : options_{std::move(options)},
        domains_{domains},
        run_{std::move(run)},
        listener_{std::move(listener)} {}

  /// Measures the items of these folders, one after the other. If an item cannot be run because its data are missing, the
  /// others are still measured, unless it is the only one.
  /// @param measured  called for each item
  [[nodiscard]] Status measure(std::span<const std::filesystem::path> folders,
                               const std::function<void(reproduction::Reproduced)>& measured) const;

  /// Writes the page of these items into the directory. @returns the path of the file
  [[nodiscard]] Result<std::filesystem::path> write_page(
      std::span<const reproduction::Reproduced> items, const std::string& command) const;

 private:
  [[nodiscard]] Result<reproduction::Reproduced> measure_item(reproduction::Item item) const;
  [[nodiscard]] Result<Results> run_cells(
      const Campaign& campaign, std::function<bool(std::size_t, const CellKey&)> wanted) const;
  [[nodiscard]] Status measure_campaign(reproduction::Reproduced& out) const;
  [[nodiscard]] Status measure_commands(reproduction::Reproduced& out) const;
  [[nodiscard]] Status plot(const reproduction::Reproduced& one) const;

  ReproduceOptions options_;
  std::span<const Domain* const> domains_;
  CommandRunner run_;
  ReproduceListener listener_;
};

}  // namespace holdfast
