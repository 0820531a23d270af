#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace holdfast {

/// The locations of the files that belong to Holdfast, and the command that starts it. The program `holdfast` finds them
/// itself; a program that embeds the library sets them.
struct Places {
  /// The folder with the installed files: domains/, reproduce/, examples/.
  std::filesystem::path share;
  /// The source tree, for files that `share` does not have; may be empty.
  std::filesystem::path source = {};
  /// The folder of real data, which is not part of the project ($HOLDFAST_DATA in campaign files); empty: none.
  std::filesystem::path data = {};
  /// The command that starts Holdfast on another machine that sees the same files.
  std::vector<std::string> program = {"holdfast"};
};

/// Returns every domain's vectors/*.json, in order of name.
[[nodiscard]] std::vector<std::filesystem::path> vector_files(const Places& places);

/// Returns the folder with one folder per reproduced table or figure; empty if there is none.
[[nodiscard]] std::filesystem::path reproduce_directory(const Places& places);

/// Returns the folder of the examples; empty if there is none.
[[nodiscard]] std::filesystem::path examples_directory(const Places& places);

}  // namespace holdfast
