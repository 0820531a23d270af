#include "holdfast/traces/jobs/alibaba.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/machines/machine_table.hpp"
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
constexpr auto kNodeColumns =
    std::to_array<std::string_view>({"sn", "cpu_milli", "memory_mib", "gpu", "model"});
constexpr double kThousandths = 1000;
constexpr double kMebibyte = 1048576;
constexpr double kMostCpus = 1e9;
constexpr double kMost = 1e15;
constexpr std::int64_t kMostNumber = std::int64_t{1} << 53;  // what other formats can hold

/// Nothing where the cell is empty.
Result<std::optional<double>> number(const CsvReader& rows, std::size_t column) {
  const std::string_view text = trim(rows[column]);
  if (text.empty()) return std::optional<double>{};
  const auto value = parse_quantity(text, Unit::none);
  if (value && *value >= 0 && *value <= kMost) return std::optional<double>{*value};
  return fail(ErrorCode::bad_value, rows.place(column),
              fmt::format("found {}, expected a number from 0 to 1e15", in_quotes(text)));
}

/// The number at the end of "openb-pod-0012"; the position where there is none.
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
    HOLDFAST_TRY(created, number(rows_, at_[kCreated]));
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
    HOLDFAST_TRY(cpu, number(rows_, at_[kCpu]));
    HOLDFAST_TRY(memory, number(rows_, at_[kMemory]));
    HOLDFAST_TRY(gpus, number(rows_, at_[kGpus]));
    HOLDFAST_TRY(share, number(rows_, at_[kGpuShare]));
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
    HOLDFAST_TRY(scheduled, number(rows_, at_[kScheduled]));
    HOLDFAST_TRY(deleted, number(rows_, at_[kDeleted]));
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

Result<MachineTable> read_alibaba_nodes(LineReader lines) {
  HOLDFAST_TRY(rows, CsvReader::open(std::move(lines)));
  HOLDFAST_TRY(at, rows.columns(kNodeColumns));
  MachineTable out;
  std::int64_t without_gpu = 0;
  for (;;) {
    HOLDFAST_TRY(more, rows.next());
    if (!more) break;
    LoggedMachine machine;
    machine.id = machine.name = trim(rows[at[0]]);
    machine.kind = trim(rows[at[4]]);
    if (machine.id.empty()) {
      return fail(ErrorCode::bad_value, rows.place(at[0]), "found nothing, expected a node's name");
    }
    HOLDFAST_TRY(cpu, number(rows, at[1]));
    HOLDFAST_TRY(memory, number(rows, at[2]));
    HOLDFAST_TRY(gpus, number(rows, at[3]));
    if (cpu) machine.cores = *cpu / kThousandths;
    if (memory) machine.memory = *memory * kMebibyte;
    machine.gpus = gpus;
    if (gpus && *gpus == 0) ++without_gpu;
    out.machines.push_back(std::move(machine));
  }
  if (out.machines.empty()) {
    return fail(ErrorCode::bad_format, rows.place(), "found no node, expected at least one");
  }
  out.oddities.add("nodes without a GPU", without_gpu, "kept");
  return out;
}

bool looks_like_alibaba_nodes(std::string_view head) {
  return csv_header_has(head, kNodeColumns);
}

}  // namespace holdfast
