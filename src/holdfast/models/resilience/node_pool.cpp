#include "holdfast/models/resilience/node_pool.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

namespace holdfast {
namespace {

/// Repairs come before failures of the same date.
constexpr std::int32_t kRepairsFirst = std::numeric_limits<std::int32_t>::min() / 2;

}  // namespace

NodePool::NodePool(const PoolRules& rules, std::unique_ptr<PoolFate> fate)
    : rules_{rules}, fate_{std::move(fate)} {
  assert(rules.nodes >= 1 && rules.spares >= 0 && rules.nodes + rules.spares < -kRepairsFirst);
  nodes_.resize(static_cast<std::size_t>(rules.nodes + rules.spares));
  begin();
}

void NodePool::begin() {
  PoolChange& start = changes_.emplace_back();
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const PoolStart state = fate_->start(i);
    Node& node = nodes_[i];
    if (state.down > 0) {
      queue_.push_back(i);
      continue;
    }
    node = {.mark = 0, .age = state.age, .life = state.life, .rank = i};
    const bool is_first = is_same() ? i < rules_.nodes : !rules_.chooses_first;
    if (start.in_use < rules_.nodes && is_first) {
      use(i, start);
    } else {
      rest(i);
    }
  }
  fill(start);
  start.ready = 0;  // the job begins in its allocation
  start.idle = static_cast<std::int64_t>(idle_.size());
  start.moves = moves_.size();
  begin_repairs(0);
}

// Of the idle nodes that with the smallest key steps in, of equal ones that with the smallest rank. All age alike, so their
// order does not change.
double NodePool::idle_key(std::uint32_t node) const {
  const Node& idle = nodes_[node];
  const double ahead = idle.age - rules_.idle_ageing * idle.mark;
  switch (rules_.steps_in) {
    case StepsIn::oldest:
      return -ahead;
    case StepsIn::last_repaired:
      return ahead;
    default:
      return 0;
  }
}

void NodePool::await_failure(std::uint32_t node) {
  Node& up = nodes_[node];
  const double speed = up.state == State::in_use ? 1 : rules_.idle_ageing;
  ++up.generation;
  if (!(up.life < NodePool::kNever) || speed == 0) return;
  events_.push(up.mark + up.life / speed, static_cast<std::int32_t>(node), {node, up.generation});
}

void NodePool::rest(std::uint32_t node) {
  nodes_[node].state = State::idle;
  idle_.insert(as_idle(node));
  await_failure(node);
}

// The node is no longer idle, or has just been repaired.
void NodePool::use(std::uint32_t node, PoolChange& change) {
  Node& used = nodes_[node];
  const bool was_idle = used.state == State::idle;
  used.state = State::in_use;
  if (was_idle && rules_.idle_ageing < 1) {
    const double aged = rules_.idle_ageing * (change.date - used.mark);
    used = {.mark = change.date,
            .age = used.age + aged,
            .life = std::max(0.0, used.life - aged),
            .generation = used.generation,
            .rank = used.rank,
            .state = State::in_use};
  }
  if (!was_idle || rules_.idle_ageing < 1) await_failure(node);
  ++change.in_use;
  change.ready = change.date + rules_.spare_delay;
  moves_.push_back({.node = node, .enters = true, .born = used.mark - used.age});
}

void NodePool::fail(std::uint32_t node, PoolChange& change) {
  Node& failed = nodes_[node];
  if (failed.state == State::idle) {
    idle_.erase(as_idle(node));
  } else {
    if (change.failed++ == 0) change.renewed = failed.mark - failed.age;
    --change.in_use;
    moves_.push_back({.node = node, .enters = false, .born = failed.mark - failed.age});
  }
  failed.state = State::down;
  ++failed.generation;
  queue_.push_back(node);
}

void NodePool::end_repair(std::uint32_t node, PoolChange& change) {
  --busy_;
  ++change.repairs;
  const PoolRepair repair = fate_->repaired(node, change.date);
  if (!repair.helps) ++change.failed_repairs;
  if (!repair.is_over) {
    queue_.push_back(node);
    return;
  }
  Node& up = nodes_[node];
  up.mark = change.date;
  up.age = 0;
  up.life = repair.life;
  up.rank = fate_->rank(node);
  if (is_same() && node < rules_.nodes && !rules_.is_elastic()) {
    use(node, change);
  } else {
    rest(node);
  }
}

void NodePool::fill(PoolChange& change) {
  if (is_same()) {  // each node its own place
    for (auto idle = idle_.begin(); rules_.is_elastic() && idle != idle_.end();) {
      const std::uint32_t node = idle->node;
      if (node >= rules_.nodes) {
        ++idle;
        continue;
      }
      idle = idle_.erase(idle);
      use(node, change);
    }
    return;
  }
  while (change.in_use < rules_.nodes && !idle_.empty()) {
    auto chosen = idle_.begin();
    if (rules_.steps_in == StepsIn::random) {
      std::advance(chosen, static_cast<std::ptrdiff_t>(fate_->choice(idle_.size())));
    }
    const std::uint32_t node = chosen->node;
    idle_.erase(chosen);
    use(node, change);
  }
}

void NodePool::begin_repairs(double date) {
  for (; queued_ < queue_.size() && busy_ < rules_.repairers; ++queued_) {
    const std::uint32_t node = queue_[queued_];
    ++busy_;
    const std::uint32_t generation = ++nodes_[node].generation;
    events_.push(date + fate_->repair(node), kRepairsFirst + static_cast<std::int32_t>(node),
                 {node, generation});
  }
  if (queued_ == queue_.size()) {
    queue_.clear();
    queued_ = 0;
  }
}

void NodePool::drop_void() {
  while (!events_.empty() &&
         nodes_[events_.top().payload.node].generation != events_.top().payload.generation) {
    events_.pop();
  }
}

// One instant. @pre there is an event
void NodePool::happen() {
  const PoolChange before = changes_.back();
  PoolChange change = before;
  change.date = events_.top().time;
  change.failed = 0;
  change.idle_seconds += static_cast<double>(before.idle) * (change.date - before.date);
  for (; !events_.empty() && events_.top().time == change.date; drop_void()) {
    const auto event = events_.pop();
    if (event.priority < 0) {
      end_repair(event.payload.node, change);
    } else {
      fail(event.payload.node, change);
    }
  }
  const bool was_full = before.in_use == rules_.nodes;
  if (change.failed > 0) is_open_ = true;
  if (is_open_ || !rules_.is_elastic()) fill(change);
  begin_repairs(change.date);
  change.failures += change.failed;
  if (change.failed > 0) {
    ++change.strikes;
    strikes_.push_back(changes_.size());
  }
  if (was_full && change.in_use < rules_.nodes) ++change.shortages;
  add(change);
}

void NodePool::add(PoolChange change) {
  change.idle = static_cast<std::int64_t>(idle_.size());
  change.moves = moves_.size();
  changes_.push_back(change);
}

double NodePool::next_date() {
  drop_void();
  return events_.empty() ? kNever : events_.top().time;
}

bool NodePool::join(double date) {
  if (is_open_ || idle_.empty() || changes_.back().in_use == rules_.nodes) return false;
  PoolChange change = changes_.back();
  assert(rules_.is_elastic() && change.date <= date && date < next_date());
  change.idle_seconds += static_cast<double>(change.idle) * (date - change.date);
  change.date = date;
  change.failed = 0;
  const std::int64_t before = change.in_use;
  fill(change);
  if (change.in_use == before) return false;
  add(change);
  return true;
}

bool NodePool::reach(std::size_t index) {
  while (changes_.size() <= index) {
    drop_void();
    if (events_.empty()) return false;
    happen();
  }
  return true;
}

std::span<const PoolMove> NodePool::moves(std::size_t change) const {
  const std::size_t first = change == 0 ? 0 : changes_[change - 1].moves;
  return std::span(moves_).subspan(first, changes_[change].moves - first);
}

PoolChange NodePool::account(double date) {
  while (changes_.back().date < date && reach(changes_.size())) {
  }
  // The start counts even at date 0.
  const auto behind = std::partition_point(changes_.begin() + 1, changes_.end(),
                                           [&](const PoolChange& one) { return one.date < date; });
  PoolChange out = *std::prev(behind);
  out.idle_seconds += static_cast<double>(out.idle) * (date - out.date);
  return out;
}

PoolReady ready_after(NodePool& pool, std::size_t next, double from) {
  assert(next > 0);
  while (pool.date_of(next) < from && pool.reach(next)) ++next;
  PoolReady out;
  double since = from;  // when the state before `next` began, or the downtime ended
  for (;; ++next) {
    const PoolChange& now = pool.change(next - 1);
    const bool is_full = now.in_use >= pool.rules().needed();
    const double start = is_full ? std::max(from, now.ready) : NodePool::kNever;
    const double date = pool.date_of(next);
    if (start <= date) {
      out.date = start;
      out.next = next;
      if (start == NodePool::kNever) out.waited = NodePool::kNever;
      return out;
    }
    if (!is_full) out.waited += date - since;
    since = date;
    pool.reach(next);
  }
}

}  // namespace holdfast
