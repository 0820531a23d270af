#include "holdfast/traces/jobs/job_table.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/traces/text/number_field.hpp"

#include <fmt/format.h>

#include <array>
#include <span>

namespace holdfast {
namespace {

constexpr std::array<std::string_view, 3> kTable = {"release", "cores", "length"};
constexpr std::array<std::string_view, 4> kBorg = {"id", "release", "length", "cores"};

bool is_skipped(std::string_view line) {
  const std::string_view text = trim(line);
  return text.empty() || text.front() == '#';
}

// Reads the numbers with which a line must begin, and removes them from the line.
Status read_numbers(const LineReader& lines, std::string_view& line,
                    std::span<const std::string_view> names, std::span<double> out) {
  std::string_view field;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const NumberField kind = take_number(line, out[i], field);
    if (kind == NumberField::none) {
      return fail(
          ErrorCode::bad_format, lines.place(),
          fmt::format("found {} fields, expected {}: {}", i, names.size(), join(names, " ")));
    }
    if (kind != NumberField::whole) {
      return fail(ErrorCode::bad_value, fmt::format("{}: {}", lines.place(), names[i]),
                  fmt::format("found {}, expected a whole number", in_quotes(field)));
    }
  }
  line = trim(line);
  return {};
}

template <class Take>
Result<JobLogFacts> read_lines(LineReader lines, std::span<const std::string_view> names,
                               std::size_t words, const JobSink& sink, const Take& take) {
  JobLogFacts facts;
  std::int64_t disordered = 0;
  double latest = -1;
  std::array<double, 4> value{};
  std::string_view line;
  for (;;) {
    HOLDFAST_TRY(more, lines.next(line));
    if (!more) break;
    if (is_skipped(line)) continue;
    HOLDFAST_CHECK(read_numbers(lines, line, names, value));
    const bool has_word = !line.empty();
    if (has_word != (words == 1) || line.find(' ') != std::string_view::npos) {
      return fail(ErrorCode::bad_format, lines.place(),
                  fmt::format("found {} after {} numbers, expected {}", in_quotes(line),
                              names.size(), words == 1 ? "one word" : "the end of the line"));
    }
    LoggedJob job = take(value, facts.jobs);
    ++facts.jobs;
    if (job.submit < latest) ++disordered;
    latest = job.submit;
    sink(job);
  }
  if (facts.jobs == 0) {
    return fail(ErrorCode::bad_format, lines.place(), "found no job, expected at least one");
  }
  facts.oddities.add("jobs submitted before the one above", disordered,
                     "kept in the order of the file");
  return facts;
}

// Returns the kinds of the fields of the first line that is not skipped: 'n' for a whole number, 'w' for anything else.
std::string shape_of(std::string_view head) {
  for (std::string_view line : split(head, '\n')) {
    if (is_skipped(line)) continue;
    std::string shape;
    double value = 0;
    std::string_view field;
    while (shape.size() < 8) {
      const NumberField kind = take_number(line, value, field);
      if (kind == NumberField::none) break;
      shape += kind == NumberField::whole ? 'n' : 'w';
    }
    return shape;
  }
  return {};
}

std::int64_t whole(double value) {
  return static_cast<std::int64_t>(value);
}

}  // namespace

Result<JobLogFacts> read_job_table(LineReader lines, const JobSink& sink) {
  return read_lines(std::move(lines), kTable, 0, sink,
                    [](std::span<const double> v, std::int64_t index) {
                      LoggedJob job;
                      job.number = index;
                      job.submit = v[0];
                      job.processors = whole(v[1]);
                      job.run = v[2];
                      return job;
                    });
}

bool looks_like_job_table(std::string_view head) {
  return shape_of(head) == "nnn";
}

Result<JobLogFacts> read_borg_jobs(LineReader lines, const JobSink& sink) {
  return read_lines(std::move(lines), kBorg, 1, sink, [](std::span<const double> v, std::int64_t) {
    LoggedJob job;
    job.number = whole(v[0]);
    job.submit = v[1];
    job.run = v[2];
    job.processors = whole(v[3]);
    return job;
  });
}

bool looks_like_borg_jobs(std::string_view head) {
  return shape_of(head) == "nnnnw";
}

FormatOf<JobLog> job_table_format() {
  return {.facts = {.name = "job-table",
                    .summary = "jobs as lines of release, cores, length",
                    .recognise = looks_like_job_table},
          .read = read_job_table};
}

FormatOf<JobLog> borg_jobs_format() {
  return {
      .facts = {.name = "borg-jobs",
                .summary = "jobs of a Borg cell as lines of id, release, length, cores and a word",
                .recognise = looks_like_borg_jobs},
      .read = read_borg_jobs};
}

}  // namespace holdfast
