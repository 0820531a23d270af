#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/traces/capacity/service_share.hpp"
#include "holdfast/traces/jobs/job_fields.hpp"
#include "holdfast/traces/jobs/jobs_csv.hpp"
#include "holdfast/traces/text/csv.hpp"
#include "holdfast/traces/text/words.hpp"

#include <algorithm>
#include <cmath>

/// Tables of jobs of single sites: which columns they have, and what is special about them.
namespace holdfast {
namespace {

/// Returns true if the first row begins with that many whole numbers and has that many cells in all.
bool begins_with_numbers(std::string_view head, std::size_t numbers, std::size_t cells) {
  const auto words = words_of(first_row_of(head));
  const auto is_whole = [](std::string_view word) {
    return word.find_first_not_of("0123456789", word.starts_with('-') ? 1 : 0) == word.npos;
  };
  return words.size() == cells &&
         static_cast<std::size_t>(std::ranges::count_if(words, is_whole)) == numbers &&
         std::all_of(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(numbers), is_whole);
}

/// Reads lines of numbers, which are inputs of simulations: their times count from the begin of the simulation.
template <std::size_t kCells>
Result<JobLogFacts> read_numbers(TraceText text, const JobSink& sink) {
  const std::string_view columns =
      kCells == 3 ? "submit=1,processors=2,run=3" : "job=1,submit=2,run=3,processors=4";
  HOLDFAST_TRY(facts, read_job_rows(std::move(text).with(columns, false), sink));
  facts.has_own_clock = false;
  return facts;
}

std::string_view cell(const TableRows& row, std::string_view column) {
  const auto at = row.reading().table.column(column);
  return at ? row.cell(*at) : std::string_view();
}

/// Pods ask for thousandths of CPUs and for MiB, and may share a GPU.
Result<JobLogFacts> read_alibaba_pods(TraceText text, const JobSink& sink) {
  constexpr std::string_view kColumns =
      "submit=creation_time,start=scheduled_time,end=deletion_time,"
      "requested_processors=cpu_milli,requested_memory=memory_mib,gpus=num_gpu,state=pod_phase";
  constexpr double kThousandths = 1000, kKibibytes = 1024;
  std::int64_t fractions = 0, shared = 0, failed = 0, position = 0;
  const auto settle = [&](TableRows& row, LoggedJob& job) -> Status {
    const std::string_view name = cell(row, "name");
    const auto number = parse_integer(name.substr(name.find_last_not_of("0123456789") + 1));
    job.number = number && *number <= static_cast<std::int64_t>(kMostWhole) ? *number : position;
    ++position;
    const double cpus = static_cast<double>(job.requested_processors) / kThousandths;
    if (cpus > 0) {
      if (cpus != std::trunc(cpus)) ++fractions;
      job.requested_processors = static_cast<std::int64_t>(std::ceil(cpus));
    }
    if (job.requested_memory > 0)
      job.requested_memory = job.requested_memory * kKibibytes /
                             static_cast<double>(std::max<std::int64_t>(job.width(), 1));
    if (job.wait >= 0) job.processors = job.requested_processors;
    const auto share = number_in(cell(row, "gpu_milli"), false);
    if (share && job.gpus > 0 && *share < kThousandths) {
      job.gpus *= *share / kThousandths;
      ++shared;
    }
    if (job.status == 0) ++failed;
    return {};
  };
  HOLDFAST_TRY(facts, read_job_rows(std::move(text).with(kColumns), sink, settle));
  facts.oddities.add("jobs that asked for fractions of a CPU", fractions, "rounded up");
  facts.oddities.add("jobs that share a GPU", shared, "the GPU counts as a fraction");
  facts.oddities.add("jobs with status 0 (failed)", failed, "kept: they took their resources");
  return facts;
}

/// Jobs of a cluster of GPUs, each with its attempts: from the start of the first to the end of the last, on the GPUs of the last.
Result<JobLogFacts> read_philly_jobs(TraceText text, const JobSink& sink) {
  constexpr std::string_view kColumns =
      "job=jobid,submit=submitted_time,state=status,user=user,queue=vc";
  const auto settle = [](TableRows& row, LoggedJob& job) -> Status {
    HOLDFAST_TRY(document, parse_json(row.line()));
    const Value* const attempts = document.find("attempts");
    if (attempts == nullptr || attempts->array_items() == nullptr) return {};
    std::optional<double> start, end;
    for (const Value& attempt : *attempts->array_items()) {
      const auto time = [&](const char* name) {
        const Value* value = attempt.find(name);
        const auto date = value != nullptr && value->string() != nullptr
                              ? read_written_date(*value->string())
                              : std::nullopt;
        return date ? std::optional(date->instant.seconds) : std::nullopt;
      };
      if (!start) start = time("start_time");
      end = time("end_time");
      double gpus = 0;
      if (const Value* detail = attempt.find("detail");
          detail != nullptr && detail->array_items()) {
        for (const Value& host : *detail->array_items()) {
          const Value* list = host.find("gpus");
          if (list != nullptr && list->array_items())
            gpus += static_cast<double>(list->array_items()->size());
        }
        job.nodes = std::ssize(*detail->array_items());
      }
      if (gpus > 0) job.gpus = gpus;
    }
    if (job.gpus > 0) job.processors = static_cast<std::int64_t>(job.gpus);
    if (start && *start >= job.submit) job.wait = *start - job.submit;
    if (start && end && *end >= *start) job.run = *end - *start;
    return {};
  };
  HOLDFAST_TRY(facts, read_job_rows(std::move(text).with(kColumns), sink, settle));
  facts.oddities.add("jobs of GPUs", facts.jobs, "a GPU counts as a processor");
  return facts;
}

/// Reservations of nodes, as jobs that are submitted when they start.
Result<JobLogFacts> each_reservation(TraceText text, const JobSink& sink, const SettleJob& take) {
  constexpr std::string_view kColumns =
      "job=8,submit=1,start=1,end=2,run=9,requested_time=10,processors=11";
  std::int64_t other_length = 0, overran = 0;
  const auto settle = [&](TableRows& row, LoggedJob& job) -> Status {
    const auto until = parse_instant(row.cell(1));
    if (until && std::abs(until->seconds - job.submit - job.run) > kClockHour) ++other_length;
    if (job.requested_time > 0 && job.run > job.requested_time) ++overran;
    return take(row, job);
  };
  HOLDFAST_TRY(facts, read_job_rows(std::move(text).with(kColumns, false), sink, settle));
  facts.oddities.add("lengths that disagree with end minus start by more than an hour",
                     other_length, "the length is used");
  facts.oddities.add("jobs that ran longer than requested", overran, "kept: the site allowed it");
  return facts;
}

Result<JobLogFacts> read_mira_reservations(TraceText text, const JobSink& sink) {
  return each_reservation(std::move(text), sink, [](TableRows&, LoggedJob&) { return Status{}; });
}

/// Returns the share of Mira's nodes that was in service: reservations for hardware take theirs out for the length that they
/// state.
Result<CapacitySeries> read_mira_service(LineReader lines) {
  constexpr double kNodesOfMira = 49152;
  ServiceShare share{kNodesOfMira};
  std::int64_t others = 0;
  const auto take = [&](TableRows& row, LoggedJob& drain) {
    if (row.cell(2).starts_with("R.hw"))
      share.out(drain.submit, drain.submit + drain.run, static_cast<double>(drain.processors));
    else
      ++others;
    return Status{};
  };
  HOLDFAST_TRY(facts, each_reservation(
                          std::move(lines), [](const LoggedJob&) {}, take));
  HOLDFAST_TRY(series, std::move(share).finish());
  series.is_dated = true;
  series.oddities = std::move(facts.oddities);
  series.oddities.add("reservations for other ends than hardware (R.hw)", others,
                      "left out: their nodes were in service");
  return series;
}

bool looks_like_mira_reservations(std::string_view head) {
  constexpr std::size_t kCells = 16;
  std::vector<std::string_view> fields;
  std::string storage;
  const auto is_date = [&](std::size_t i) {
    const auto instant = parse_instant(trim(fields[i]));
    return instant && instant->is_date;
  };
  return split_csv(first_row_of(head), fields, storage) && fields.size() == kCells && is_date(0) &&
         is_date(1);
}

}  // namespace

FormatOf<JobLog> job_table_format() {
  return {
      .facts = {.name = "job-table",
                .summary = "jobs as lines of release, cores, length",
                .recognise = [](std::string_view head) { return begins_with_numbers(head, 3, 3); }},
      .read = read_numbers<3>};
}

FormatOf<JobLog> borg_jobs_format() {
  return {
      .facts = {.name = "borg-jobs",
                .summary = "jobs of a Borg cell as lines of id, release, length, cores and a word",
                .recognise = [](std::string_view head) { return begins_with_numbers(head, 4, 5); }},
      .read = read_numbers<5>};
}

FormatOf<JobLog> alibaba_pods_format() {
  return {.facts = {.name = "alibaba-pods",
                    .summary = "pods of Alibaba's GPU cluster, 2023 (CSV)",
                    .columns = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,pod_phase,"
                               "creation_time,deletion_time,scheduled_time"},
          .read = read_alibaba_pods};
}

FormatOf<JobLog> sge_accounting_format() {
  return {.facts = {.name = "sge-accounting",
                    .summary = "accounting file of Grid Engine",
                    .recognise =
                        [](std::string_view head) {
                          constexpr std::size_t kFewest = 43, kSubmission = 8, kSlots = 34;
                          const auto cells = split(first_row_of(head), ':');
                          return cells.size() >= kFewest && finite_number(cells[kSubmission]) &&
                                 finite_number(cells[kSlots]);
                        }},
          .read = [](TraceText text, const JobSink& sink) {
            constexpr std::string_view kColumns =
                "job=6,user=4,group=3,queue=1,submit=9,start=10,end=11,processors=35";
            return read_job_rows(std::move(text).with(kColumns, false), sink,
                                 [](TableRows& row, LoggedJob& job) {
                                   job.status = row.raw(12) == "0" ? 1 : 0;  // exit_status
                                   return Status{};
                                 });
          }};
}

FormatOf<JobLog> philly_jobs_format() {
  return {.facts = {.name = "philly-jobs",
                    .summary = "jobs of Microsoft's GPU cluster Philly (JSON)",
                    .recognise =
                        [](std::string_view head) {
                          return trim(head).starts_with('[') &&
                                 head.find("\"submitted_time\"") != head.npos &&
                                 head.find("\"attempts\"") != head.npos;
                        }},
          .read = read_philly_jobs};
}

FormatOf<JobLog> mira_reservations_format() {
  return {.facts = {.name = "mira-reservations",
                    .summary = "reservations of Mira (CSV, 16 columns without a header)",
                    .recognise = looks_like_mira_reservations},
          .read = read_mira_reservations,
          .read_service = read_mira_service};
}

}  // namespace holdfast
