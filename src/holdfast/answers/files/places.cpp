#include "holdfast/answers/files/places.hpp"

#include <algorithm>
#include <system_error>

namespace holdfast {
namespace {

namespace fs = std::filesystem;

// Returns the folder of an installation, otherwise that of the source tree.
fs::path first_directory(const Places& places, const char* installed, const char* source) {
  std::error_code ignored;
  for (const fs::path& folder : {places.share.empty() ? fs::path() : places.share / installed,
                                 places.source.empty() ? fs::path() : places.source / source}) {
    if (!folder.empty() && fs::is_directory(folder, ignored)) return folder;
  }
  return {};
}

}  // namespace

std::vector<fs::path> vector_files(const Places& places) {
  std::vector<fs::path> files;
  const fs::path domains = first_directory(places, "domains", "src/holdfast/domains");
  if (domains.empty()) return files;
  std::error_code error;
  for (const auto& domain : fs::directory_iterator(domains, error)) {
    for (const auto& file : fs::directory_iterator(domain.path() / "vectors", error)) {
      if (file.path().extension() == ".json") files.push_back(file.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

fs::path reproduce_directory(const Places& places) {
  return first_directory(places, "reproduce", "reproduce");
}

fs::path examples_directory(const Places& places) {
  return first_directory(places, "examples", "examples");
}

}  // namespace holdfast
