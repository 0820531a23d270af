#include "holdfast/steward/core.hpp"

#include "holdfast/base/node_names.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/steward/reconcile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace holdfast::steward {
namespace {

using Phase = capacity::LiveJob::Phase;

bool is_ours(const State& state, const SeenNode& node) {
  return node.reason.starts_with(kReason) || (node.reason.empty() && state.off.contains(node.name));
}

/// The nodes of the charge, as they are and as they should be.
struct NodePlan {
  std::set<std::string> up;  ///< jobs can start there, and should
  std::vector<Action> actions;
  std::int64_t kept = 0;
};

NodePlan plan_nodes(const State& state, const Look& look, const Charge& charge) {
  std::map<std::string_view, const SeenNode*> seen;
  for (const SeenNode& node : look.nodes) seen.emplace(node.name, &node);
  NodePlan out;
  std::int64_t left = look.capacity.value_or(static_cast<std::int64_t>(charge.nodes.size()));
  const std::string now =
      look.capacity ? fmt::format("{} of {} nodes may be on", *look.capacity, charge.nodes.size())
                    : std::string("all nodes may be on");
  for (const std::string& name : charge.nodes) {
    const auto found = seen.find(name);
    if (found == seen.end()) continue;
    const SeenNode& node = *found->second;
    if (node.is_unknown()) {  // nothing is done; what was known holds
      const auto machine = state.world.machine_named(name);
      if (machine && state.world.is_up[*machine] != 0) {
        --left;
        out.up.insert(name);
      }
      continue;
    }
    const bool can = node.is_usable();
    if (!can && !is_ours(state, node)) {
      ++out.kept;
      continue;
    }
    const auto leaves = look.leaving.find(name);
    if (leaves != look.leaving.end()) {
      if (can) {
        out.actions.push_back({.what = Action::Do::drain, .node = name, .because = leaves->second});
      }
      continue;
    }
    const bool should = left-- > 0;
    if (can && should) out.up.insert(name);
    if (can == should) continue;
    const bool is_drained = node.state.find("DRAIN") != std::string::npos;
    const Action::Do back = is_drained ? Action::Do::resume : Action::Do::on;
    out.actions.push_back({.what = should ? back : Action::Do::off, .node = name, .because = now});
  }
  return out;
}

// A job that waits is to have the node for which the policy makes it wait.
void plan_places(const State& state, const Look& look, std::vector<Action>& out) {
  std::unordered_map<std::string_view, const SeenJob*> seen(look.jobs.size());
  for (const SeenJob& job : look.jobs) seen.emplace(job.id, &job);
  for (const capacity::LiveJob& job : state.world.jobs) {
    const bool waits = job.phase == Phase::waiting || job.phase == Phase::starting;
    const auto found = seen.find(job.id);
    if (!waits || !job.machine || found == seen.end()) continue;
    const std::string& node = state.world.machines[*job.machine];
    if (found->second->state != "PENDING" || found->second->wanted == node) continue;
    const auto why = state.because.find(job.id);
    out.push_back({.what = Action::Do::place,
                   .job = job.id,
                   .node = node,
                   .because = why == state.because.end() ? std::string() : why->second});
  }
}

// Leaves out what Slurm has just refused, and forgets refusals of what is not wanted any more.
void drop_refused(State& state, std::int64_t now, std::vector<Action>& actions) {
  std::set<std::string> wanted;
  for (const Action& action : actions) wanted.insert(action.key());
  std::erase_if(state.refused, [&](const auto& one) { return !wanted.contains(one.first); });
  std::erase_if(actions, [&](const Action& action) {
    const auto refusal = state.refused.find(action.key());
    return refusal != state.refused.end() &&
           (refusal->second.count >= kTries || now < refusal->second.again);
  });
}

}  // namespace

std::string Action::key() const {
  return fmt::format("{} {} {}", kActions[static_cast<std::size_t>(what)], job, node);
}

State first_state(const Charge& charge, std::int64_t cores, std::int64_t safe, std::int64_t now) {
  State out;
  capacity::World& world = out.world;
  world.machines = charge.nodes;
  world.is_up.assign(charge.nodes.size(), 0);
  world.rules.cores = cores;
  world.rules.machines = static_cast<std::int64_t>(charge.nodes.size());
  world.rules.safe_machines = safe;
  world.now = now;
  world.memory.used = 0;
  return out;
}

Result<Said> step(State& state, const Look& look, const Charge& charge) {
  Said out;
  const NodePlan nodes = plan_nodes(state, look, charge);
  for (const SeenNode& node : look.nodes) {
    if (node.is_usable()) state.off.erase(node.name);
  }
  const std::vector<capacity::LiveEvent> events = events_of(state, look, charge, nodes.up, out);
  HOLDFAST_TRY(advice, advance(state.world, events, charge.policy));
  for (const capacity::LiveMove& move : advice.moves) state.because[move.job] = move.because;
  std::unordered_set<std::string_view> ids(look.jobs.size());
  for (const SeenJob& job : look.jobs) ids.insert(job.id);
  const auto is_gone = [&](const auto& one) { return !ids.contains(one.first); };
  const std::size_t forgotten =
      std::erase_if(state.because, is_gone) + std::erase_if(state.placed, is_gone);
  out.actions = nodes.actions;
  plan_places(state, look, out.actions);
  const std::size_t wanted = out.actions.size();
  drop_refused(state, look.now, out.actions);
  const bool is_tick = events.size() == 1 && events[0].what == capacity::LiveEvent::What::tick;
  out.is_news = !is_tick || !advice.moves.empty() || forgotten > 0 || wanted > 0;
  out.ask_again_at = advice.ask_again_at;
  out.kept = nodes.kept;
  out.usable = static_cast<std::int64_t>(nodes.up.size());
  for (const capacity::LiveJob& job : state.world.jobs) {
    ++(job.phase == Phase::running ? out.running : out.waiting);
  }
  return out;
}

void note_begun(State& state, const Action& action) {
  if (action.what == Action::Do::place) state.placed[action.job].insert(action.node);
  if (action.takes_out()) state.off.insert(action.node);
}

void note_refused(State& state, const Action& action, std::int64_t now) {
  State::Refusal& refusal = state.refused[action.key()];
  ++refusal.count;
  refusal.again = now + state.world.patience;
}

}  // namespace holdfast::steward
