#include "holdfast/output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

namespace holdfast::cli {
namespace {

bool replaceable(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path path)
    : path_(std::move(path)), packed_(packing_of(path_), [this](std::string_view bytes) -> Status {
        if (stream_->write(bytes.data(), static_cast<std::streamsize>(bytes.size()))) return {};
        return failed();
      }) {
  temporary_ = path_;
  if (replaceable(path_)) temporary_ += "." + std::to_string(::getpid()) + ".part";
  stream_ = std::make_unique<std::ofstream>(temporary_, std::ios::binary | std::ios::trunc);
}

OutputFile::~OutputFile() {
  if (finished_ || temporary_ == path_) return;
  stream_->close();
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

tl::unexpected<Error> OutputFile::failed() const {
  const std::string reason = errno == 0 ? "unknown reason" : std::generic_category().message(errno);
  return fail(ErrorCode::io_failure, path_.string(), "cannot be written: " + reason);
}

Status OutputFile::write(std::string_view text) {
  return packed_.write(text);
}

Status OutputFile::finish() {
  HOLDFAST_CHECK(packed_.finish());
  stream_->close();
  if (!*stream_) return failed();
  if (temporary_ != path_) {
    std::error_code error;
    std::filesystem::rename(temporary_, path_, error);
    if (error)
      return fail(ErrorCode::io_failure, path_.string(), "cannot be written: " + error.message());
  }
  finished_ = true;
  return {};
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

Result<std::filesystem::path> place_for(const std::string& output, const std::string& name) {
  std::error_code error;
  std::filesystem::path place = output;
  const bool is_directory = output.ends_with('/') || std::filesystem::is_directory(place, error);
  if (!is_directory) return place;
  std::filesystem::create_directories(place, error);
  if (error) return fail(ErrorCode::io_failure, output, "cannot be made: " + error.message());
  return place / name;
}

}  // namespace holdfast::cli
