#include "holdfast/traces/availability/availability.hpp"

#include "holdfast/traces/formats.hpp"

#include <fmt/format.h>

namespace holdfast {

Result<AvailabilityRecord> read_availability(const std::filesystem::path& path,
                                             AvailabilityReading reading,
                                             std::string_view format_name) {
  HOLDFAST_TRY(trace, open_trace(path, format_name));
  if (trace.format->read_availability == nullptr) {
    return fail(ErrorCode::bad_format, path.string(),
                fmt::format("found {}, expected availability of workers", trace.format->summary));
  }
  auto record = trace.format->read_availability(std::move(trace.lines), reading);
  if (!record && record.error().where.find(path.string()) == std::string::npos) {
    return fail(in_file(path.string(), std::move(record).error()));
  }
  return record;
}

}  // namespace holdfast
