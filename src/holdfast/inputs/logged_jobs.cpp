#include "holdfast/inputs/logged_jobs.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace holdfast {
namespace {

// Returns the work of a job in core-seconds; 0 if the log does not say.
double logged_work(const LoggedJob& job) {
  return std::max(job.run, 0.0) * static_cast<double>(std::max<std::int64_t>(job.width(), 0));
}

}  // namespace

Value file_question(const Value& given) {
  if (given.string() == nullptr) return given;
  return Value::object({{"file", given}});
}

JobLogQuestion read_job_log_question(ObjectReader& read, const std::filesystem::path& directory) {
  JobLogQuestion out;
  out.file = (directory / read.text("file")).lexically_normal();
  out.as = read_read_as(read);
  out.compress = read.number_or("compress", 1, positive());
  return out;
}

double first_submission(const std::vector<LoggedJob>& jobs) {
  double first = std::numeric_limits<double>::max();
  for (const LoggedJob& job : jobs) {
    if (job.submit >= 0) first = std::min(first, job.submit);
  }
  return first;
}

LogSelection select_jobs(
    const JobLog& log, const std::string& file, std::span<const std::string_view> reasons,
    const std::function<std::optional<std::size_t>(const LoggedJob&)>& reason_of) {
  struct LeftOut {
    std::int64_t jobs = 0;
    double work = 0;
  };
  LogSelection out;
  std::vector<LeftOut> left_out(reasons.size());
  double all = 0;
  for (const LoggedJob& job : log.jobs) {
    all += logged_work(job);
    const auto reason = reason_of(job);
    if (!reason) {
      out.jobs.push_back(&job);
      continue;
    }
    ++out.left_out;
    ++left_out[*reason].jobs;
    left_out[*reason].work += logged_work(job);
  }
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    if (left_out[i].jobs == 0) continue;
    out.notes.push_back(fmt::format("{}: {} of {} ({:.2g} % of the work) left out: {}", file,
                                    left_out[i].jobs, counted(log.jobs.size(), "job"),
                                    all > 0 ? 100 * left_out[i].work / all : 0, reasons[i]));
  }
  return out;
}

}  // namespace holdfast
