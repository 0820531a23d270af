#include "holdfast/answers/files/output_file.hpp"

#include <system_error>
#include <utility>

namespace holdfast {

OutputFile::OutputFile(const std::filesystem::path& path, Links links)
    : file_(NewFile::create(path, links)),
      packed_(packing_of(path), [this](std::string_view bytes) { return file_->write(bytes); }) {}

Status OutputFile::write(std::string_view text) {
  if (!file_) return fail(file_.error());
  return packed_.write(text);
}

Status OutputFile::finish() {
  if (!file_) return fail(file_.error());
  HOLDFAST_CHECK(packed_.finish());
  return file_->finish();
}

Status check_overwrite(const std::filesystem::path& path, bool force) {
  std::error_code ignored;
  if (force || !std::filesystem::is_regular_file(path, ignored)) return {};
  return fail(ErrorCode::io_failure, path.string(), "exists already; --force replaces it");
}

Status write_new_file(const std::filesystem::path& path, std::string_view text, bool force) {
  HOLDFAST_CHECK(check_overwrite(path, force));
  OutputFile file(path);
  HOLDFAST_CHECK(file.write(text));
  return file.finish();
}

Status make_directory(const std::filesystem::path& directory) {
  std::error_code code;
  std::filesystem::create_directories(directory, code);
  if (!code) return {};
  return fail(ErrorCode::io_failure, directory.string(), "cannot be made: " + code.message());
}

Result<std::filesystem::path> place_for(const std::string& output, const std::string& name) {
  std::error_code ignored;
  std::filesystem::path place = output;
  const bool is_directory = output.ends_with('/') || std::filesystem::is_directory(place, ignored);
  if (!is_directory) return place;
  HOLDFAST_CHECK(make_directory(place));
  return place / name;
}

}  // namespace holdfast
