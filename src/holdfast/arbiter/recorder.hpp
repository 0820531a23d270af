#pragma once

#include "holdfast/arbiter/core.hpp"
#include "holdfast/arbiter/happening.hpp"
#include "holdfast/arbiter/line_file.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace holdfast::arbiter {

/// Returns the first line of a record: by what it was decided. Bytes per second and seconds.
/// @param policy  canonical, as in Policy::text
[[nodiscard]] Value record_header(const Settings& settings, std::string_view policy);

/// Returns the line of a happening, or null for one that no record has. docs/reference/io-record.md has the fields.
[[nodiscard]] Value record_line(const Happening& happening, double now);

/// Writes what happens in a core to a file of JSON lines that `io generate recorded:FILE` and `io compare` read. It never
/// waits for the disk: lines that do not fit in memory meanwhile are dropped, and a line says how many.
class Recorder {
 public:
  /// @param header  as record_header() makes it
  [[nodiscard]] static Result<Recorder> open(const std::filesystem::path& path,
                                             const Value& header);

  void hear(const Happening& happening, double now);
  /// Goes on in a new file of the same name; what stood in the present one is kept under another. The caller introduces
  /// those that are there (Core::introduce).
  void begin_anew(double now);
  /// The arbiter ends.
  void end(double now);

 private:
  Recorder(std::unique_ptr<LineFile> file, std::string header)
      : file_(std::move(file)), header_(std::move(header)) {}
  void add(const Value& line, double now);
  void say_dropped(double now);

  std::unique_ptr<LineFile> file_;
  std::string header_;
  std::uint64_t dropped_ = 0;  // lines that no line speaks of
};

}  // namespace holdfast::arbiter
