#include "holdfast/locations.hpp"

#include <algorithm>
#include <system_error>

namespace holdfast::cli {
namespace {

namespace fs = std::filesystem;

// In the source tree a domain's vectors lie in its folder; installation keeps the same shape.
constexpr const char* kDomains[] = {HOLDFAST_SOURCE_ROOT "/src/holdfast/domains",
                                    HOLDFAST_SHARE "/domains"};
constexpr const char* kReproduce[] = {HOLDFAST_SOURCE_ROOT "/reproduce",
                                      HOLDFAST_SHARE "/reproduce"};

template <class Candidates>
fs::path first_directory(const Candidates& candidates) {
  for (const char* candidate : candidates) {
    std::error_code ignored;
    if (fs::is_directory(candidate, ignored)) return candidate;
  }
  return {};
}

}  // namespace

std::vector<fs::path> vector_files() {
  std::vector<fs::path> files;
  const fs::path domains = first_directory(kDomains);
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

fs::path reproduce_directory() {
  return first_directory(kReproduce);
}

}  // namespace holdfast::cli
