#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace holdfast {

/// Where Holdfast lies: the files that it brings along, and how it is started. The program finds them itself; who embeds
/// it says them.
struct Places {
  std::filesystem::path
      share;  ///< what an installation brings along: domains/, reproduce/, examples/
  std::filesystem::path source =
      {};  ///< the source tree, for what `share` does not have; may be empty
  /// The folder of real data, which is no part of the project ($HOLDFAST_DATA of campaign files); empty: none.
  std::filesystem::path data = {};
  /// The words that start Holdfast on another machine that sees the same files.
  std::vector<std::string> program = {"holdfast"};
};

/// Every domain's vectors/*.json, in the order of their names.
[[nodiscard]] std::vector<std::filesystem::path> vector_files(const Places& places);

/// The folder that holds one folder per reproduced table or figure; empty where there is none.
[[nodiscard]] std::filesystem::path reproduce_directory(const Places& places);

/// The folder of the examples; empty where there is none.
[[nodiscard]] std::filesystem::path examples_directory(const Places& places);

}  // namespace holdfast
