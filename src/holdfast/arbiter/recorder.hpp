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

/// Returns the first line of a record, which has the settings in bytes per second and seconds.
/// @param policy  canonical text, as in Policy::text
[[nodiscard]] Value record_header(const Settings& settings, std::string_view policy);

/// Returns the line for a happening, or null if records do not contain it. docs/reference/io-record.md lists the fields.
[[nodiscard]] Value record_line(const Happening& happening, double now);

/// A writer of the happenings of a core to a file of JSON lines, for `io generate recorded:FILE` and `io compare`. It never
/// waits for the disk: lines that do not fit into memory are dropped, and a line says how many.
class Recorder {
 public:
  /// @param header  made by record_header()
  [[nodiscard]] static Result<Recorder> open(const std::filesystem::path& path,
                                             const Value& header);

  void hear(const Happening& happening, double now);
  /// Continues in a new file with the same name; the old one is renamed. The caller then introduces the connected applications
  /// (Core::introduce).
  void begin_anew(double now);
  /// Does the same under another header, after the settings have changed.
  void begin_anew(const Value& header, double now);
  /// Records the end of the arbiter.
  void end(double now);

 private:
  Recorder(std::unique_ptr<LineFile> file, std::string header)
      : file_(std::move(file)), header_(std::move(header)) {}
  void add(const Value& line, double now);
  void say_dropped(double now);

  std::unique_ptr<LineFile> file_;
  std::string header_;
  std::uint64_t dropped_ = 0;  // dropped lines that have not been reported yet
};

}  // namespace holdfast::arbiter
