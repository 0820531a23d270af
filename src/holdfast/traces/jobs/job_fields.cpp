#include "holdfast/traces/jobs/job_fields.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace holdfast {
namespace {

constexpr auto kFields =
    std::to_array<JobField>({{"job", &LoggedJob::number},
                             {"submit", &LoggedJob::submit},
                             {"wait", &LoggedJob::wait},
                             {"run", &LoggedJob::run},
                             {"processors", &LoggedJob::processors},
                             {"cpu_time", &LoggedJob::cpu_time},
                             {"memory", &LoggedJob::memory},
                             {"requested_processors", &LoggedJob::requested_processors},
                             {"requested_time", &LoggedJob::requested_time},
                             {"requested_memory", &LoggedJob::requested_memory},
                             {"status", &LoggedJob::status},
                             {"user", &LoggedJob::user},
                             {"group", &LoggedJob::group},
                             {"executable", &LoggedJob::executable},
                             {"queue", &LoggedJob::queue},
                             {"partition", &LoggedJob::partition},
                             {"preceding_job", &LoggedJob::preceding_job},
                             {"think_time", &LoggedJob::think_time},
                             {"gpus", &LoggedJob::gpus}});

}  // namespace

std::span<const JobField> job_fields() {
  return kFields;
}

double value_of(const LoggedJob& job, const JobField& field) {
  return std::visit([&](auto member) { return static_cast<double>(job.*member); }, field.member);
}

std::int64_t status_of(std::string_view state) {
  struct Meaning {
    std::string_view begin;
    std::int64_t status;
  };
  constexpr auto kMeanings = std::to_array<Meaning>(
      {{"completed_f", 0}, {"completed_w", 0}, {"completed_k", 5}, {"rejected", 5},
       {"complet", 1},     {"cd", 1},          {"success", 1},     {"succeeded", 1},
       {"finished", 1},    {"done", 1},        {"pass", 1},        {"cancel", 5},
       {"ca", 5},          {"revoked", 5},     {"killed", 5},      {"fail", 0},
       {"error", 0},       {"exit", 0},        {"timeout", 0},     {"node_fail", 0},
       {"out_of_me", 0},   {"oom", 0},         {"preempted", 0},   {"boot_fail", 0},
       {"deadline", 0},    {"aborted", 0},     {"evicted", 0}});
  const std::string lower = lower_case(state);
  const auto found = std::ranges::find_if(
      kMeanings, [&](const Meaning& one) { return lower.starts_with(one.begin); });
  return found == kMeanings.end() || lower == "completing" ? -1 : found->status;
}

void add_lost_fields(std::span<const LoggedJob> jobs, std::span<const std::string_view> kept,
                     Oddities& lost) {
  std::int64_t values = 0;
  std::vector<std::string_view> names;
  for (const JobField& field : kFields) {
    if (std::ranges::find(kept, field.name) != kept.end()) continue;
    const auto known = std::ranges::count_if(
        jobs, [&](const LoggedJob& job) { return value_of(job, field) != -1; });
    if (known == 0) continue;
    values += known;
    names.push_back(field.name);
  }
  lost.add(fmt::format("values of {}", join(names, ", ")), values,
           "the format has no place for them");
}

}  // namespace holdfast
