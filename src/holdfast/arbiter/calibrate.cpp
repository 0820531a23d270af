#include "holdfast/arbiter/calibrate.hpp"

#include "holdfast/base/descriptor.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/contract/field.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

namespace holdfast::arbiter {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double kMostWriters = 1024;
/// Direct writes begin and end at multiples of this number of bytes.
constexpr std::size_t kAlignment = 4096;
/// The part of the measured bandwidth that is advised.
constexpr double kBelow = 0.97;
/// The plateau begins where this part of the largest bandwidth is reached.
constexpr double kPlateau = 0.95;

constexpr auto kCalibrate = std::to_array<Field<CalibrateOptions>>({
    {.name = "directory",
     .summary = "a folder on the file system that is to be measured",
     .member = member<&CalibrateOptions::directory>,
     .is_required = true,
     .value_name = "DIR"},
    {.name = "writers",
     .summary = "numbers of writers that write at the same time, one measurement each",
     .kind = Kind::text,
     .fallback = "1,2,4,8",
     .value_name = "N,..."},
    {.name = "time",
     .summary = "length of each measurement, after half a second that does not count",
     .member = member<&CalibrateOptions::time>,
     .unit = Unit::seconds,
     .range = between(0.1, 3600)},
    {.name = "size",
     .summary = "size of the file of each writer, which it writes again and again",
     .member = member<&CalibrateOptions::size>,
     .unit = Unit::bytes,
     .range = at_least(65536)},
    {.name = "piece",
     .summary = "bytes that a writer writes at once, in whole blocks of 4096",
     .member = member<&CalibrateOptions::piece>,
     .unit = Unit::bytes,
     .range = between(4096, 1073741824)},
});

tl::unexpected<Error> cannot_write(const std::string& directory, std::string_view what, int code) {
  return fail(ErrorCode::io_failure, directory,
              fmt::format("{}: {}", what, std::generic_category().message(code)));
}

/// Opens a file without a name, or one whose name is removed at once: it disappears when it is closed.
Descriptor open_nameless(const std::string& directory, int flags) {
  Descriptor out(::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | flags, 0600));
  if (out.get() >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return out;
  std::string name = directory + "/holdfast-calibrate-XXXXXX";
  out = Descriptor(::mkostemp(name.data(), O_CLOEXEC | flags));
  const int code = errno;
  if (out.get() >= 0) ::unlink(name.c_str());
  errno = code;
  return out;
}

/// A block of memory at an address from which direct writes are allowed.
class Piece {
 public:
  explicit Piece(std::size_t bytes)
      : data_(std::aligned_alloc(kAlignment, bytes), &std::free), size_(bytes) {
    // The block is not filled with zeros, because some file systems do not write these.
    auto* bytes_of = static_cast<unsigned char*>(data_.get());
    std::uint32_t state = 2463534242U;
    for (std::size_t i = 0; i < size_; ++i) {
      state ^= state << 13U;
      state ^= state >> 17U;
      state ^= state << 5U;
      bytes_of[i] = static_cast<unsigned char>(state);
    }
  }
  [[nodiscard]] const void* data() const { return data_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::unique_ptr<void, void (*)(void*)> data_;
  std::size_t size_;
};

/// The writers of one measurement, each a thread with its own file.
class Writers {
 public:
  Writers(std::vector<Descriptor> files, const CalibrateOptions& options, bool is_direct)
      : files_(std::move(files)), options_(&options), is_direct_(is_direct) {}

  /// Lets them write. @returns bytes/s of all writers together, or the error of the first one that failed
  Result<double> measure() {
    std::vector<std::thread> threads;
    threads.reserve(files_.size());
    for (const Descriptor& file : files_) {
      threads.emplace_back([this, &file] { write_until_told(file.get()); });
    }
    rest(options_->warm_up);
    const std::uint64_t before = moved_;
    const auto begin = Clock::now();
    rest(options_->time);
    const std::uint64_t moved = moved_ - before;
    const std::chrono::duration<double> took = Clock::now() - begin;
    is_over_ = true;
    for (std::thread& thread : threads) thread.join();
    if (code_ != 0) return cannot_write(options_->directory, "cannot be written to", code_);
    return static_cast<double>(moved) / took.count();
  }

 private:
  // Sleeps until the time has passed or a writer has failed.
  void rest(double seconds) const {
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    while (code_ == 0 && Clock::now() < end) {
      const std::chrono::duration<double> left = end - Clock::now();
      std::this_thread::sleep_for(std::min(left, std::chrono::duration<double>(0.05)));
    }
  }

  void write_until_told(int file) {
    const Piece piece(static_cast<std::size_t>(options_->piece));
    const auto size = static_cast<off_t>(options_->size);
    off_t at = 0;
    while (!is_over_) {
      if (at + static_cast<off_t>(piece.size()) > size) at = 0;
      const auto count = ::pwrite(file, piece.data(), piece.size(), at);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0 || (!is_direct_ && ::fdatasync(file) != 0)) {
        int none = 0;
        code_.compare_exchange_strong(none, count == 0 ? ENOSPC : errno);
        return;
      }
      moved_ += static_cast<std::uint64_t>(count);
      at += static_cast<off_t>(count);
      // After a short write, the next position would not be aligned.
      if (static_cast<std::size_t>(count) < piece.size()) at = 0;
    }
  }

  std::vector<Descriptor> files_;
  const CalibrateOptions* options_;
  bool is_direct_;
  std::atomic<std::uint64_t> moved_{0};
  std::atomic<int> code_{0};
  std::atomic<bool> is_over_{false};
};

Status check_room(const CalibrateOptions& options) {
  std::error_code error;
  if (!fs::is_directory(options.directory, error)) {
    return fail(
        ErrorCode::usage, "/directory",
        fmt::format("found {}, expected a folder that is there", in_quotes(options.directory)));
  }
  const auto most = *std::max_element(options.writers.begin(), options.writers.end());
  const double needed = static_cast<double>(most) * options.size;
  const fs::space_info space = fs::space(options.directory, error);
  if (error || static_cast<double>(space.available) > needed) return {};
  return fail(ErrorCode::bad_value, "/size",
              fmt::format("found {} for each of {}, expected files that fit into the {} that are "
                          "free in {}",
                          format_quantity(options.size, Unit::bytes), counted(most, "writer"),
                          format_quantity(static_cast<double>(space.available), Unit::bytes),
                          in_quotes(options.directory)));
}

Result<CalibratedPoint> measure_with(std::int64_t writers, const CalibrateOptions& options,
                                     bool is_direct) {
  std::vector<Descriptor> files;
  for (std::int64_t i = 0; i < writers; ++i) {
    files.push_back(open_nameless(options.directory, is_direct ? O_DIRECT : 0));
    if (files.back().get() < 0) {
      return cannot_write(options.directory, "no file can be made there", errno);
    }
  }
  HOLDFAST_TRY(bandwidth, Writers(std::move(files), options, is_direct).measure());
  return CalibratedPoint{writers, bandwidth};
}

Result<std::vector<std::int64_t>> read_writers(const std::string& text) {
  std::vector<std::int64_t> out;
  for (const std::string_view word : split(text, ',')) {
    const auto number = parse_integer(word);
    if (!number || *number < 1 || static_cast<double>(*number) > kMostWriters) {
      return fail(ErrorCode::usage, "/writers",
                  fmt::format("found {}, expected numbers from 1 to {}, as in 1,2,4,8",
                              in_quotes(text), kMostWriters));
    }
    out.push_back(*number);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

double advised_bandwidth(std::span<const CalibratedPoint> points) {
  const auto less = [](const auto& a, const auto& b) { return a.bandwidth < b.bandwidth; };
  const double most = std::max_element(points.begin(), points.end(), less)->bandwidth;
  const auto plateau = std::find_if(points.begin(), points.end(), [&](const auto& one) {
    return one.bandwidth >= kPlateau * most;
  });
  return kBelow * std::min_element(plateau, points.end(), less)->bandwidth;
}

std::span<const Parameter> calibrate_parameters() {
  return fields_of<kCalibrate>().parameters();
}

Result<CalibrateOptions> read_calibrate_options(const Value& values) {
  const Value known = values.is_null() ? Value::object() : values;
  if (known.find("directory") == nullptr) {
    return fail(ErrorCode::usage, "/directory",
                "is missing, expected a folder on the file system, as in /scratch");
  }
  CalibrateOptions out;
  ObjectReader read(known, "");
  fields_of<kCalibrate>().read(read, out);
  read.ignore("writers");
  HOLDFAST_CHECK(read.finish());
  if (const Value* given = known.find("writers")) {
    HOLDFAST_TRY(writers, read_writers(*given->string()));
    out.writers = std::move(writers);
  }
  out.piece = std::floor(out.piece / kAlignment) * kAlignment;
  if (out.piece > out.size) {
    return fail(ErrorCode::usage, "/piece",
                fmt::format("found {}, expected at most the --size of {}",
                            format_quantity(out.piece, Unit::bytes),
                            format_quantity(out.size, Unit::bytes)));
  }
  return out;
}

Result<Answer> calibrate(const CalibrateOptions& options) {
  HOLDFAST_CHECK(check_room(options));
  // File systems in memory, and some others, do not support direct writes.
  const bool is_direct = open_nameless(options.directory, O_DIRECT).get() >= 0;
  std::vector<CalibratedPoint> points;
  for (const std::int64_t writers : options.writers) {
    HOLDFAST_TRY(point, measure_with(writers, options, is_direct));
    points.push_back(point);
  }
  const double advised = advised_bandwidth(points);

  Answer answer;
  answer.headline = fmt::format("direct writes of {} in {}, {} for each number of writers",
                                format_quantity(options.piece, Unit::bytes),
                                printable(options.directory), format_duration(options.time));
  if (!is_direct) {
    answer.headline = fmt::format(
        "writes of {} with a sync after each in {}, {} for each number "
        "of writers",
        format_quantity(options.piece, Unit::bytes), printable(options.directory),
        format_duration(options.time));
    answer.lines.emplace_back("this file system takes no direct writes");
  }
  answer.verdict.push_back(fmt::format("holdfast io serve --bandwidth {:.0f}MB/s",
                                       std::max(std::floor(advised / 1e6), 1.0)));
  Table table{.title = "what writers reached together",
              .columns = {{.title = "writers"},
                          {.title = "bandwidth", .unit = Unit::bytes_per_second},
                          {.title = "of each", .unit = Unit::bytes_per_second}},
              .rows = {}};
  Value measured = Value::array();
  for (const CalibratedPoint& point : points) {
    table.rows.push_back(
        {point.writers, point.bandwidth, point.bandwidth / static_cast<double>(point.writers)});
    measured.push(Value::object({{"writers", point.writers}, {"bandwidth", point.bandwidth}}));
  }
  answer.tables.push_back(std::move(table));
  answer.document.set("directory", options.directory);
  answer.document.set("direct", is_direct);
  answer.document.set("bandwidth", advised);
  answer.document.set("measured", std::move(measured));
  return answer;
}

}  // namespace holdfast::arbiter
