#include "holdfast/inputs/logged_sizes.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/inputs/logged_jobs.hpp"
#include "holdfast/models/speedup/profile.hpp"
#include "holdfast/models/speedup/speedup_io.hpp"
#include "holdfast/traces/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace holdfast {
namespace {

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
  return read.finish();
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
  return Value::object({{"sizes", Value(std::move(out))}});
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

}  // namespace holdfast
