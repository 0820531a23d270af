#include "holdfast/traces/jobs/batsim_json.hpp"

#include "holdfast/base/json_scanner.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/traces/jobs/job_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace holdfast {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// A job as it stands in the document; texts are views into the document.
struct RawJob {
  std::string_view id;
  std::string_view profile;
  double number = kMissing;  ///< the id, if it is a number
  double submit = kMissing;
  double resources = kMissing;
  double walltime = -1;
};

class WorkloadReader {
 public:
  explicit WorkloadReader(std::string_view text) : scan_{text} {}

  Result<JobLogFacts> read(const JobSink& sink) {
    std::string_view key;
    for (scan_.begin_object(); scan_.next_member(key);) {
      if (key == "jobs") {
        for (scan_.begin_array(); scan_.next_element();) read_job();
      } else if (key == "profiles") {
        read_profiles();
      } else if (key == "nb_res" && scan_.kind() == JsonScanner::Kind::number) {
        facts_.header.emplace_back("MaxProcs", to_text(scan_.number()));
      } else if (key == "description" && scan_.kind() == JsonScanner::Kind::string) {
        facts_.header.emplace_back("Note", scan_.string());
      } else {
        scan_.skip();
      }
    }
    HOLDFAST_CHECK(scan_.finish());
    if (jobs_.empty()) {
      return fail(ErrorCode::bad_format, "/jobs", "found no job, expected at least one");
    }
    for (std::size_t i = 0; i < jobs_.size(); ++i) HOLDFAST_CHECK(hand_on(i, sink));
    facts_.jobs = static_cast<std::int64_t>(jobs_.size());
    facts_.has_own_clock = true;
    tell_oddities();
    return std::move(facts_);
  }

 private:
  double number() {
    if (scan_.kind() == JsonScanner::Kind::number) return scan_.number();
    scan_.skip();
    return kMissing;
  }
  std::string_view text() {
    if (scan_.kind() == JsonScanner::Kind::string) return scan_.string();
    scan_.skip();
    return {};
  }

  void read_job() {
    RawJob job;
    std::string_view key;
    for (scan_.begin_object(); scan_.next_member(key);) {
      if (key == "id" && scan_.kind() == JsonScanner::Kind::number) {
        job.number = scan_.number();
      } else if (key == "id") {
        job.id = text();
      } else if (key == "profile") {
        job.profile = text();
      } else if (key == "subtime") {
        job.submit = number();
      } else if (key == "res") {
        job.resources = number();
      } else if (key == "walltime") {
        job.walltime = number();
      } else {
        scan_.skip();
        ++unread_;
      }
    }
    jobs_.push_back(job);
  }

  void read_profiles() {
    std::string_view name;
    for (scan_.begin_object(); scan_.next_member(name);) {
      std::string_view type;
      std::string_view key;
      double delay = kMissing;
      for (scan_.begin_object(); scan_.next_member(key);) {
        if (key == "type") {
          type = text();
        } else if (key == "delay") {
          delay = number();
        } else {
          scan_.skip();
        }
      }
      const bool is_delay = type == "delay" || type == "DelayProfile";
      delays_.insert_or_assign(name, is_delay ? delay : -1);
    }
  }

  Status hand_on(std::size_t index, const JobSink& sink) {
    const RawJob& raw = jobs_[index];
    const auto refuse = [&](std::string_view field, std::string message) {
      return fail(ErrorCode::bad_value, pointer_to(pointer_to("/jobs", index), field),
                  std::move(message));
    };
    if (!(raw.submit >= 0)) {
      return refuse("subtime", "found no number of 0 or more, expected when it was submitted");
    }
    if (!(raw.resources >= 0 && raw.resources <= kMostWhole)) {
      return refuse("res", "found no number of 0 or more, expected how many resources it asks for");
    }
    if (std::isnan(raw.walltime)) {
      return refuse("walltime", "found no number, expected the longest time it may run");
    }
    const auto profile = delays_.find(raw.profile);
    if (profile == delays_.end()) {
      return refuse("profile", fmt::format("found {}, which is no profile of the workload",
                                           in_quotes(raw.profile)));
    }
    if (std::isnan(profile->second) || (profile->second < 0 && profile->second != -1)) {
      return fail(ErrorCode::bad_value, pointer_to(pointer_to("/profiles", raw.profile), "delay"),
                  "found no number of 0 or more, expected how long it takes");
    }
    LoggedJob job;
    job.number = number_of(raw, index);
    job.submit = raw.submit;
    job.run = profile->second;
    job.requested_processors = static_cast<std::int64_t>(raw.resources);
    job.requested_time = raw.walltime > 0 ? raw.walltime : -1;
    if (job.submit < latest_) ++disordered_;
    latest_ = job.submit;
    if (job.run < 0) ++unknown_run_;
    if (job.run == 0) ++no_run_;
    if (job.forget_no_processors()) ++no_resources_;
    if (job.requested_time > 0 && job.run > job.requested_time) ++overran_;
    sink(job);
    return {};
  }

  std::int64_t number_of(const RawJob& raw, std::size_t index) {
    if (std::abs(raw.number) <= kMostWhole && raw.number == std::trunc(raw.number)) {
      return static_cast<std::int64_t>(raw.number);
    }
    const auto number = parse_integer(raw.id);
    if (number && std::abs(static_cast<double>(*number)) <= kMostWhole) return *number;
    ++renamed_;
    return static_cast<std::int64_t>(index);
  }

  void tell_oddities() {
    Oddities& odd = facts_.oddities;
    odd.add("jobs whose id is no number of at most 2^53", renamed_, "numbered by their position");
    odd.add("fields of jobs that Batsim's workloads do not have", unread_, "not read");
    odd.add("jobs submitted before the one above", disordered_, "kept in the order of the file");
    odd.add("jobs whose profile is no delay", unknown_run_, "passed on without a run time");
    odd.add("jobs of run time 0", no_run_, "passed on unchanged");
    odd.add("jobs that request no resource", no_resources_, "passed on unchanged");
    odd.add("jobs whose profile lasts longer than their walltime", overran_,
            "kept: Batsim would stop them then");
  }

  JsonScanner scan_;
  JobLogFacts facts_;
  std::vector<RawJob> jobs_;
  std::unordered_map<std::string_view, double> delays_;  ///< by profile; -1: of another type
  double latest_ = -1;
  std::int64_t renamed_ = 0, disordered_ = 0, unknown_run_ = 0, no_run_ = 0, no_resources_ = 0,
               overran_ = 0, unread_ = 0;
};

}  // namespace

Result<JobLogFacts> read_batsim_json(LineReader lines, const JobSink& sink) {
  HOLDFAST_TRY(text, lines.rest());
  auto facts = WorkloadReader(text).read(sink);
  if (!facts) return fail(in_file(lines.name(), std::move(facts).error()));
  return facts;
}

bool looks_like_batsim_json(std::string_view head) {
  const std::size_t begin = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (begin == std::string_view::npos || head[begin] != '{') return false;
  const auto has = [&](std::string_view name) { return head.find(name) != std::string_view::npos; };
  if (has("\"holdfast\"")) return false;
  return has("\"subtime\"") || (has("\"profiles\"") && (has("\"nb_res\"") || has("\"jobs\"")));
}

Result<Oddities> write_batsim_json(const JobLog& log, const TextSink& sink) {
  SinkBuffer out(sink);
  std::set<double> delays;
  std::int64_t left_out = 0, widest = 0, second_time = 0, other_width = 0;
  std::set<std::int64_t> numbers;
  out << "{\n\"description\": \"written by Holdfast\",\n\"jobs\": [";
  std::string_view comma = "\n";
  for (const LoggedJob& job : log.jobs) {
    if (job.submit < 0 || job.run < 0 || job.width() < 1) {
      ++left_out;
      continue;
    }
    if (!numbers.insert(job.number).second) ++second_time;
    if (job.has_other_width()) ++other_width;
    widest = std::max(widest, job.width());
    delays.insert(job.run);
    out << comma
        << fmt::format("  {{\"id\": \"{}\", \"subtime\": {}, \"res\": {}, ", job.number,
                       to_text(job.submit), job.width());
    if (job.requested_time > 0) {
      out << fmt::format("\"walltime\": {}, ", to_text(job.requested_time));
    }
    out << fmt::format("\"profile\": \"{}\"}}", to_text(job.run));
    comma = ",\n";
  }
  out << "\n],\n\"profiles\": {";
  comma = "\n";
  for (const double delay : delays) {
    out << comma
        << fmt::format("  \"{0}\": {{\"type\": \"delay\", \"delay\": {0}}}", to_text(delay));
    comma = ",\n";
  }
  out << fmt::format("\n}},\n\"nb_res\": {}\n}}\n",
                     std::max(widest, log.facts.number("MaxProcs").value_or(widest)));
  HOLDFAST_CHECK(out.finish());
  Oddities lost;
  lost.add("jobs without a submission, a run time or processors", left_out, "left out");
  lost.add("jobs whose number another job has", second_time, "written: Batsim refuses them");
  lost.add("jobs that had other processors than requested", other_width,
           "written with the number that they had");
  constexpr auto kKept = std::to_array<std::string_view>(
      {"job", "submit", "run", "processors", "requested_processors", "requested_time"});
  add_lost_fields(log.jobs, kKept, lost);
  return lost;
}

FormatOf<JobLog> batsim_json_format() {
  return {.facts = {.name = "batsim-json",
                    .summary = "workload of Batsim (JSON with jobs and profiles)",
                    .recognise = looks_like_batsim_json},
          .read = read_batsim_json,
          .write = write_batsim_json};
}

}  // namespace holdfast
