#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// What was said about the results of a campaign, kept beside them, so that nothing is computed again where nothing has changed.
struct KeptAnswer {
  static constexpr std::string_view kFile = "results.kept";

  std::uint64_t state = 0;    ///< Results::state() of the cells that it is about
  std::uint64_t made_by = 0;  ///< of everything else that it depends on; 0: nothing was said
  std::uint64_t page = 0;     ///< checksum of the page; 0: none was written
  bool is_complete = false;   ///< all cells of the campaign are there
  std::string headline = {};  ///< of the brief answer, like the others; empty: it was not asked for
  std::vector<std::string> verdict = {};
  std::vector<std::string> lines = {};
};

/// Returns what is kept in a directory; nothing if the file is missing or damaged. It is right only for the state that it names.
[[nodiscard]] std::optional<KeptAnswer> read_kept(const std::filesystem::path& directory);

/// Keeps an answer, if the directory takes it.
void keep(const std::filesystem::path& directory, const KeptAnswer& answer);

}  // namespace holdfast
