#include "holdfast/answers/trace/make.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {

Result<AnswerFile> make_trace(const TraceSource& source, TraceRecords records,
                              const Format& format) {
  Oddities lost;
  HOLDFAST_TRY(converted, as_kind_of(format, std::move(records), lost));
  const auto write = [records = std::make_shared<const TraceRecords>(std::move(converted)),
                      lost = std::move(lost), source = source.file,
                      &format](const TextSink& sink) -> Result<std::vector<std::string>> {
    auto more = write_records(*records, format, sink);
    if (!more) {
      Error error = std::move(more).error();
      return fail(error.where.empty() ? in_file(source, std::move(error)) : std::move(error));
    }
    std::vector<std::string> warnings;
    for (const Oddity& oddity : lost.list()) warnings.push_back(in_one_line(oddity));
    for (const Oddity& oddity : more->list()) warnings.push_back(in_one_line(oddity));
    return warnings;
  };
  return AnswerFile{
      .format = std::string(format.name), .kind = std::string(format.kind()), .write = write};
}

}  // namespace holdfast
