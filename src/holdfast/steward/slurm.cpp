#include "holdfast/steward/slurm.hpp"

#include "holdfast/steward/slurm_command.hpp"

#include <fmt/format.h>

#include <ctime>
#include <utility>

namespace holdfast::steward {
namespace {

std::string_view state_for(Action::Do what, Switch how) {
  if (what == Action::Do::drain) return "DRAIN";
  if (what == Action::Do::resume) return "RESUME";
  if (what == Action::Do::on) return how == Switch::power ? "POWER_UP" : "RESUME";
  if (how == Switch::power) return "POWER_DOWN_FORCE";
  return how == Switch::down ? "DOWN" : "DRAIN";
}

}  // namespace

Result<Look> look_at_slurm() {
  std::vector<std::string> command = queue_command();
  command.insert(command.end(), {"--all", "--states=PENDING,RUNNING,SUSPENDED,CONFIGURING",
                                 fmt::format("--format={}", kQueueForm)});
  HOLDFAST_TRY(queue, ask_slurm(command));
  HOLDFAST_TRY(nodes, ask_slurm({"scontrol", "show", "node", "--oneliner"}));
  Look out;
  out.now = std::time(nullptr);
  HOLDFAST_TRY(jobs, parse_queue(queue));
  out.jobs = std::move(jobs);
  out.nodes = parse_nodes(nodes);
  return out;
}

std::vector<std::string> command_of(const Action& action, Switch how) {
  if (action.what == Action::Do::release) {
    return {"scontrol", "update", "JobId=" + action.job, "StartTime=now"};
  }
  if (action.what == Action::Do::hold) {
    return {"scontrol", "update", "JobId=" + action.job,
            fmt::format("StartTime=uts{}", action.until)};
  }
  if (action.what == Action::Do::place) {
    return {"scontrol", "update", "JobId=" + action.job, "ReqNodeList=" + action.node};
  }
  std::vector<std::string> out = {"scontrol", "update", "NodeName=" + action.node,
                                  fmt::format("State={}", state_for(action.what, how))};
  if (action.takes_out()) {
    out.push_back(fmt::format("Reason={}: {}", kReason, action.because));
  }
  return out;
}

std::size_t alike_from(const std::vector<Action>& actions, std::size_t first) {
  constexpr std::size_t kMost = 100;
  const Action& one = actions[first];
  std::size_t out = 1;
  if (one.what != Action::Do::hold && one.what != Action::Do::release) return out;
  while (out < kMost && first + out < actions.size() && actions[first + out].what == one.what &&
         actions[first + out].until == one.until) {
    ++out;
  }
  return out;
}

Action together(std::span<const Action> actions) {
  Action out = actions.front();
  for (const Action& other : actions.subspan(1)) out.job += "," + other.job;
  return out;
}

Status perform(const Action& action, Switch how) {
  const auto said = ask_slurm(command_of(action, how));
  if (!said) return fail(said.error());
  return {};
}

}  // namespace holdfast::steward
