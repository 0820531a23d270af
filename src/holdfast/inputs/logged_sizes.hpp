#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/parameter.hpp"
#include "holdfast/kernel/random.hpp"
#include "holdfast/models/speedup/speedup.hpp"
#include "holdfast/models/speedup/speedup_io.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Jobs of a batch log, of which each says how long it took on one number of processors. How it scales is assumed.
namespace holdfast {

/// One job of a log.
struct LoggedSize {
  std::int64_t processors = 1;  ///< on which it ran
  double seconds = 0;           ///< for which it ran, > 0
};

/// The jobs of a log, and the machine that it is of.
struct LoggedSizes {
  std::string file;              ///< name of the log; empty if a document lists the sizes
  std::vector<LoggedSize> jobs;  ///< in the order of the log
  std::vector<double> releases;  ///< [n] seconds since the first submission; or empty
  /// [n] the position of the earlier job that a job follows, -1 for none; or empty: no job follows another.
  std::vector<std::int64_t> preceding;
  std::int64_t machine = 1;  ///< processors: those of its header, else of the widest job
  std::vector<std::string> notes;
};

/// Reads `"log": {"file", "longest", and the fields of read_read_as()}`, a file name alone, or `{"sizes": [[seconds, processors],
/// ...]}`, to which "releases" (seconds) and "preceding" (positions) may be added. Jobs without a run time or processors, and jobs longer than `longest`, are left out and noted.
/// @param directory  the folder to which a relative path refers
[[nodiscard]] Result<LoggedSizes> read_logged_sizes(const Value& question, const std::string& where,
                                                    const std::filesystem::path& directory);
/// Returns so many jobs, from a random one on, as a log of their own. @pre count <= log.jobs.size()
[[nodiscard]] LoggedSizes drawn_from(const LoggedSizes& log, std::int64_t count, Stream stream);
/// Returns the object that reads back as the same sizes.
[[nodiscard]] Value to_value(const LoggedSizes& sizes);

/// Reads `"speedup": {"file": TABLE}` as the model that fits these run times best, or a speedup as jobs have it.
[[nodiscard]] Result<Speedup> read_shape(const Value& question, const std::string& where,
                                         const std::filesystem::path& directory);

/// Returns the speedup with all its times multiplied by one factor, so that a job takes its logged time on its logged processors (at
/// most those that the speedup allows).
[[nodiscard]] Speedup stretched(const Speedup& shape, const LoggedSize& size);

/// Returns the longest time on one processor that such a job can take, in seconds.
/// @param shape  of every job; nothing: any
[[nodiscard]] double most_work(const LoggedSizes& log, const std::optional<Speedup>& shape);

/// Returns "assuming speedups like random amdahl jobs: 300 of the 638 jobs of cluster-jobs.swf".
/// @param count  how many jobs are taken
/// @param shape, family, fraction  how they scale: the shape, else the fraction, else random jobs of that family
[[nodiscard]] std::string logged_sizes_text(const LoggedSizes& log, std::int64_t count,
                                            const std::optional<Speedup>& shape,
                                            std::string_view family,
                                            const std::optional<double>& fraction);

/// When jobs of a log are released.
enum class LoggedReleases : std::uint8_t { at_once, logged };
inline constexpr auto kLoggedReleases = std::to_array<std::string_view>({"at-once", "logged"});
/// Whether jobs of a log wait for the jobs that they follow there.
enum class LoggedOrder : std::uint8_t { none, logged };

/// Returns the options of a log, for the generators that call read_log_of().
[[nodiscard]] std::span<const Parameter> logged_sizes_options();

/// Reads `log` and `speedup` into the parameters of a generator, which have members `log`, `speedup`, `releases` (read before) and
/// `processors`; the last is that of the log unless the document gives it. The reader keeps an error.
template <class Parameters>
void read_log_of(ObjectReader& read, const std::filesystem::path& directory, LoggedOrder order,
                 Parameters& out) {
  read.with("log", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(sizes, read_logged_sizes(value, where, directory));
    if (out.releases == LoggedReleases::at_once) sizes.releases.clear();
    if (order == LoggedOrder::none) sizes.preceding.clear();
    out.log = std::make_shared<const LoggedSizes>(std::move(sizes));
    return {};
  });
  if (out.log != nullptr && !read.has("processors")) out.processors = out.log->machine;
  read.with("speedup", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(shape, read_shape(value, where, directory));
    HOLDFAST_CHECK(check_speedup(shape, out.processors, where));
    out.speedup = std::move(shape);
    return {};
  });
  if (out.log != nullptr) return;
  if (out.speedup) {
    read.refuse("speedup", "found no log, expected one with jobs that scale like this");
  }
  if (out.releases != LoggedReleases::at_once) {
    read.refuse("releases", "found no log, expected one with jobs that were submitted over time");
  }
}

}  // namespace holdfast
