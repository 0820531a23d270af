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

/// The numbers of rows that name commands. This object runs the commands in memory, as a user would, and takes the value at the
/// pointer of the row. A path in a command that starts with `@/` lies in the item's folder. Rows that need several values of
/// one command run it once.
class CommandRows {
 public:
  explicit CommandRows(CommandRunner run) : run_(std::move(run)) {}

  /// Returns the number of a row.
  [[nodiscard]] Result<reproduction::Measured> measure(const reproduction::Item& item,
                                                       const reproduction::Row& row);
  /// Draws the schedules of an item as DIRECTORY/ID.svg, or as ID-1.svg, ID-2.svg ... if there are several.
  /// @param wrote  called for each file
  [[nodiscard]] Result<std::vector<reproduction::Picture>> draw(
      const reproduction::Item& item, const std::filesystem::path& directory, bool force,
      const std::function<void(const std::filesystem::path&)>& wrote) const;

 private:
  CommandRunner run_;
  std::map<std::string, Value> said_;  // answers by item and command
};

}  // namespace holdfast
