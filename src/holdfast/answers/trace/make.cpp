#include "holdfast/answers/trace/make.hpp"

#include <utility>

namespace holdfast {

Result<MadeTrace> make_trace(const TraceSource& source, TraceRecords records,
                             const Format& format) {
  Oddities lost;
  HOLDFAST_TRY(converted, as_kind_of(format, std::move(records), lost));
  return MadeTrace{.source = source.file,
                   .records = std::move(converted),
                   .format = &format,
                   .lost = std::move(lost)};
}

Result<std::vector<std::string>> MadeTrace::write(const TextSink& sink) const {
  auto more = write_records(records, *format, sink);
  if (!more) {
    Error error = std::move(more).error();
    return fail(error.where.empty() ? in_file(source, std::move(error)) : std::move(error));
  }
  std::vector<std::string> warnings;
  for (const Oddity& oddity : lost.list()) warnings.push_back(in_one_line(oddity));
  for (const Oddity& oddity : more->list()) warnings.push_back(in_one_line(oddity));
  return warnings;
}

}  // namespace holdfast
