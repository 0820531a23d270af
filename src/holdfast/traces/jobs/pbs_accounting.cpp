#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/jobs/job_log.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace holdfast {
namespace {

/// A line "03/01/2025 06:27:54;E;70002.pbs01;user=ana start=1740795124 ...".
struct PbsRecord {
  std::string_view type;
  std::string_view job;
  std::string_view text;

  /// Returns the value of a key in the text; empty if there is none.
  [[nodiscard]] std::string_view operator[](std::string_view key) const {
    for (std::size_t at = text.find(key); at != text.npos; at = text.find(key, at + 1)) {
      const std::size_t behind = at + key.size();
      if ((at > 0 && text[at - 1] != ' ') || text.substr(behind, 1) != "=") continue;
      const std::string_view value = text.substr(behind + 1);
      return value.substr(0, value.find(' '));
    }
    return {};
  }
  /// Returns the first of these values that is a number; -1 if none is.
  [[nodiscard]] double number(std::initializer_list<std::string_view> keys) const {
    for (const std::string_view key : keys) {
      if (const auto value = finite_number((*this)[key])) return *value;
    }
    return -1;
  }
};

bool is_pbs_record(std::string_view line, PbsRecord& out) {
  constexpr std::string_view kShape = "dd/dd/dddd dd:dd:dd;C;";
  if (line.size() < kShape.size()) return false;
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    const bool is_digit = line[i] >= '0' && line[i] <= '9';
    const bool is_capital = line[i] >= 'A' && line[i] <= 'Z';
    const bool fits = kShape[i] == 'd'   ? is_digit
                      : kShape[i] == 'C' ? is_capital
                                         : line[i] == kShape[i];
    if (!fits) return false;
  }
  const std::string_view rest = line.substr(kShape.size());
  const std::size_t end = rest.find(';');
  if (end == rest.npos) return false;
  out = {line.substr(20, 1), rest.substr(0, end), rest.substr(end + 1)};
  return true;
}

/// Returns the slots and the hosts of "n1/0*16+n2/0*16", "n1/0+n1/1" or "n1/0-15".
std::pair<std::int64_t, std::int64_t> slots_and_hosts(std::string_view exec_host) {
  std::int64_t slots = 0;
  std::set<std::string_view> hosts;
  for (const std::string_view one : split(exec_host, '+')) {
    const std::size_t slash = one.find('/');
    if (slash == one.npos) continue;
    hosts.insert(one.substr(0, slash));
    const std::string_view at = one.substr(slash + 1);
    const std::size_t times = at.find('*'), dash = at.find('-');
    double count = 1;
    if (times != at.npos) count = finite_number(at.substr(times + 1)).value_or(1);
    const auto first = finite_number(at.substr(0, dash));
    const auto last = dash == at.npos ? first : finite_number(at.substr(dash + 1));
    if (times == at.npos && first && last) count = *last - *first + 1;
    slots += static_cast<std::int64_t>(std::clamp(count, 0.0, 1e9));
  }
  return {slots, std::ssize(hosts)};
}

constexpr double kMostCount = 1e15;

class PbsReader {
 public:
  explicit PbsReader(LineReader lines) : lines_{std::move(lines)} {}

  Result<JobLogFacts> read(const JobSink& sink) {
    std::string_view line;
    for (;;) {
      HOLDFAST_TRY(more, lines_.next(line));
      if (!more) break;
      PbsRecord record;
      if (trim(line).empty()) continue;
      if (!is_pbs_record(line, record)) {
        ++strange_;
      } else if (record.type != "E") {
        ++others_;
      } else if (record.job.find("[]") != record.job.npos) {
        ++arrays_;
      } else {
        HOLDFAST_TRY(job, job_of(record));
        ++facts_.jobs;
        sink(job);
      }
    }
    if (facts_.jobs == 0) {
      return fail(ErrorCode::bad_format, lines_.name(),
                  fmt::format("found no job that ended among {} (records of type E), expected some",
                              counted(others_, "record")));
    }
    facts_.has_own_clock = true;
    facts_.header.emplace_back("UnixStartTime", "0");
    facts_.oddities.add("records of other events than the end of a job", others_, "left out");
    facts_.oddities.add("ends of whole arrays of jobs", arrays_, "left out: their jobs count");
    facts_.oddities.add("lines that are no records", strange_, "left out");
    return std::move(facts_);
  }

 private:
  Result<LoggedJob> job_of(const PbsRecord& record) {
    LoggedJob job;
    const auto name =
        finite_number(record.job.substr(0, record.job.find_first_not_of("0123456789")));
    job.number = whole(name.value_or(-1));
    if (job.number < 0) job.number = facts_.jobs;
    const double start = record.number({"start"}), end = record.number({"end"});
    job.submit = record.number({"ctime", "qtime", "etime", "start"});
    if (job.submit < 0) {
      return fail(ErrorCode::bad_format, lines_.place(),
                  "found a record without ctime, qtime and start, expected one of them");
    }
    if (start >= job.submit) job.wait = start - job.submit;
    job.run = duration(record["resources_used.walltime"]);
    if (job.run < 0 && start >= 0 && end >= start) job.run = end - start;
    const auto [slots, hosts] = slots_and_hosts(record["exec_host"]);
    const double processors =
        record.number({"total_execution_slots", "resources_used.ncpus", "Resource_List.ncpus"});
    job.processors = processors > 0 ? whole(processors) : slots > 0 ? slots : hosts;
    job.nodes = hosts > 0 ? hosts : whole(record.number({"Resource_List.nodect"}));
    job.requested_processors = whole(record.number({"Resource_List.ncpus"}));
    job.forget_no_processors();
    job.requested_time = duration(record["Resource_List.walltime"]);
    const double status = record.number({"Exit_status"});
    job.status = status == 0 ? 1 : 0;
    job.user = number_of(record["user"], users_);
    job.group = number_of(record["group"], groups_);
    job.queue = number_of(record["queue"], queues_);
    return job;
  }

  static double duration(std::string_view text) {
    const auto seconds = parse_quantity(text, Unit::seconds);
    return seconds && *seconds >= 0 ? *seconds : -1;
  }
  /// Returns a count; -1 if there is none, or none that a log could have.
  static std::int64_t whole(double value) {
    return value >= 0 && value < kMostCount ? static_cast<std::int64_t>(value) : -1;
  }

  using Names = std::map<std::string, std::int64_t, std::less<>>;
  static std::int64_t number_of(std::string_view name, Names& known) {
    if (name.empty()) return -1;
    return known.try_emplace(std::string(name), std::ssize(known) + 1).first->second;
  }

  LineReader lines_;
  JobLogFacts facts_;
  Names users_, groups_, queues_;
  std::int64_t others_ = 0, arrays_ = 0, strange_ = 0;
};

Result<JobLogFacts> read_pbs_accounting(LineReader lines, const JobSink& sink) {
  return PbsReader{std::move(lines)}.read(sink);
}

bool looks_like_pbs_accounting(std::string_view head) {
  PbsRecord record;
  return is_pbs_record(head.substr(0, head.find('\n')), record);
}

}  // namespace

FormatOf<JobLog> pbs_accounting_format() {
  return {.facts = {.name = "pbs-accounting",
                    .summary = "accounting log of PBS or Torque",
                    .recognise = looks_like_pbs_accounting},
          .read = read_pbs_accounting};
}

}  // namespace holdfast
