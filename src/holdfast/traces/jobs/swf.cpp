#include "holdfast/traces/jobs/swf.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/jobs/job_fields.hpp"
#include "holdfast/traces/text/number_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace holdfast {
namespace {

constexpr std::size_t kSwfFields = 18;
constexpr std::array<std::string_view, kSwfFields> kNames = {
    "job number",     "submit time",      "wait time", "run time",
    "processors",     "CPU time",         "memory",    "requested processors",
    "requested time", "requested memory", "status",    "user",
    "group",          "executable",       "queue",     "partition",
    "preceding job",  "think time"};
// Returns true for fields that may contain fractions.
constexpr bool is_real(std::size_t field) {
  return field == 5 || field == 6 || field == 9;
}
// Returns true for times, which are whole seconds by the standard.
constexpr bool is_time(std::size_t field) {
  return field == 1 || field == 2 || field == 3 || field == 8 || field == 17;
}

constexpr std::int64_t kMostWidth = std::numeric_limits<std::int64_t>::max();

/// The oddities, counted while reading.
struct Counts {
  std::int64_t longer_lines = 0;
  std::int64_t fractions = 0;
  std::int64_t fractional_times = 0;
  std::int64_t disordered = 0;
  std::int64_t unknown_run = 0;
  std::int64_t no_run = 0;
  std::int64_t no_processors = 0;
  std::int64_t requested_only = 0;
  std::int64_t other_width = 0;
  std::int64_t overran = 0;
  std::int64_t failed = 0;
  std::int64_t cancelled = 0;
  std::int64_t unknown_submit = 0;
  std::int64_t parts = 0;
  std::int64_t negative_wait = 0;
  std::int64_t too_wide = 0;
  std::int64_t commas = 0;
};

void count(const LoggedJob& job, double latest, Counts& counts) {
  if (job.submit < latest) ++counts.disordered;
  if (job.submit < 0) ++counts.unknown_submit;
  if (job.run < 0) ++counts.unknown_run;
  if (job.run == 0) ++counts.no_run;
  if (job.width() < 0) ++counts.no_processors;
  if (job.processors <= 0 && job.requested_processors > 0) ++counts.requested_only;
  if (job.has_other_width()) ++counts.other_width;
  if (job.requested_time > 0 && job.run > job.requested_time) ++counts.overran;
  if (job.status == 0) ++counts.failed;
  if (job.status == 5) ++counts.cancelled;
  if (job.wait < 0 && job.wait != -1) ++counts.negative_wait;
}

Oddities oddities_of(const Counts& c, const JobLogFacts& facts) {
  Oddities out;
  const auto stated = facts.number("MaxJobs");
  if (stated && *stated != facts.jobs) {
    out.add(fmt::format("jobs fewer or more than the header's {}", *stated),
            std::abs(*stated - facts.jobs), "the lines count, not the header");
  }
  out.add("lines with more than 18 fields", c.longer_lines, "what follows the 18th is not read");
  out.add("lines with commas between the fields", c.commas, "read like blanks");
  out.add("parts of jobs that were swapped out or checkpointed (status 2 to 4)", c.parts,
          "left out: the line of the whole job counts");
  out.add("jobs that waited less than no time", c.negative_wait, "passed on unchanged");
  out.add("jobs wider than the header's MaxProcs", c.too_wide, "passed on unchanged");
  out.add("fractions in fields of whole numbers", c.fractions, "cut off");
  out.add("times with fractions of a second", c.fractional_times, "kept");
  out.add("jobs submitted before the one above", c.disordered, "kept in the order of the file");
  out.add("jobs without a submit time", c.unknown_submit, "passed on unchanged");
  out.add("jobs of unknown run time", c.unknown_run, "passed on unchanged");
  out.add("jobs of run time 0", c.no_run, "passed on unchanged");
  out.add("jobs without processors, had or requested", c.no_processors, "their number is unknown");
  out.add("jobs whose processors are only known as requested", c.requested_only,
          "the requested number stands in");
  out.add("jobs that had other processors than requested", c.other_width,
          "the number that they had counts");
  out.add("jobs that ran longer than requested", c.overran, "kept: the site allowed it");
  out.add("jobs with status 0 (failed)", c.failed, "kept: they took their processors");
  out.add("jobs with status 5 (cancelled)", c.cancelled, "kept as far as they ran");
  return out;
}

void read_header_line(std::string_view line, JobLogFacts& facts) {
  line.remove_prefix(1);
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view name = trim(line.substr(0, colon));
  if (name.empty() || name.find(' ') != std::string_view::npos) return;
  constexpr std::size_t kMostEntries = 10'000;
  if (facts.header.size() < kMostEntries) {
    facts.header.emplace_back(name, trim(line.substr(colon + 1)));
  }
}

class SwfReader {
 public:
  explicit SwfReader(LineReader lines) : lines_{std::move(lines)} {}

  Result<JobLogFacts> read(const JobSink& sink) {
    std::string_view line;
    double latest = -1;
    for (;;) {
      HOLDFAST_TRY(more, lines_.next(line));
      if (!more) break;
      const std::size_t first = line.find_first_not_of(" \t\r");
      if (first == std::string_view::npos) continue;
      if (line[first] == ';' || line[first] == '#') {
        read_header_line(line.substr(first), facts_);
        continue;
      }
      if (line.find(',') != std::string_view::npos) line = without_commas(line);
      LoggedJob job;
      HOLDFAST_CHECK(read_job(line, job));
      // A job that was swapped out or checkpointed has a line, and after it one of status 2, 3 or 4 for each of its parts.
      const bool may_be_part = job.status >= 2 && job.status <= 4;
      if (may_be_part && job.number <= last_whole_) {
        ++counts_.parts;
        continue;
      }
      if (!may_be_part) last_whole_ = std::max(last_whole_, job.number);
      ++facts_.jobs;
      job.forget_no_processors();
      count(job, latest, counts_);
      if (facts_.jobs == 1) most_ = facts_.number("MaxProcs").value_or(kMostWidth);
      if (job.width() > most_) ++counts_.too_wide;
      latest = job.submit;
      sink(job);
    }
    if (facts_.jobs == 0) {
      return fail(ErrorCode::bad_format, lines_.place(), "found no job, expected at least one");
    }
    facts_.has_own_clock = true;
    facts_.oddities = oddities_of(counts_, facts_);
    return std::move(facts_);
  }

 private:
  /// Returns a line of a table between commas as the standard has it, between blanks.
  std::string_view without_commas(std::string_view line) {
    blanks_.assign(line);
    std::ranges::replace(blanks_, ',', ' ');
    ++counts_.commas;
    return blanks_;
  }

  Status read_job(std::string_view line, LoggedJob& job) {
    std::array<double, kSwfFields> value{};
    std::string_view field;
    for (std::size_t i = 0; i < kSwfFields; ++i) {
      const NumberField kind = take_number(line, value[i], field);
      if (kind == NumberField::whole) continue;
      if (kind == NumberField::none) {
        return fail(ErrorCode::bad_format, lines_.place(),
                    fmt::format("found {} fields, expected {}", i, kSwfFields));
      }
      if (kind == NumberField::text || (!is_real(i) && std::abs(value[i]) > kMostWhole)) {
        return fail(ErrorCode::bad_value, fmt::format("{}: {}", lines_.place(), kNames[i]),
                    fmt::format("found {}, expected a {}", in_quotes(field),
                                is_real(i) ? "number" : "whole number of at most 2^53"));
      }
      if (is_real(i) || value[i] == std::trunc(value[i])) continue;
      ++(is_time(i) ? counts_.fractional_times : counts_.fractions);
    }
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) ++counts_.longer_lines;
    const auto whole = [&](std::size_t i) { return static_cast<std::int64_t>(value[i]); };
    job = {.number = whole(0),
           .submit = value[1],
           .wait = value[2],
           .run = value[3],
           .processors = whole(4),
           .cpu_time = value[5],
           .memory = value[6],
           .requested_processors = whole(7),
           .requested_time = value[8],
           .requested_memory = value[9],
           .status = whole(10),
           .user = whole(11),
           .group = whole(12),
           .executable = whole(13),
           .queue = whole(14),
           .partition = whole(15),
           .preceding_job = whole(16),
           .think_time = value[17],
           .gpus = -1};
    return {};
  }

  LineReader lines_;
  JobLogFacts facts_;
  Counts counts_;
  std::string blanks_;
  std::int64_t most_ = kMostWidth;
  std::int64_t last_whole_ = -1;  ///< the largest number of a job that is no part
};

}  // namespace

Result<JobLogFacts> read_swf(LineReader lines, const JobSink& sink) {
  return SwfReader(std::move(lines)).read(sink);
}

bool looks_like_swf(std::string_view head) {
  bool has_header = false;
  for (std::string_view line : split(head, '\n')) {
    const std::string_view text = trim(line);
    if (text.empty()) continue;
    if (text.front() == ';') {
      has_header = has_header || text.find(':') != std::string_view::npos;
      continue;
    }
    double value = 0;
    std::string_view field;
    std::string blanks(text);
    if (std::ranges::count(text, ',') >= 17) std::ranges::replace(blanks, ',', ' ');
    line = blanks;
    for (std::size_t i = 0; i < kSwfFields; ++i) {
      const NumberField kind = take_number(line, value, field);
      if (kind != NumberField::whole && kind != NumberField::fraction) return false;
    }
    return true;
  }
  return has_header;  // there is no job, which the reader reports
}

Result<Oddities> write_swf(const JobLog& log, const TextSink& sink) {
  SinkBuffer out(sink);
  std::int64_t fractions = 0, with_gpus = 0;
  bool is_too_long = false;
  const auto whole = [&](double time) {
    if (!(std::abs(time) <= kMostWhole)) {
      is_too_long = true;
      return std::int64_t{-1};
    }
    const double rounded = std::nearbyint(time);
    if (rounded != time) ++fractions;
    return static_cast<std::int64_t>(rounded);
  };
  for (const auto& [name, value] : log.facts.header) out << fmt::format("; {}: {}\n", name, value);
  std::string line;
  for (const LoggedJob& j : log.jobs) {
    line.clear();
    fmt::format_to(std::back_inserter(line),
                   "{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}\n", j.number,
                   whole(j.submit), whole(j.wait), whole(j.run), j.processors, to_text(j.cpu_time),
                   to_text(j.memory), j.requested_processors, whole(j.requested_time),
                   to_text(j.requested_memory), j.status, j.user, j.group, j.executable, j.queue,
                   j.partition, j.preceding_job, whole(j.think_time));
    if (is_too_long) {
      return fail(ErrorCode::bad_value, "",
                  fmt::format("found job {} with a time beyond 2^53 s, expected less", j.number));
    }
    out << line;
    if (j.gpus > 0) ++with_gpus;
  }
  HOLDFAST_CHECK(out.finish());
  Oddities lost;
  lost.add("times with fractions of a second", fractions, "rounded to seconds");
  lost.add("jobs with GPUs", with_gpus, "written without them");
  return lost;
}

FormatOf<JobLog> swf_format() {
  return {.facts = {.name = "swf",
                    .summary = "batch log in the Standard Workload Format (18 numbers per job)",
                    .recognise = looks_like_swf},
          .read = read_swf,
          .write = write_swf};
}

}  // namespace holdfast
