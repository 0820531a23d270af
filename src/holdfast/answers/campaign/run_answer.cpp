#include "holdfast/answers/campaign/run_answer.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/campaign/executors/slurm.hpp"
#include "holdfast/campaign/results.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {
namespace {

std::vector<std::string> told(const Campaign& campaign, const RunEstimate& estimate) {
  std::string cells = fmt::format("{}, {}: {}", counted(estimate.positions, "point"),
                                  counted(estimate.cells, "cell"),
                                  counted(campaign.strategies.size(), "strategy", "strategies"));
  cells += fmt::format(", {}, {} for each", counted(campaign.instances, "instance"),
                       counted(campaign.scenarios, "scenario"));
  if (estimate.points < estimate.positions) {
    cells += fmt::format("; {} of the points are different; equal ones run once", estimate.points);
  }
  const auto time = [](double seconds) {
    return seconds < 1 ? std::string("less than 1 s")
                       : "about " + format_duration(std::round(seconds));
  };
  std::string estimated =
      fmt::format("{} on {}", time(estimate.seconds()), counted(estimate.threads, "thread"));
  if (estimate.threads > 1)
    estimated += fmt::format(" ({} of processor time)", time(estimate.core_seconds));
  return {cells, fmt::format("{}, estimated from {} that were run at {}: for each strategy the "
                             "mean time of its cells, times their number",
                             estimated, counted(estimate.sampled_cells, "cell"),
                             counted(estimate.sampled_points, "point"))};
}

Value to_value(const Campaign& campaign, const RunEstimate& estimate,
               const std::optional<CampaignStatus>& found) {
  Value out = Value::object({{"campaign", campaign.name},
                             {"points", estimate.positions},
                             {"different_points", estimate.points},
                             {"cells", estimate.cells},
                             {"seconds", estimate.seconds()},
                             {"core_seconds", estimate.core_seconds},
                             {"threads", std::uint64_t{estimate.threads}},
                             {"sampled_cells", estimate.sampled_cells},
                             {"sampled_points", estimate.sampled_points}});
  if (found) out.set("cells_done", found->cells_done);
  return out;
}

Value to_value(const std::filesystem::path& directory, const std::string& campaign,
               const CampaignStatus& status) {
  return Value::object({{"directory", directory.string()},
                        {"campaign", campaign},
                        {"cells_done", status.cells_done},
                        {"cells_total", status.cells_total},
                        {"points_done", status.points_done},
                        {"points_total", status.points_total},
                        {"is_running", status.is_running}});
}

}  // namespace

Result<Answer> estimate_answer(const Campaign& campaign, const RunEstimate& estimate,
                               const std::filesystem::path& directory) {
  std::optional<CampaignStatus> found;
  if (holds_results(directory)) {
    HOLDFAST_TRY(results, Results::open(directory));
    HOLDFAST_TRY(status, results.status());
    found = status;
  }
  Answer answer;
  answer.document = to_value(campaign, estimate, found);
  answer.lines = told(campaign, estimate);
  if (found) {
    answer.lines.push_back(
        fmt::format("{} holds {} already; those that this file asks for are not run again",
                    directory.string(), counted(found->cells_done, "cell")));
  }
  answer.warnings = estimate.warnings;
  return answer;
}

Result<Answer> status_answer(const std::filesystem::path& directory) {
  HOLDFAST_TRY(results, Results::open(directory));
  HOLDFAST_TRY(status, results.status());
  const std::string& name = results.description().name;
  Answer answer;
  answer.document = to_value(directory, name, status);
  for (const std::string& job : status.jobs) {
    const auto queue = ask_queue(job);
    if (!queue) continue;
    answer.lines.push_back(fmt::format("job {}: {} running, {} waiting", job,
                                       counted(queue->running, "task"), queue->pending));
  }
  answer.lines.push_back(fmt::format("{}: {} of {} cells, {} of {} points{}", name,
                                     status.cells_done, status.cells_total, status.points_done,
                                     status.points_total, status.is_running ? ", running" : ""));
  return answer;
}

}  // namespace holdfast
