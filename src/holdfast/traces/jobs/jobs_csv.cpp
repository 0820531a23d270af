#include "holdfast/traces/jobs/jobs_csv.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/jobs/job_fields.hpp"
#include "holdfast/traces/text/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <variant>
#include <vector>

namespace holdfast {
namespace {

class JobsReader {
 public:
  explicit JobsReader(CsvReader rows) : rows_{std::move(rows)} {}

  Result<JobLogFacts> read(const JobSink& sink) {
    HOLDFAST_CHECK(find_columns());
    for (const std::string& comment : rows_.comments()) {
      const std::size_t colon = comment.find(':');
      if (colon == std::string::npos) continue;
      facts_.header.emplace_back(trim(std::string_view(comment).substr(0, colon)),
                                 trim(std::string_view(comment).substr(colon + 1)));
    }
    for (;;) {
      HOLDFAST_TRY(more, rows_.next());
      if (!more) break;
      LoggedJob job;
      for (const auto& [column, field] : columns_) HOLDFAST_CHECK(read_cell(column, *field, job));
      if (!has_numbers_) job.number = facts_.jobs;
      if (job.submit < latest_) ++disordered_;
      latest_ = job.submit;
      ++facts_.jobs;
      sink(job);
    }
    if (facts_.jobs == 0) {
      return fail(ErrorCode::bad_format, rows_.place(), "found no job, expected at least one");
    }
    facts_.has_own_clock = true;
    facts_.oddities.add("columns of other names", unused_, "not used");
    facts_.oddities.add("jobs submitted before the one above", disordered_,
                        "kept in the order of the file");
    return std::move(facts_);
  }

 private:
  Status find_columns() {
    bool has_width = false;
    for (std::size_t i = 0; i < rows_.header().size(); ++i) {
      const auto field = std::ranges::find(job_fields(), rows_.header()[i], &JobField::name);
      if (field == job_fields().end()) {
        ++unused_;
        continue;
      }
      columns_.emplace_back(i, &*field);
      has_numbers_ = has_numbers_ || field->name == "job";
      has_width = has_width || field->name.ends_with("processors");
    }
    constexpr auto kNeeded = std::to_array<std::string_view>({"submit", "run"});
    HOLDFAST_TRY(needed, rows_.columns(kNeeded));
    if (has_width) return {};
    return fail(ErrorCode::bad_format, rows_.place(),
                "found a header without processors and requested_processors, expected one of them");
  }

  Status read_cell(std::size_t column, const JobField& field, LoggedJob& job) const {
    const std::string_view text = trim(rows_[column]);
    if (text.empty()) return {};
    const bool is_whole = std::holds_alternative<std::int64_t LoggedJob::*>(field.member);
    const auto value = parse_quantity(text, Unit::none);
    if (!value || (is_whole && (*value != std::trunc(*value) || std::abs(*value) > kMostWhole))) {
      return fail(ErrorCode::bad_value, rows_.place(column),
                  fmt::format("found {}, expected a {}", in_quotes(text),
                              is_whole ? "whole number of at most 2^53" : "number"));
    }
    std::visit(
        [&](auto member) {
          using Type = std::remove_reference_t<decltype(job.*member)>;
          job.*member = static_cast<Type>(*value);
        },
        field.member);
    return {};
  }

  CsvReader rows_;
  std::vector<std::pair<std::size_t, const JobField*>> columns_;
  bool has_numbers_ = false;
  JobLogFacts facts_;
  double latest_ = -1;
  std::int64_t unused_ = 0, disordered_ = 0;
};

}  // namespace

Result<JobLogFacts> read_jobs_csv(LineReader lines, const JobSink& sink) {
  HOLDFAST_TRY(rows, CsvReader::open(std::move(lines), {.comments = true}));
  return JobsReader(std::move(rows)).read(sink);
}

bool looks_like_jobs_csv(std::string_view head) {
  constexpr auto kNeeded = std::to_array<std::string_view>({"submit", "run"});
  return csv_header_has(head, kNeeded);
}

Result<Oddities> write_jobs_csv(const JobLog& log, const TextSink& sink) {
  std::vector<const JobField*> fields;
  for (const JobField& field : job_fields()) {
    const bool is_needed = field.name == "job" || field.name == "submit" || field.name == "run" ||
                           field.name == "processors" ||
                           std::ranges::any_of(log.jobs, [&](const LoggedJob& job) {
                             return value_of(job, field) != -1;
                           });
    if (is_needed) fields.push_back(&field);
  }
  SinkBuffer out(sink);
  for (const auto& [name, value] : log.facts.header) out << fmt::format("# {}: {}\n", name, value);
  std::string line;
  for (const JobField* field : fields) line += (line.empty() ? "" : ",") + std::string(field->name);
  out << line << "\n";
  for (const LoggedJob& job : log.jobs) {
    line.clear();
    for (const JobField* field : fields) {
      if (field != fields.front()) line += ',';
      const double value = value_of(job, *field);
      if (value != -1) line += to_text(value);
    }
    out << line << "\n";
  }
  HOLDFAST_CHECK(out.finish());
  return Oddities{};
}

FormatOf<JobLog> jobs_csv_format() {
  return {.facts = {.name = "jobs-csv",
                    .summary = "jobs with columns submit, run, processors and others",
                    .recognise = looks_like_jobs_csv},
          .read = read_jobs_csv,
          .write = write_jobs_csv};
}

}  // namespace holdfast
