#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace holdfast {

/// Where Holdfast lies: the files that it brings along, and how it is started. The program finds them itself; who embeds
/// it says them.
struct Places {
  /// What an installation brings along: domains/, reproduce/, examples/.
  std::filesystem::path share;
  /// The source tree, for what `share` does not have; may be empty.
  std::filesystem::path source = {};
  /// The folder of real data, which is no part of the project ($HOLDFAST_DATA of campaign files); empty: none.
  std::filesystem::path data = {};
  /// The words that start Holdfast on another machine that sees the same files.
  std::vector<std::string> program = {"holdfast"};
};

/// Returns every domain's vectors/*.json, in the order of their names.
[[nodiscard]] std::vector<std::filesystem::path> vector_files(const Places& places);

/// Returns the folder that holds one folder per reproduced table or figure; empty if there is none.
[[nodiscard]] std::filesystem::path reproduce_directory(const Places& places);

/// Returns the folder of the examples; empty if there is none.
[[nodiscard]] std::filesystem::path examples_directory(const Places& places);

}  // namespace holdfast
