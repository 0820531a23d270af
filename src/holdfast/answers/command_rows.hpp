#pragma once

#include "holdfast/answers/command_runner.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/reproduction/item.hpp"
#include "holdfast/reproduction/sample.hpp"
#include "holdfast/reproduction/summary.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {

/// The numbers of rows that name commands: runs them as a user would, in memory, and takes the value at a row's
/// pointer. A path in a command that starts with `@/` lies in the item's folder. Rows that ask one command for
/// several values run it once.
class CommandRows {
 public:
  explicit CommandRows(CommandRunner run) : run_(std::move(run)) {}

  [[nodiscard]] Result<reproduction::Measured> measure(const reproduction::Item& item,
                                                       const reproduction::Row& row);
  /// Draws the schedules of an item into DIRECTORY/ID.svg, or ID-1.svg, ID-2.svg ... where there are several.
  /// @param wrote  told of each file
  [[nodiscard]] Result<std::vector<reproduction::Picture>> draw(
      const reproduction::Item& item, const std::filesystem::path& directory, bool force,
      const std::function<void(const std::filesystem::path&)>& wrote) const;

 private:
  CommandRunner run_;
  std::map<std::string, Value> said_;  // by item and command
};

}  // namespace holdfast
