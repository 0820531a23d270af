#include "holdfast/steward/slurm.hpp"

#include "holdfast/base/command.hpp"
#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <ctime>
#include <utility>

namespace holdfast::steward {
namespace {

constexpr double kAnswerWithin = 20;

Result<std::string> said_by(const std::vector<std::string>& command) {
  HOLDFAST_TRY(said, run_command(command, kAnswerWithin));
  if (said.status == 0) return std::move(said.out);
  const std::string_view words = trim(said.err.empty() ? said.out : said.err);
  return fail(ErrorCode::io_failure, command[command.front() == "env" ? 2 : 0],
              fmt::format("exit status {}: {}", said.status, printable(words)));
}

std::string_view state_for(Action::Do what, Switch how) {
  if (what == Action::Do::on) return how == Switch::power ? "POWER_UP" : "RESUME";
  if (how == Switch::power) return "POWER_DOWN_FORCE";
  return how == Switch::down ? "DOWN" : "DRAIN";
}

}  // namespace

Result<Look> look_at_slurm() {
  HOLDFAST_TRY(queue, said_by({"env", "SLURM_TIME_FORMAT=%s", "squeue", "--all", "--noheader",
                               "--states=PENDING,RUNNING,SUSPENDED,CONFIGURING",
                               fmt::format("--format={}", kQueueForm)}));
  HOLDFAST_TRY(nodes, said_by({"scontrol", "show", "node", "--oneliner"}));
  Look out;
  out.now = std::time(nullptr);
  HOLDFAST_TRY(jobs, parse_queue(queue));
  out.jobs = std::move(jobs);
  out.nodes = parse_nodes(nodes);
  return out;
}

Result<std::string> cluster_name() {
  HOLDFAST_TRY(text, said_by({"scontrol", "show", "config"}));
  for (const std::string_view line : split(text, '\n')) {
    if (line.starts_with("ClusterName")) {
      return std::string(trim(line.substr(line.find('=') + 1)));
    }
  }
  return std::string("?");
}

std::vector<std::string> command_of(const Action& action, Switch how) {
  if (action.what == Action::Do::place) {
    return {"scontrol", "update", "JobId=" + action.job, "ReqNodeList=" + action.node};
  }
  std::vector<std::string> out = {"scontrol", "update", "NodeName=" + action.node,
                                  fmt::format("State={}", state_for(action.what, how))};
  if (action.what == Action::Do::off) {
    out.push_back(fmt::format("Reason={}: {}", kReason, action.because));
  }
  return out;
}

Status perform(const Action& action, Switch how) {
  const auto said = said_by(command_of(action, how));
  if (!said) return fail(said.error());
  return {};
}

}  // namespace holdfast::steward
