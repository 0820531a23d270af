#include "holdfast/locations.hpp"

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace holdfast::cli {
namespace {

namespace fs = std::filesystem;

/// What an installation brings along: beside the program, wherever it was installed or moved to.
fs::path installed_share() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  return (program.parent_path() / HOLDFAST_SHARE_FROM_BIN).lexically_normal();
}

/// The folder below the installation, else the source tree's.
fs::path first_directory(const char* installed, const char* source) {
  const fs::path share = installed_share();
  std::error_code ignored;
  if (!share.empty() && fs::is_directory(share / installed, ignored)) return share / installed;
  if (fs::is_directory(source, ignored)) return source;
  return {};
}

}  // namespace

std::vector<fs::path> vector_files() {
  std::vector<fs::path> files;
  const fs::path domains = first_directory("domains", HOLDFAST_SOURCE_ROOT "/src/holdfast/domains");
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
  return first_directory("reproduce", HOLDFAST_SOURCE_ROOT "/reproduce");
}

fs::path data_directory() {
  const char* named = std::getenv("HOLDFAST_DATA");
  if (named != nullptr && *named != '\0') return fs::absolute(named).lexically_normal();
  const fs::path beside = fs::path(HOLDFAST_SOURCE_ROOT "/../shared/data").lexically_normal();
  std::error_code ignored;
  return fs::is_directory(beside, ignored) ? beside : fs::path();
}

fs::path examples_directory() {
  return first_directory("examples", HOLDFAST_SOURCE_ROOT "/examples");
}

std::string program_path() {
  std::error_code code;
  const fs::path path = fs::read_symlink("/proc/self/exe", code);
  return code ? "holdfast" : path.string();
}

}  // namespace holdfast::cli
