#include "holdfast/locations.hpp"

#include <cstdlib>
#include <system_error>

namespace holdfast::cli {
namespace {

namespace fs = std::filesystem;

fs::path data_directory() {
  const char* named = std::getenv("HOLDFAST_DATA");
  if (named != nullptr && *named != '\0') return fs::absolute(named).lexically_normal();
  const fs::path beside = fs::path(HOLDFAST_SOURCE_ROOT "/../shared/data").lexically_normal();
  std::error_code ignored;
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
