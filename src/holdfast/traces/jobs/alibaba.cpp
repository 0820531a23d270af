#include "holdfast/traces/jobs/alibaba.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/text/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace holdfast {
namespace {

constexpr auto kPodColumns = std::to_array<std::string_view>(
    {"name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli", "pod_phase", "creation_time",
     "deletion_time", "scheduled_time"});
enum PodColumn : std::size_t {
  kName,
  kCpu,
  kMemory,
  kGpus,
  kGpuShare,
  kPhase,
  kCreated,
  kDeleted,
  kScheduled
};
constexpr double kThousandths = 1000;
constexpr double kMebibyte = 1048576;
constexpr double kMostCpus = 1e9;
constexpr std::int64_t kMostNumber = std::int64_t{1} << 53;  // the limit of other formats

/// Returns the number at the end of "openb-pod-0012"; the position if there is none.
std::int64_t number_of(std::string_view name, std::int64_t position) {
  const std::size_t begin = name.find_last_not_of("0123456789") + 1;  // npos + 1 is 0
  const auto number = parse_integer(name.substr(begin));
  return number && *number <= kMostNumber ? *number : position;
}

std::int64_t status_of(std::string_view phase) {
  return phase == "Succeeded" ? 1 : phase == "Failed" ? 0 : -1;
}

class PodReader {
 public:
  PodReader(CsvReader rows, std::vector<std::size_t> at)
      : rows_{std::move(rows)}, at_{std::move(at)} {}

  Result<JobLogFacts> read(const JobSink& sink) {
    for (;;) {
      HOLDFAST_TRY(more, rows_.next());
      if (!more) break;
      HOLDFAST_TRY(job, pod());
      ++facts_.jobs;
      sink(job);
    }
    if (facts_.jobs == 0) {
      return fail(ErrorCode::bad_format, rows_.place(), "found no pod, expected at least one");
    }
    facts_.has_own_clock = true;
    Oddities& odd = facts_.oddities;
    odd.add("pods that were never scheduled", unscheduled_, "no wait and no run time");
    odd.add("pods that asked for fractions of a CPU", fractions_, "rounded up");
    odd.add("pods that share a GPU", shared_, "the GPU counts as a fraction");
    odd.add("pods without a deletion", undeleted_, "no run time");
    odd.add("pods deleted before they were scheduled, or scheduled before their creation",
            reversed_, "no wait and no run time");
    odd.add("jobs submitted before the one above", disordered_, "kept in the order of the file");
    odd.add("pods with status 0 (failed)", failed_, "kept: they took their resources");
    return std::move(facts_);
  }

 private:
  Result<LoggedJob> pod() {
    LoggedJob job;
    job.number = number_of(trim(rows_[at_[kName]]), facts_.jobs);
    HOLDFAST_TRY(created, optional_number(rows_, at_[kCreated]));
    if (!created) {
      return fail(ErrorCode::bad_value, rows_.place(at_[kCreated]),
                  "found nothing, expected when the pod was created");
    }
    job.submit = *created;
    if (job.submit < latest_) ++disordered_;
    latest_ = job.submit;
    HOLDFAST_CHECK(read_resources(job));
    HOLDFAST_CHECK(read_times(job));
    job.status = status_of(trim(rows_[at_[kPhase]]));
    if (job.status == 0) ++failed_;
    return job;
  }

  Status read_resources(LoggedJob& job) {
    HOLDFAST_TRY(cpu, optional_number(rows_, at_[kCpu]));
    HOLDFAST_TRY(memory, optional_number(rows_, at_[kMemory]));
    HOLDFAST_TRY(gpus, optional_number(rows_, at_[kGpus]));
    HOLDFAST_TRY(share, optional_number(rows_, at_[kGpuShare]));
    if (cpu) {
      const double cpus = *cpu / kThousandths;
      if (cpus > kMostCpus) {
        return fail(ErrorCode::bad_value, rows_.place(at_[kCpu]),
                    fmt::format("found {}, expected at most 1e12", in_quotes(rows_[at_[kCpu]])));
      }
      if (cpus != std::trunc(cpus)) ++fractions_;
      job.requested_processors = static_cast<std::int64_t>(std::ceil(cpus));
    }
    if (memory) {
      const auto cpus = static_cast<double>(std::max<std::int64_t>(job.requested_processors, 1));
      job.requested_memory = *memory * (kMebibyte / 1024) / cpus;
    }
    if (gpus) {
      job.gpus = *gpus * share.value_or(kThousandths) / kThousandths;
      if (*gpus > 0 && share && *share < kThousandths) ++shared_;
    }
    return {};
  }

  Status read_times(LoggedJob& job) {
    HOLDFAST_TRY(scheduled, optional_number(rows_, at_[kScheduled]));
    HOLDFAST_TRY(deleted, optional_number(rows_, at_[kDeleted]));
    if (!scheduled) {
      ++unscheduled_;
    } else if (*scheduled < job.submit || (deleted && *deleted < *scheduled)) {
      ++reversed_;
    } else {
      job.wait = *scheduled - job.submit;
      job.processors = job.requested_processors;
      if (deleted) job.run = *deleted - *scheduled;
      if (!deleted) ++undeleted_;
    }
    return {};
  }

  CsvReader rows_;
  std::vector<std::size_t> at_;
  JobLogFacts facts_;
  double latest_ = -1;
  std::int64_t unscheduled_ = 0, fractions_ = 0, shared_ = 0, undeleted_ = 0, reversed_ = 0,
               disordered_ = 0, failed_ = 0;
};

}  // namespace

Result<JobLogFacts> read_alibaba_pods(LineReader lines, const JobSink& sink) {
  HOLDFAST_TRY(rows, CsvReader::open(std::move(lines)));
  HOLDFAST_TRY(at, rows.columns(kPodColumns));
  return PodReader(std::move(rows), std::move(at)).read(sink);
}

bool looks_like_alibaba_pods(std::string_view head) {
  return csv_header_has(head, kPodColumns);
}

FormatOf<JobLog> alibaba_pods_format() {
  return {.facts = {.name = "alibaba-pods",
                    .summary = "pods of Alibaba's GPU cluster, 2023 (CSV)",
                    .recognise = looks_like_alibaba_pods},
          .read = read_alibaba_pods};
}

}  // namespace holdfast
