#include "holdfast/steward/core.hpp"

#include "holdfast/base/node_names.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/domains/capacity/tariff.hpp"
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

// Returns the most cores that are free on one node that is on.
std::int64_t most_free(const capacity::World& world) {
  std::vector<std::int64_t> free(world.machines.size());
  for (std::size_t m = 0; m < free.size(); ++m) free[m] = world.is_up[m] * world.rules.cores;
  for (const capacity::LiveJob& job : world.jobs) {
    if (job.phase != Phase::running && job.phase != Phase::starting) continue;
    if (job.machine) free[*job.machine] -= job.cores;
    for (const std::size_t other : job.others) free[other] -= job.cores;
  }
  return free.empty() ? 0 : *std::ranges::max_element(free);
}

// Dear hours are a reason only while they are dear.
std::string why_held(const capacity::World& world, const Charge& charge, std::int64_t cores,
                     std::int64_t most) {
  const auto& rates = world.rules.price.empty() ? world.rules.carbon : world.rules.price;
  const std::string lets = fmt::format("{} lets it wait", charge.policy.text);
  if (charge.policy.has("limit") && !rates.empty()) {
    const double rate = rate_at(rates, world.now);
    if (rate > charge.policy.number("limit"))
      return lets + fmt::format("; a node costs {:g} an hour now", rate);
  }
  return cores > most ? fmt::format("no node has {} free", counted(cores, "CPU")) : lets;
}

// A job that the policy lets wait without a node is held back, and again before that is over; one that it starts is let go.
void plan_holds(const State& state, const Look& look, const Charge& charge,
                std::vector<Action>& out) {
  const bool holds_back = !capacity::plans_ahead(charge.policy);
  if (!holds_back && state.held.empty()) return;
  std::unordered_map<std::string_view, const capacity::LiveJob*> known;
  for (const capacity::LiveJob& job : state.world.jobs) known.emplace(job.id, &job);
  const std::int64_t most = most_free(state.world);
  for (const SeenJob& job : look.jobs) {
    const auto found = known.find(job.id);
    if (job.state != "PENDING" || found == known.end()) continue;
    const bool is_ours = is_held_by_us(state, job);
    if (holds_back && found->second->phase == Phase::waiting) {
      if (is_ours && *job.start > look.now + charge.hold / 2) continue;
      out.push_back({.what = Action::Do::hold,
                     .job = job.id,
                     .because = why_held(state.world, charge, found->second->cores, most),
                     .until = look.now + charge.hold,
                     .is_again = is_ours});
    } else if (is_ours && found->second->phase != Phase::held) {
      const auto why = state.because.find(job.id);
      out.push_back({.what = Action::Do::release,
                     .job = job.id,
                     .because = why == state.because.end() ? std::string() : why->second});
    }
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

std::vector<Action> releases_of(const State& state, const Look& look) {
  std::vector<Action> out;
  for (const SeenJob& job : look.jobs) {
    if (job.state != "PENDING" || !is_held_by_us(state, job)) continue;
    out.push_back({.what = Action::Do::release, .job = job.id, .because = "the server ends"});
  }
  return out;
}

bool is_held_by_us(const State& state, const SeenJob& job) {
  const auto held = state.held.find(job.id);
  return held != state.held.end() && job.reason == "BeginTime" && job.start == held->second;
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
  const std::size_t forgotten = std::erase_if(state.because, is_gone) +
                                std::erase_if(state.placed, is_gone) +
                                std::erase_if(state.held, is_gone);
  out.actions = nodes.actions;
  plan_places(state, look, out.actions);
  plan_holds(state, look, charge, out.actions);
  const std::size_t wanted = out.actions.size();
  drop_refused(state, look.now, out.actions);
  const bool is_tick = events.size() == 1 && events[0].what == capacity::LiveEvent::What::tick;
  out.is_news = !is_tick || !advice.moves.empty() || forgotten > 0 || wanted > 0;
  out.ask_again_at = advice.ask_again_at;
  out.kept = nodes.kept;
  out.usable = static_cast<std::int64_t>(nodes.up.size());
  out.waiting = std::ranges::count_if(
      state.world.jobs, [](const capacity::LiveJob& job) { return job.phase != Phase::running; });
  return out;
}

void note_begun(State& state, const Action& action) {
  if (action.what == Action::Do::place) state.placed[action.job].insert(action.node);
  if (action.what == Action::Do::hold) state.held[action.job] = action.until;
  if (action.takes_out()) state.off.insert(action.node);
}

void note_refused(State& state, const Action& action, std::int64_t now) {
  State::Refusal& refusal = state.refused[action.key()];
  ++refusal.count;
  refusal.again = now + state.world.patience;
}

}  // namespace holdfast::steward
