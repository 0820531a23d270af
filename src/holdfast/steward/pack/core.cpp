#include "holdfast/steward/pack/core.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/domains/cosched/plan.hpp"
#include "holdfast/field/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace holdfast::steward::pack {
namespace {

using What = Event::What;
using Do = Action::Do;

template <class Held, class Row>
void rows(Held& it, Row row) {
  row("id", it.id);
  row.word("phase", it.phase, kPhases);
  row.spare("launch", it.launch);
  row("processors", it.processors);
  row("planned", it.planned);
  row("left", it.left);
  row.spare("saved", it.saved);
  row.spare("programs", it.programs);
  row.spare("failures", it.failures);
  row.spare("refusals", it.refusals);
  row.spare("moves", it.moves);
  row.spare("asked", it.asked);
  row.spare("ended", it.ended);
  row.spare("why", it.why);
}

template <class Held, class Row>
void node_rows(Held& node, Row row) {
  row("name", node.name);
  row("slots", node.slots);
  row.word("lent", node.lent, kLent);
}

// Applications that shrink release their highest processors, then others take the lowest free ones.
void plan(State& state, const cosched::Allocation& allocation) {
  std::set<std::int64_t> free;
  for (const std::int64_t processor : state.usable()) free.insert(processor);
  const auto wanted = [&](std::size_t at) { return static_cast<std::size_t>(allocation[at]); };
  for (std::size_t at = 0; at < allocation.size(); ++at) {
    Processors& planned = state.applications[at].planned;
    planned.resize(std::min(planned.size(), wanted(at)));
    for (const std::int64_t processor : planned) free.erase(processor);
  }
  for (std::size_t at = 0; at < allocation.size(); ++at) {
    Processors& planned = state.applications[at].planned;
    while (planned.size() < wanted(at)) planned.push_back(free.extract(free.begin()).value());
    std::ranges::sort(planned);
  }
}

double left_of(const Application& it, const Seen& seen, const cosched::TaskTimes& times) {
  if (it.processors.empty()) return it.left;
  const double done = (seen.saved - it.saved) / times.time(std::ssize(it.processors));
  return std::clamp(it.left - done, 0.0, 1.0);
}

// What was saved on these processors is known before they change.
void settle(Application& it, const Seen& seen, const cosched::TaskTimes& times) {
  it.left = left_of(it, seen, times);
  it.saved = seen.saved;
  it.processors.clear();
}

void refuse(Application& it, const std::string& why) {
  it.phase = ++it.refusals < kRefusals ? Phase::waits : Phase::given_up;
  it.why = why;
}

void take(State& state, const Event& event, const Seen& seen, double now, const Charge& charge) {
  Application& it = state.applications[event.application];
  const cosched::TaskTimes& times = charge.times[event.application];
  switch (event.what) {
    case What::began:
      it.phase = Phase::runs;
      return;
    case What::missing:
      --it.launch;
      it.phase = Phase::waits;
      return it.processors.clear();
    case What::failed:
      it.failures = seen.failures;
      return;
    case What::refused:
      settle(it, seen, times);
      return refuse(it, event.text);
    case What::lost:
      settle(it, seen, times);
      if (seen.programs == it.programs) return refuse(it, "its guard was killed");
      it.phase = Phase::waits;
      return;
    case What::stopped:
      settle(it, seen, times);
      it.why = event.text;
      it.phase = it.phase == Phase::stops && !charge.halts ? Phase::waits : Phase::held;
      return;
    case What::ended:
    case What::gave_up:
      settle(it, seen, times);
      it.planned.clear();
      it.ended = now;
      it.why = event.text;
      it.phase = event.what == What::ended ? Phase::ended : Phase::given_up;
      if (event.what == What::ended) it.left = 0;
      return;
  }
}

// An application that is about to start, restarts or stops has its processors, and cannot move.
cosched::LiveState live_state(const State& state, std::span<const Seen> seen, const Event& event,
                              double now, const Charge& charge) {
  cosched::LiveState out;
  out.instance = *charge.instance;
  out.instance.processors = std::ssize(state.usable());
  out.now = now - state.begun;
  const std::size_t count = state.applications.size();
  cosched::Allocation allocation;
  for (std::size_t at = 0; at < count; ++at) {
    const Application& it = state.applications[at];
    const bool is_faulty = event.what == What::failed && at == event.application;
    const bool computes = it.phase == Phase::runs && seen[at].since > 0;
    const double since = is_faulty  ? now
                         : computes ? seen[at].since
                                    : now + charge.times[at].checkpoint(std::ssize(it.planned));
    out.tasks.push_back({.running = !it.is_over(),
                         .processors = std::ssize(it.planned),
                         .left = left_of(it, seen[at], charge.times[at]),
                         .since = since - state.begun});
    allocation.push_back(std::ssize(it.planned));
  }
  out.owners = cosched::Ownership(out.instance.even_processors(), count);
  out.owners.assign(allocation);
  if (event.what != What::failed) {
    out.completed = event.application;
    return out;
  }
  out.failed_processor = 0;
  while (out.owners.owner(*out.failed_processor) != static_cast<std::int64_t>(event.application))
    ++*out.failed_processor;
  return out;
}

Decision decide(State& state, std::span<const Seen> seen, const Event& event, double now,
                const Charge& charge) {
  const cosched::Advice advice =
      cosched::advise(live_state(state, seen, event, now, charge), *charge.strategy);
  Decision out{.event = event,
               .expected = advice.expected_makespan,
               .without = advice.expected_makespan_without};
  for (const cosched::Advice::Move& move : advice.moves) {
    Application& it = state.applications[move.task];
    ++it.moves;
    out.moves.push_back(fmt::format("{} {} -> {}", it.id, move.from, move.to));
  }
  plan(state, advice.allocation);
  return out;
}

bool are_apart(const Processors& one, const Processors& other) {
  return std::ranges::none_of(
      one, [&](std::int64_t processor) { return std::ranges::binary_search(other, processor); });
}

bool can_start(const State& state, const Application& it) {
  return std::ranges::all_of(state.applications, [&](const Application& other) {
    return are_apart(it.planned, other.processors);
  });
}

// Nodes that nobody has and nobody is to have. On the first one are the guards and who follows them, and it stays.
void let_go(State& state, std::vector<Action>& actions) {
  std::int64_t first = 0;
  for (std::size_t at = 0; at < state.nodes.size(); ++at) {
    Node& node = state.nodes[at];
    const std::int64_t behind = first + node.slots;
    const auto is_of_node = [&](std::int64_t processor) {
      return processor >= first && processor < behind;
    };
    const bool is_used = std::ranges::any_of(state.applications, [&](const Application& it) {
      return std::ranges::any_of(it.processors, is_of_node) ||
             std::ranges::any_of(it.planned, is_of_node);
    });
    if (at > 0 && node.lent == Node::Lent::kept && !is_used) node.lent = Node::Lent::going;
    if (node.lent == Node::Lent::going) actions.push_back({Do::give_back, at});
    first = behind;
  }
}

std::vector<Action> wanted(State& state, std::span<const Seen> seen, double now,
                           const Charge& charge) {
  std::vector<Action> out;
  for (std::size_t at = 0; at < state.applications.size(); ++at) {
    Application& it = state.applications[at];
    const bool moves = it.planned != it.processors;
    if (it.phase == Phase::runs && (moves || charge.halts)) it.phase = Phase::stops;
    // Asked again at each look: the signal may have come too early or with a driver that was killed, and a second one does no harm.
    if (it.phase == Phase::stops) out.push_back({Do::stop, at});
  }
  for (std::size_t at = 0; at < state.applications.size() && !charge.halts; ++at) {
    Application& it = state.applications[at];
    if (it.phase != Phase::waits || !can_start(state, it)) continue;
    it.phase = Phase::starts;
    ++it.launch;
    it.processors = it.planned;
    it.asked = now;
    it.programs = seen[at].programs;
    it.why.clear();
    out.push_back({Do::start, at});
  }
  if (charge.gives_back && !charge.halts && !state.is_over()) let_go(state, out);
  return out;
}

}  // namespace

bool State::is_over() const {
  return std::ranges::all_of(applications, &Application::is_over);
}

Processors State::usable() const {
  Processors out;
  std::int64_t next = 0;
  for (const Node& node : nodes) {
    for (std::int64_t slot = 0; slot < node.slots; ++slot, ++next) {
      if (node.lent == Node::Lent::kept) out.push_back(next);
    }
  }
  if (out.size() % 2 != 0) out.pop_back();
  return out;
}

std::string State::hosts(const Processors& processors) const {
  std::string out;
  std::int64_t first = 0;
  for (const Node& node : nodes) {
    const auto count = std::ranges::count_if(processors, [&](std::int64_t processor) {
      return processor >= first && processor < first + node.slots;
    });
    if (count > 0) out += fmt::format("{}{}:{}", out.empty() ? "" : ",", node.name, count);
    first += node.slots;
  }
  return out;
}

State begin(const Charge& charge, std::vector<Node> nodes, double now) {
  State out{.begun = now, .nodes = std::move(nodes), .applications = {}};
  for (const cosched::Task& task : charge.instance->tasks)
    out.applications.push_back({.id = task.id});
  plan(out, cosched::initial_allocation(charge.times, charge.instance->even_processors()));
  return out;
}

Status fit(State& state, const std::vector<Node>& nodes) {
  const auto is_same = [](const Node& one, const Node& other) {
    return one.name == other.name && one.slots == other.slots;
  };
  if (std::ranges::equal(state.nodes, nodes, is_same)) return {};
  cosched::Allocation sizes;
  std::int64_t needed = 0;
  for (Application& it : state.applications) {
    if (it.has_guard()) {
      return fail(ErrorCode::bad_value, "/nodes",
                  fmt::format("found other nodes than {}, on which {} runs",
                              in_quotes(state.hosts(it.processors)), in_quotes(it.id)));
    }
    sizes.push_back(std::ssize(it.planned));
    needed += sizes.back();
    it.planned.clear();
  }
  state.nodes = nodes;
  if (std::ssize(state.usable()) < needed) {
    return fail(ErrorCode::bad_value, "/nodes",
                fmt::format("found {} processors, expected at least {}, which the applications had",
                            state.usable().size(), needed));
  }
  plan(state, sizes);
  return {};
}

std::vector<Event> events_of(const State& state, std::span<const Seen> all, double now) {
  std::vector<Event> out;
  for (std::size_t at = 0; at < state.applications.size(); ++at) {
    const Application& it = state.applications[at];
    const Seen& seen = all[at];
    const bool has_launched = seen.programs > it.programs;
    if (it.phase == Phase::starts) {
      if (!seen.is_claimed) {
        out.push_back({What::missing, at});
      } else if (seen.is_guarded || has_launched) {
        out.push_back({What::began, at});
      } else if (!seen.is_alive && now - it.asked > kSilent) {
        out.push_back({What::refused, at, seen.reason});
      }
    }
    if (it.phase != Phase::runs && it.phase != Phase::stops) continue;
    if (it.phase == Phase::runs && seen.failures > it.failures)
      out.push_back({What::failed, at, seen.failure});
    if (seen.is_guarded) continue;
    What what = What::lost;
    if (has_launched && seen.end == "finish") what = What::ended;
    if (has_launched && seen.end == "gave-up") what = What::gave_up;
    if (seen.end == "stop" && (has_launched || it.phase == Phase::stops)) what = What::stopped;
    out.push_back({what, at, what == What::lost ? std::string() : seen.reason});
  }
  return out;
}

Said step(State& state, std::span<const Seen> seen, double now, const Charge& charge) {
  Said out{.events = events_of(state, seen, now), .decisions = {}, .actions = {}};
  const Event* end = nullptr;
  for (const Event& event : out.events) {
    take(state, event, seen[event.application], now, charge);
    if (state.applications[event.application].is_over()) end = &event;
  }
  if (!state.is_over() && !charge.halts) {
    for (const Event& event : out.events) {
      if (event.what == What::failed && state.applications[event.application].phase == Phase::runs)
        out.decisions.push_back(decide(state, seen, event, now, charge));
    }
    if (end != nullptr) out.decisions.push_back(decide(state, seen, *end, now, charge));
  }
  out.actions = wanted(state, seen, now, charge);
  return out;
}

Result<State> read_state(const Value& document) {
  HOLDFAST_CHECK(check_header(document, "cosched-pack"));
  State out;
  ObjectReader read(document, "");
  read.ignore("holdfast");
  out.begun = read.number("begun");
  read.each("nodes", [&](const Value& value, const std::string&) -> Status {
    node_rows(out.nodes.emplace_back(), field::RowReader{&value});
    return {};
  });
  read.each("applications", [&](const Value& value, const std::string&) -> Status {
    rows(out.applications.emplace_back(), field::RowReader{&value});
    return {};
  });
  HOLDFAST_CHECK(read.finish());
  return out;
}

Value to_value(const State& state) {
  Value out =
      Value::object({{"holdfast", Value::object({{"kind", "cosched-pack"}, {"version", 1}})},
                     {"begun", state.begun}});
  field::RowWriter write{&out};
  write.each("nodes", state.nodes, [](auto& node, auto row) { node_rows(node, row); });
  write.each("applications", state.applications, [](auto& it, auto row) { rows(it, row); });
  return out;
}

}  // namespace holdfast::steward::pack
