#pragma once

#include "holdfast/answers/command_runner.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/campaign/control.hpp"
#include "holdfast/contract/domain.hpp"
#include "holdfast/reproduction/item.hpp"
#include "holdfast/reproduction/summary.hpp"

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// How published tables and figures are measured again.
struct ReproduceOptions {
  double scale = 1;  ///< of instances and scenarios
  /// Holds the campaigns' results, one folder for each, and the report.
  std::filesystem::path directory = "reproduce-results";
  std::filesystem::path plot =
      {};               ///< where figures are drawn, an SVG for each panel; empty: nowhere
  bool force = false;   ///< replace pictures that exist
  bool report = false;  ///< a page will show figures and schedules
  std::filesystem::path data = {};  ///< the folder of real data; empty: none
  Control control = {};
};

/// Who is told what happens meanwhile. Each may be empty.
struct ReproduceListener {
  std::function<void(std::string_view)> warn = {};
  std::function<void(const std::filesystem::path&)> wrote = {};
  std::function<void()> ran = {};  ///< a campaign has ended, and with it its progress
};

/// Measures published tables and figures: the missing cells of their campaigns, and the commands that they name.
class Reproducing {
 public:
  /// @param domains  that campaigns may name; has to outlive this
  Reproducing(ReproduceOptions options, std::span<const Domain* const> domains, CommandRunner run,
              ReproduceListener listener)
      : options_{std::move(options)},
        domains_{domains},
        run_{std::move(run)},
        listener_{std::move(listener)} {}

  /// Measures the items of these folders, one by one. One that cannot be run, for want of its data, does not keep the others
  /// from being measured, unless it is the only one.
  /// @param measured  told of each
  [[nodiscard]] Status measure(std::span<const std::filesystem::path> folders,
                               const std::function<void(reproduction::Reproduced)>& measured) const;

  /// Writes the page of these items into the directory. @returns the file
  [[nodiscard]] Result<std::filesystem::path> write_page(
      std::span<const reproduction::Reproduced> items, const std::string& command) const;

 private:
  [[nodiscard]] Result<reproduction::Reproduced> measure_item(reproduction::Item item) const;
  [[nodiscard]] Status measure_campaign(reproduction::Reproduced& out) const;
  [[nodiscard]] Status measure_commands(reproduction::Reproduced& out) const;
  [[nodiscard]] Status plot(const reproduction::Reproduced& one) const;

  ReproduceOptions options_;
  std::span<const Domain* const> domains_;
  CommandRunner run_;
  ReproduceListener listener_;
};

}  // namespace holdfast
