#include "holdfast/base/text.hpp"
#include "holdfast/traces/jobs/job_log.hpp"
#include "holdfast/traces/text/csv.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace holdfast {
namespace {

/// Places of the fields of a record JOB_FINISH; behind the hosts that were asked for they are shifted.
struct LsfAt {
  enum : std::size_t {
    end = 2,
    job = 3,
    processors = 6,
    submit = 7,
    start = 10,
    user = 11,
    queue = 12,
    asked = 22
  };
};
constexpr double kLsfDone = 64;

class LsfReader {
 public:
  explicit LsfReader(LineReader lines) : lines_{std::move(lines)} {}

  Result<JobLogFacts> read(const JobSink& sink) {
    std::string_view line;
    std::vector<std::string_view> fields;
    std::string storage;
    for (;;) {
      HOLDFAST_TRY(more, lines_.next(line));
      if (!more) break;
      if (trim(line).empty()) continue;
      if (!line.starts_with("\"JOB_FINISH\"")) {
        ++others_;
        continue;
      }
      if (auto cut = split_csv(trim(line), fields, storage, ' '); !cut)
        return fail(in_file(lines_.place(), std::move(cut).error()));
      HOLDFAST_TRY(job, job_of(fields));
      ++facts_.jobs;
      sink(job);
    }
    if (facts_.jobs == 0) {
      return fail(ErrorCode::bad_format, lines_.name(),
                  "found no record JOB_FINISH, expected at least one");
    }
    facts_.has_own_clock = true;
    facts_.header.emplace_back("UnixStartTime", "0");
    facts_.oddities.add("records of other events than the end of a job", others_, "left out");
    facts_.oddities.add("jobs that never started", unstarted_, "no wait and no run time");
    return std::move(facts_);
  }

 private:
  Result<double> number(std::span<const std::string_view> fields, std::size_t at) const {
    const auto value = at < fields.size() ? finite_number(fields[at]) : std::nullopt;
    if (value && *value >= 0 && *value < 1e15) return *value;
    return fail(ErrorCode::bad_value, lines_.place(),
                fmt::format("found {} in field {}, expected a number",
                            at < fields.size() ? in_quotes(fields[at]) : "nothing", at + 1));
  }

  Result<LoggedJob> job_of(std::span<const std::string_view> fields) {
    HOLDFAST_TRY(end, number(fields, LsfAt::end));
    HOLDFAST_TRY(name, number(fields, LsfAt::job));
    HOLDFAST_TRY(processors, number(fields, LsfAt::processors));
    HOLDFAST_TRY(submit, number(fields, LsfAt::submit));
    HOLDFAST_TRY(start, number(fields, LsfAt::start));
    HOLDFAST_TRY(asked, number(fields, LsfAt::asked));
    const std::size_t hosts_at = LsfAt::asked + 1 + static_cast<std::size_t>(std::min(asked, 1e6));
    HOLDFAST_TRY(hosts, number(fields, hosts_at));
    const std::size_t status_at = hosts_at + 1 + static_cast<std::size_t>(std::min(hosts, 1e6));
    HOLDFAST_TRY(status, number(fields, status_at));
    LoggedJob job{.number = static_cast<std::int64_t>(name), .submit = submit};
    job.processors = static_cast<std::int64_t>(processors);
    job.forget_no_processors();
    job.status = status == kLsfDone ? 1 : 0;
    std::set<std::string_view> names;
    for (std::size_t i = hosts_at + 1; i < status_at; ++i) {
      const std::string_view host = fields[i];
      names.insert(host.substr(host.find('*') + 1));
    }
    if (!names.empty()) job.nodes = std::ssize(names);
    if (start >= submit && end >= start && start > 0) {
      job.wait = start - submit;
      job.run = end - start;
    } else {
      ++unstarted_;
    }
    job.user =
        users_.try_emplace(std::string(fields[LsfAt::user]), std::ssize(users_) + 1).first->second;
    job.queue = queues_.try_emplace(std::string(fields[LsfAt::queue]), std::ssize(queues_) + 1)
                    .first->second;
    return job;
  }

  LineReader lines_;
  JobLogFacts facts_;
  std::map<std::string, std::int64_t> users_, queues_;
  std::int64_t others_ = 0, unstarted_ = 0;
};

Result<JobLogFacts> read_lsf_accounting(LineReader lines, const JobSink& sink) {
  return LsfReader{std::move(lines)}.read(sink);
}

}  // namespace

FormatOf<JobLog> lsf_accounting_format() {
  return {.facts = {.name = "lsf-accounting",
                    .summary = "accounting log of LSF (lsb.acct)",
                    .recognise =
                        [](std::string_view head) {
                          return head.starts_with("\"JOB_") &&
                                 head.substr(0, head.find('\n')).find("\" \"") != head.npos;
                        }},
          .read = read_lsf_accounting};
}

}  // namespace holdfast
