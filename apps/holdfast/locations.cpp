#include "holdfast/locations.hpp"

#include <cstdlib>
#include <string_view>
#include <system_error>

namespace holdfast::cli {
namespace {

namespace fs = std::filesystem;

fs::path data_directory() {
  const char* named = std::getenv("HOLDFAST_DATA");
  std::error_code ignored;
  if (named != nullptr && *named != '\0') {
    // If the current directory no longer exists, only commands that need the folder fail.
    const fs::path folder = fs::absolute(named, ignored);
    return ignored ? fs::path(named) : folder.lexically_normal();
  }
  if (std::string_view(HOLDFAST_SOURCE_ROOT).empty()) return {};  // built only to be installed
  const fs::path beside = fs::path(HOLDFAST_SOURCE_ROOT "/../shared/data").lexically_normal();
  return fs::is_directory(beside, ignored) ? beside : fs::path();
}

}  // namespace

Places usual_places() {
  Places places{.share = {}, .source = HOLDFAST_SOURCE_ROOT, .data = data_directory()};
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return places;
  places.share = (program.parent_path() / HOLDFAST_SHARE_FROM_BIN).lexically_normal();
  places.program = {program.string()};
  return places;
}

}  // namespace holdfast::cli
