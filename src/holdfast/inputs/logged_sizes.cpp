#include "holdfast/inputs/logged_sizes.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/contract/parameter_list.hpp"
#include "holdfast/inputs/logged_jobs.hpp"
#include "holdfast/inputs/table_options.hpp"
#include "holdfast/models/speedup/profile.hpp"
#include "holdfast/models/speedup/speedup_io.hpp"
#include "holdfast/traces/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>

namespace holdfast {
namespace {

constexpr auto kLogRows = std::to_array<Parameter>({
    {.name = "log",
     .summary = "batch log with the jobs (SWF, or a table of release, cores and length); how they "
                "scale is assumed: by the model, or by the speedup",
     .kind = Kind::file,
     .pointer = "/log/file",
     .reads = "jobs"},
    {.name = "longest",
     .summary = "leave out jobs of the log that take longer than this",
     .unit = Unit::seconds,
     .range = positive(),
     .pointer = "/log/longest"},
    {.name = "speedup",
     .summary = "jobs of the log scale like the program of these run times (a table of processors "
                "and seconds, as for 'fit')",
     .kind = Kind::file,
     .pointer = "/speedup/file",
     .reads = "speedup"},
});

constexpr auto kReasons =
    std::to_array<std::string_view>({"without a run time or processors", "longer than asked for"});

// An error about a field of the question gets its pointer; others keep the name of the file.
Error placed_in(Error error, const std::string& where) {
  error.field = pointer_to(where, "file");
  if (is_about_reading(error.where)) {
    error.where = pointer_to(where, error.where);
    error.field.clear();
  }
  return error;
}

Status read_sizes(ObjectReader& read, LoggedSizes& out) {
  read.each("sizes", [&](const Value& value, const std::string& place) -> Status {
    HOLDFAST_TRY(size, read_pair(value, place, "[seconds, processors]", Unit::seconds, positive(),
                                 at_least(1)));
    out.jobs.push_back({.processors = size.second, .seconds = size.first});
    return {};
  });
  if (read.has("releases")) out.releases = read.numbers("releases", Unit::seconds, non_negative());
  out.preceding = read.integers("preceding", at_least(-1));
  HOLDFAST_CHECK(read.finish());
  const auto check_size = [&](std::string_view field, std::size_t found) -> Status {
    if (found == 0 || found == out.jobs.size()) return {};
    return fail(
        ErrorCode::bad_value, pointer_to(read.where(), field),
        fmt::format("found {} numbers, expected {}, one for each size", found, out.jobs.size()));
  };
  HOLDFAST_CHECK(check_size("releases", out.releases.size()));
  HOLDFAST_CHECK(check_size("preceding", out.preceding.size()));
  for (std::size_t job = 0; job < out.preceding.size(); ++job) {
    if (out.preceding[job] < static_cast<std::int64_t>(job)) continue;
    return fail(ErrorCode::bad_value, fmt::format("{}/preceding/{}", read.where(), job),
                fmt::format("found {}, expected the position of an earlier job, or -1",
                            out.preceding[job]));
  }
  return {};
}

// Adds when the jobs were submitted, and which of the earlier ones they follow.
void add_order(const JobLog& log, std::span<const LoggedJob* const> jobs, LoggedSizes& out) {
  const double first = first_submission(log.jobs);
  // A field that is the same in all jobs was filled in by a converter.
  const bool has_order = std::ranges::any_of(log.jobs, [&](const LoggedJob& job) {
    return job.preceding_job != log.jobs.front().preceding_job;
  });
  std::unordered_map<std::int64_t, std::int64_t> earlier;  // position by number
  bool is_any = false;
  for (const LoggedJob* job : jobs) {
    out.releases.push_back(std::max(0.0, job->submit - first));
    const auto found =
        has_order && job->preceding_job >= 0 ? earlier.find(job->preceding_job) : earlier.end();
    is_any = is_any || found != earlier.end();
    out.preceding.push_back(found != earlier.end() ? found->second : -1);
    earlier[job->number] = std::ssize(out.preceding) - 1;
  }
  if (!is_any) out.preceding.clear();
}

Status read_file(ObjectReader& read, const std::filesystem::path& directory, LoggedSizes& out) {
  const std::filesystem::path path = (directory / read.text("file")).lexically_normal();
  const ReadAs as = read_read_as(read);
  const auto longest = read.optional_quantity("longest", Unit::seconds, positive());
  HOLDFAST_CHECK(read.finish());
  auto log = read_job_log(path, as);
  if (!log) return fail(placed_in(std::move(log).error(), read.where()));
  out.file = path.string();
  for (const Oddity& oddity : log->facts.oddities.list()) {
    out.notes.push_back(
        fmt::format("{}: {} ({}): {}", out.file, oddity.what, oddity.count, oddity.action));
  }
  LogSelection selection = select_jobs(*log, out.file, kReasons,
                                       [&](const LoggedJob& job) -> std::optional<std::size_t> {
                                         if (!(job.run > 0) || job.width() < 1) return 0;
                                         if (longest && job.run > *longest) return 1;
                                         return std::nullopt;
                                       });
  std::ranges::move(selection.notes, std::back_inserter(out.notes));
  for (const LoggedJob* job : selection.jobs) out.jobs.push_back({job->width(), job->run});
  add_order(*log, selection.jobs, out);
  const auto nodes = log->facts.number("MaxNodes");
  out.machine =
      std::max<std::int64_t>(1, log->facts.number("MaxProcs").value_or(nodes.value_or(1)));
  if (!out.jobs.empty()) return {};
  return fail(ErrorCode::bad_value, read.where(),
              fmt::format("{}: found no job with a run time and processors", out.file));
}

}  // namespace

Result<LoggedSizes> read_logged_sizes(const Value& given, const std::string& where,
                                      const std::filesystem::path& directory) {
  const Value value = file_question(given);
  ObjectReader read(value, where);
  LoggedSizes out;
  if (read.has("sizes")) {
    HOLDFAST_CHECK(read_sizes(read, out));
  } else {
    HOLDFAST_CHECK(read_file(read, directory, out));
  }
  if (out.jobs.empty()) {
    return fail(ErrorCode::bad_value, pointer_to(where, "sizes"),
                "found an empty array, expected at least one job");
  }
  for (const LoggedSize& job : out.jobs) out.machine = std::max(out.machine, job.processors);
  return out;
}

Value to_value(const LoggedSizes& sizes) {
  Value::Array out;
  out.reserve(sizes.jobs.size());
  for (const LoggedSize& job : sizes.jobs) {
    out.emplace_back(Value::Array{Value(job.seconds), Value(job.processors)});
  }
  Value document = Value::object({{"sizes", Value(std::move(out))}});
  if (!sizes.releases.empty()) document.set("releases", Value::list(sizes.releases));
  if (!sizes.preceding.empty()) document.set("preceding", Value::list(sizes.preceding));
  return document;
}

LoggedSizes drawn_from(const LoggedSizes& log, std::int64_t count, Stream stream) {
  const std::int64_t first = stream.integer(0, std::ssize(log.jobs) - count);
  const auto part = [&](const auto& all) {
    using List = std::remove_cvref_t<decltype(all)>;
    return all.empty() ? List{} : List(all.begin() + first, all.begin() + first + count);
  };
  LoggedSizes out{.file = log.file,
                  .jobs = part(log.jobs),
                  .releases = part(log.releases),
                  .preceding = part(log.preceding),
                  .machine = log.machine,
                  .notes = {}};
  if (!out.releases.empty()) {
    const double begin = std::ranges::min(out.releases);
    for (double& release : out.releases) release -= begin;
  }
  for (std::int64_t& job : out.preceding) job = std::max<std::int64_t>(job - first, -1);
  return out;
}

std::span<const Parameter> logged_sizes_options() {
  static const std::vector<Parameter> kOptions =
      one_list({kLogRows, table_options("log_", "/log")});
  return kOptions;
}

Result<Speedup> read_shape(const Value& given, const std::string& where,
                           const std::filesystem::path& directory) {
  const Value value = file_question(given);
  if (value.find("file") == nullptr) return read_speedup(value, where);
  ObjectReader read(value, where);
  const std::filesystem::path path = (directory / read.text("file")).lexically_normal();
  const ReadAs as = read_read_as(read);
  HOLDFAST_CHECK(read.finish());
  auto table = read_run_times(path, as);
  if (!table) return fail(placed_in(std::move(table).error(), where));
  if (table->size() != 1) {
    return fail(ErrorCode::bad_value, pointer_to(where, "file"),
                fmt::format("{}: found run times of {} programs, expected those of one; 'where' "
                            "selects rows",
                            path.string(), table->size()));
  }
  HOLDFAST_TRY(profile, make_profile(table->front().processors, table->front().seconds));
  const std::vector<SpeedupFit> fits = fit_speedups(profile);
  if (fits.empty()) {
    return fail(ErrorCode::bad_value, pointer_to(where, "file"),
                fmt::format("{}: found run times on one number of processors, expected several",
                            path.string()));
  }
  return fits[preferred_fit(fits)].speedup;
}

Speedup stretched(const Speedup& shape, const LoggedSize& size) {
  const double factor = size.seconds / shape.time(shape.limit(size.processors));
  switch (shape.model()) {
    case SpeedupModel::roofline:
      return Speedup::roofline(shape.work() * factor, shape.max_parallelism());
    case SpeedupModel::communication:
      return Speedup::communication(shape.work() * factor, shape.overhead() * factor);
    case SpeedupModel::power:
      return Speedup::power(shape.work() * factor, shape.exponent());
    case SpeedupModel::table: {
      std::vector<double> times(shape.times().begin(), shape.times().end());
      for (double& time : times) time *= factor;
      return Speedup::table(std::move(times), shape.limit(Speedup::kUnbounded));
    }
    case SpeedupModel::amdahl:
      return Speedup::amdahl_of_parts(shape.parallel_work() * factor,
                                      shape.sequential_work() * factor);
    case SpeedupModel::mix:
      break;
  }
  return Speedup::mix_of_parts(shape.parallel_work() * factor, shape.sequential_work() * factor,
                               shape.max_parallelism(), shape.overhead() * factor);
}

double most_work(const LoggedSizes& log, const std::optional<Speedup>& shape) {
  double longest = 0;
  for (const LoggedSize& size : log.jobs) {
    const double work = shape ? stretched(*shape, size).sequential_time()
                              : size.seconds * static_cast<double>(size.processors);
    longest = std::max(longest, work);
  }
  return longest;
}

std::string logged_sizes_text(const LoggedSizes& log, std::int64_t count,
                              const std::optional<Speedup>& shape, std::string_view family,
                              const std::optional<double>& fraction) {
  const std::int64_t all = std::ssize(log.jobs);
  const std::string scaling =
      shape      ? fmt::format("like one program ({})", name(shape->model()))
      : fraction ? fmt::format("by the model {} (sequential fraction {:g})", family, *fraction)
                 : fmt::format("like random {} jobs", family);
  std::string out =
      fmt::format("assuming speedups {}: {}{} of {}", scaling,
                  count < all ? fmt::format("{} of the ", count) : "", counted(all, "job"),
                  log.file.empty() ? "a log" : std::filesystem::path(log.file).filename().string());
  const auto followers = std::ranges::count_if(log.preceding, [](auto job) { return job >= 0; });
  if (followers > 0) out += fmt::format(" ({} follow another one)", followers);
  return log.releases.empty() ? out : out + " (released as they were submitted)";
}

}  // namespace holdfast
