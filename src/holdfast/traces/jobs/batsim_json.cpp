#include "holdfast/traces/jobs/batsim_json.hpp"

#include "holdfast/base/reader.hpp"
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

namespace holdfast {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

class WorkloadReader {
 public:
  explicit WorkloadReader(const JobSink& sink) : sink_{sink} {}

  Result<JobLogFacts> read(const Value& document) {
    const Value* const size = document.find("nb_res");
    if (size != nullptr && size->is_number())
      facts_.header.emplace_back("MaxProcs", to_text(size->number()));
    const Value* const note = document.find("description");
    if (note != nullptr && note->string() != nullptr)
      facts_.header.emplace_back("Note", *note->string());
    const Value* const profiles = document.find("profiles");
    if (profiles != nullptr && profiles->members() != nullptr) read_profiles(*profiles);
    ObjectReader read(document, "");
    read.each("jobs",
              [this](const Value& job, const std::string& where) { return read_job(job, where); });
    if (!read.ok()) return fail(read.finish().error());
    if (facts_.jobs == 0) {
      return fail(ErrorCode::bad_format, "/jobs", "found no job, expected at least one");
    }
    facts_.has_own_clock = true;
    tell_oddities();
    return std::move(facts_);
  }

 private:
  void read_profiles(const Value& profiles) {
    for (const auto& [name, profile] : *profiles.members()) {
      const Value *type = profile.find("type"), *delay = profile.find("delay");
      const std::string* const word = type == nullptr ? nullptr : type->string();
      const bool is_delay = word != nullptr && (*word == "delay" || *word == "DelayProfile");
      const auto seconds = delay == nullptr
                               ? fail(Error{})
                               : read_quantity(*delay, "", Unit::seconds, non_negative());
      delays_.insert_or_assign(name, !is_delay ? -1 : seconds ? *seconds : kMissing);
    }
  }

  Result<double> run_time(const std::string& profile, const std::string& job) const {
    const auto found = delays_.find(profile);
    if (found == delays_.end()) {
      return fail(ErrorCode::bad_value, pointer_to(job, "profile"),
                  fmt::format("found {}, which is no profile of the workload", in_quotes(profile)));
    }
    if (!std::isnan(found->second)) return found->second;
    return fail(ErrorCode::bad_value, pointer_to(pointer_to("/profiles", profile), "delay"),
                "found no number of 0 or more, expected how long it takes");
  }

  Status read_job(const Value& value, const std::string& where) {
    ObjectReader read(value, where);
    LoggedJob job;
    job.submit = read.number("subtime", non_negative());
    job.requested_processors =
        static_cast<std::int64_t>(read.number("res", between(0, kMostWhole)));
    job.requested_time = read.number_or("walltime", -1);
    const std::string profile = read.text("profile");
    if (!read.ok()) return read.finish();
    HOLDFAST_TRY(run, run_time(profile, where));
    job.run = run;
    job.number = number_of(value.find("id"));
    if (job.requested_time <= 0) job.requested_time = -1;
    if (job.submit < latest_) ++disordered_;
    latest_ = job.submit;
    if (job.run < 0) ++unknown_run_;
    if (job.run == 0) ++no_run_;
    if (job.forget_no_processors()) ++no_resources_;
    if (job.requested_time > 0 && job.run > job.requested_time) ++overran_;
    read.ignore("id");
    if (!read.finish()) ++unread_;
    ++facts_.jobs;
    sink_(job);
    return {};
  }

  std::int64_t number_of(const Value* id) {
    std::int64_t whole = 0;
    const std::string* const text = id == nullptr ? nullptr : id->string();
    bool is_whole = id != nullptr && id->get_integer(whole);
    if (const auto number =
            text == nullptr ? Result<std::int64_t>(fail(Error{})) : parse_integer(*text)) {
      whole = *number;
      is_whole = true;
    }
    if (is_whole && std::abs(static_cast<double>(whole)) <= kMostWhole) return whole;
    ++renamed_;
    return facts_.jobs;
  }

  void tell_oddities() {
    Oddities& odd = facts_.oddities;
    odd.add("jobs whose id is no number of at most 2^53", renamed_, "numbered by their position");
    odd.add("jobs with fields that Batsim's workloads do not have", unread_, "not read");
    odd.add("jobs submitted before the one above", disordered_, "kept in the order of the file");
    odd.add("jobs whose profile is no delay", unknown_run_, "passed on without a run time");
    odd.add("jobs of run time 0", no_run_, "passed on unchanged");
    odd.add("jobs that request no resource", no_resources_, "passed on unchanged");
    odd.add("jobs whose profile lasts longer than their walltime", overran_,
            "kept: Batsim would stop them then");
  }

  const JobSink& sink_;
  JobLogFacts facts_;
  std::unordered_map<std::string, double> delays_;  ///< by profile; -1: of another type
  double latest_ = -1;
  std::int64_t renamed_ = 0, disordered_ = 0, unknown_run_ = 0, no_run_ = 0, no_resources_ = 0,
               overran_ = 0, unread_ = 0;
};

}  // namespace

Result<JobLogFacts> read_batsim_json(LineReader lines, const JobSink& sink) {
  HOLDFAST_TRY(text, lines.rest());
  auto document = parse_json(text);
  if (!document) return fail(in_file(lines.name(), std::move(document).error()));
  auto facts = WorkloadReader(sink).read(*document);
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
