#include "holdfast/domains/volatile/decision_trie.hpp"

#include "holdfast/base/elementary.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <ranges>

namespace holdfast::volatile_workers {
namespace {

constexpr std::size_t kMostBytes = std::size_t{96} << 20;
constexpr double kTooSmall = 1e-200;

// A candidate in one byte: the worker, and whether it has the program.
constexpr std::uint8_t id_of(std::uint32_t worker, bool has_program) {
  return static_cast<std::uint8_t>(worker + (has_program ? 64 : 0));
}
constexpr std::size_t worker_of(std::uint8_t id) {
  return id & 63;
}
constexpr bool has_program(std::uint8_t id) {
  return id >= 64;
}

template <class T>
std::uint64_t hash_of(std::span<const T> items) {
  std::uint64_t hash = 0x9e3779b97f4a7c15;
  for (const T item : items) {
    hash = (hash ^ static_cast<std::uint64_t>(item)) * 0xff51afd7ed558ccd;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace

void Configuration::assign(const Assignment& tasks, const Instance& instance) {
  assignment = tasks;
  members.clear();
  mask = 0;
  workload = 0;
  set = SetTable::kEmpty;
  for (std::size_t q = 0; q < tasks.size(); ++q) {
    if (tasks[q] == 0) continue;
    members.push_back(static_cast<std::uint32_t>(q));
    mask |= std::uint64_t{1} << q;
    workload = std::max(workload, tasks[q] * instance.workers[q].speed);
  }
}

std::uint32_t ConfigurationTable::number(const Assignment& assignment, Evaluator& evaluator) {
  if (2 * all_.size() >= slots_.size()) {
    slots_.assign(std::max<std::size_t>(256, 4 * slots_.size()), DecisionTrie::kInfeasible);
    for (std::uint32_t i = 0; i < all_.size(); ++i) {
      std::size_t slot =
          hash_of(std::span<const std::int64_t>(all_[i].assignment)) & (slots_.size() - 1);
      while (slots_[slot] != DecisionTrie::kInfeasible) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = i;
    }
  }
  std::size_t slot = hash_of(std::span<const std::int64_t>(assignment)) & (slots_.size() - 1);
  for (; slots_[slot] != DecisionTrie::kInfeasible; slot = (slot + 1) & (slots_.size() - 1)) {
    if (all_[slots_[slot]].assignment == assignment) return slots_[slot];
  }
  slots_[slot] = static_cast<std::uint32_t>(all_.size());
  Configuration configuration;
  configuration.assign(assignment, *instance_);
  configuration.set = evaluator.sets().of(configuration.members);
  all_.push_back(std::move(configuration));
  return slots_[slot];
}

bool DecisionTrie::fits(const Instance& instance) {
  return instance.workers.size() <= kMostWorkers && instance.tasks < (1 << 14);
}

DecisionTrie::DecisionTrie(Evaluator& evaluator, Criterion criterion)
    : evaluator_{&evaluator},
      criterion_{criterion},
      configurations_{evaluator.instance()},
      workers_{evaluator.instance().workers.size()},
      stride_{2 * workers_},
      needs_(workers_, 0),
      tasks_(workers_, 0) {
  const std::size_t bytes_per_place = 4 + 1 + (criterion == Criterion::yield ? sizeof(Weighed) : 0);
  most_nodes_ = kMostBytes / (stride_ * bytes_per_place + 2 * workers_ + sizeof(Node));
  clear();
}

void DecisionTrie::clear() {
  nodes_.clear();
  leaves_.clear();
  keys_.clear();
  ids_.clear();
  weighed_.clear();
  children_.clear();
  slots_.assign(4096, kUnknown);
  make_node(std::vector<std::uint16_t>(workers_, 0));
}

std::size_t DecisionTrie::slot_of(std::span<const std::uint16_t> key) const {
  std::size_t slot = hash_of(key) & (slots_.size() - 1);
  for (; slots_[slot] != kUnknown; slot = (slot + 1) & (slots_.size() - 1)) {
    if (std::equal(key.begin(), key.end(),
                   keys_.begin() + static_cast<std::ptrdiff_t>(slots_[slot] * workers_))) {
      break;
    }
  }
  return slot;
}

// Derives members, their tasks and what they have to receive from the key of a node.
void DecisionTrie::describe(Node& node, std::span<const std::uint16_t> key) {
  const Instance& instance = evaluator_->instance();
  members_.clear();
  node.set = SetTable::kEmpty;
  for (std::uint32_t q = 0; q < workers_; ++q) {
    const std::int64_t tasks = key[q] / 2;
    tasks_[q] = tasks;
    needs_[q] = 0;
    if (tasks == 0) continue;
    needs_[q] = (key[q] % 2 == 1 ? 0 : instance.program_slots) + tasks * instance.data_slots;
    members_.push_back(q);
    node.set = evaluator_->sets().with(node.set, q);
    node.depth += tasks;
    node.workload = std::max(node.workload, tasks * instance.workers[q].speed);
  }
}

std::uint32_t DecisionTrie::make_node(const std::vector<std::uint16_t>& key) {
  std::size_t slot = slot_of(key);
  if (slots_[slot] != kUnknown) return slots_[slot];
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  slots_[slot] = number;
  keys_.insert(keys_.end(), key.begin(), key.end());
  if (2 * (nodes_.size() + 1) > slots_.size()) {
    slots_.assign(2 * slots_.size(), kUnknown);
    for (std::uint32_t i = 0; i <= number; ++i) {
      slots_[slot_of(std::span(keys_).subspan(i * workers_, workers_))] = i;
    }
  }
  Node node;
  describe(node, key);
  const bool is_leaf = node.depth == evaluator_->instance().tasks;
  if (is_leaf) add_leaf(node);
  nodes_.push_back(node);
  children_.resize(children_.size() + stride_, kUnknown);
  ids_.resize(ids_.size() + stride_);
  if (criterion_ == Criterion::yield) {
    weighed_.resize(weighed_.size() + stride_);
    if (!is_leaf) weigh(number);
  } else if (!is_leaf) {
    rank(number);
  }
  return number;
}

void DecisionTrie::add_leaf(Node& node) {
  Leaf leaf{.configuration = configurations_.number(tasks_, *evaluator_), .value = {}};
  leaf.value = evaluator_->value({.members = members_, .needs = needs_, .workload = node.workload},
                                 evaluator_->sets().values(node.set), Ask::restart_too);
  node.leaf = static_cast<std::uint32_t>(leaves_.size());
  leaves_.push_back(leaf);
}

ConfigurationValue DecisionTrie::value_with(const Node& node, std::uint32_t worker, bool has) {
  const Instance& instance = evaluator_->instance();
  const std::int64_t tasks = tasks_[worker] + 1;
  const std::int64_t before = needs_[worker];
  needs_[worker] = (has ? 0 : instance.program_slots) + tasks * instance.data_slots;
  grown_ = members_;
  if (tasks == 1) {
    grown_.insert(std::lower_bound(grown_.begin(), grown_.end(), worker), worker);
  }
  const ConfigurationValue value = evaluator_->value(
      {.members = grown_,
       .needs = needs_,
       .workload = std::max(node.workload, tasks * instance.workers[worker].speed)},
      evaluator_->sets().values(evaluator_->sets().with(node.set, worker)),
      what_to_ask(criterion_));
  needs_[worker] = before;
  return value;
}

// Sorts the candidates of a node. For a member the key says whether it has the program; another worker may have it or not.
void DecisionTrie::rank(std::uint32_t number) {
  struct Ranked {
    double score = 0;
    std::uint32_t worker = 0;
    bool has = false;
  };
  Node& node = nodes_[number];
  std::vector<Ranked> ranked;
  ranked.reserve(stride_);
  for (std::uint32_t q = 0; q < workers_; ++q) {
    if (tasks_[q] >= evaluator_->instance().workers[q].max_tasks) continue;
    for (const bool has : {false, true}) {
      if (tasks_[q] > 0 && has != (keys_[number * workers_ + q] % 2 == 1)) continue;
      ranked.push_back({score(criterion_, value_with(node, q, has), 0), q, has});
    }
  }
  std::sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
    if (a.score != b.score) return a.score > b.score;
    return a.worker != b.worker ? a.worker < b.worker : a.has < b.has;
  });
  node.candidates = static_cast<std::uint32_t>(ranked.size());
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    ids_[row(number) + i] = id_of(ranked[i].worker, ranked[i].has);
  }
}

void DecisionTrie::weigh(std::uint32_t number) {
  struct Entry {
    Weighed place;
    std::uint8_t id = 0;
  };
  std::vector<Entry> entries;
  entries.reserve(stride_);
  double best = -kInfinity;
  for (std::uint32_t q = 0; q < workers_; ++q) {
    if (tasks_[q] >= evaluator_->instance().workers[q].max_tasks) continue;
    for (const bool has : {false, true}) {
      if (tasks_[q] > 0 && has != (keys_[number * workers_ + q] % 2 == 1)) continue;
      const ConfigurationValue value = value_with(nodes_[number], q, has);
      entries.push_back({.place = {.expected = value.expected, .log_success = value.log_success},
                         .id = id_of(q, has)});
      best = std::max(best, value.log_success);
    }
  }
  for (Weighed& place : entries | std::views::transform(&Entry::place)) {
    place.weight = best == -kInfinity ? 0 : elementary::exp(place.log_success - best);
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.place.weight > b.place.weight; });
  nodes_[number].candidates = static_cast<std::uint32_t>(entries.size());
  double least = kInfinity;
  for (std::size_t i = entries.size(); i-- > 0;) {
    least = std::min(least, entries[i].place.expected);
    entries[i].place.least_expected = least;
    weighed_[row(number) + i] = entries[i].place;
    ids_[row(number) + i] = entries[i].id;
  }
}

DecisionTrie::Pick DecisionTrie::pick_ranked(std::uint32_t node, const Open& open) const {
  const std::uint8_t* const ids = ids_.data() + row(node);
  const std::uint32_t candidates = nodes_[node].candidates;
  for (std::uint32_t i = 0; i < candidates; ++i) {
    if (open.has(ids[i])) return {.place = i};
  }
  return {.place = stride_};
}

DecisionTrie::Pick DecisionTrie::pick_by_score(std::uint32_t node, const Open& open,
                                               std::int64_t elapsed) const {
  const Weighed* const places = weighed_.data() + row(node);
  const std::uint8_t* const ids = ids_.data() + row(node);
  Pick pick{.place = stride_, .elapsed_until = elapsed};
  double best = 0;
  for (std::uint32_t i = 0; i < nodes_[node].candidates; ++i) {
    if (!open.has(ids[i])) continue;
    const double its_score =
        score(Criterion::yield,
              {.log_success = places[i].log_success, .expected = places[i].expected}, elapsed);
    const bool is_tie = its_score == best && pick.place != stride_ &&
                        worker_of(ids[i]) < worker_of(ids[pick.place]);
    if (pick.place == stride_ || its_score > best || is_tie) {
      pick.place = i;
      best = its_score;
    }
  }
  return pick;
}

DecisionTrie::Pick DecisionTrie::pick_weighed(std::uint32_t node, const Open& open,
                                              std::int64_t elapsed) const {
  const Weighed* const places = weighed_.data() + row(node);
  const std::uint8_t* const ids = ids_.data() + row(node);
  const std::uint32_t candidates = nodes_[node].candidates;
  const auto t = static_cast<double>(elapsed);
  double best = -1, second = -1;
  std::size_t winner = stride_;
  for (std::uint32_t i = 0; i < candidates; ++i) {
    if (!open.has(ids[i])) continue;
    // Weights decrease from here on, so none of the rest comes close. Late in an iteration this happens soon.
    if (places[i].weight / (places[i].least_expected + t) < best * (1 - kClose)) break;
    const double yield = places[i].weight / (places[i].expected + t);
    if (yield > best) {
      second = best;
      best = yield;
      winner = i;
    } else if (yield > second) {
      second = yield;
    }
  }
  if (winner == stride_) return {.place = stride_};
  if (!(best > kTooSmall) || second > best * (1 - kClose)) {
    return pick_by_score(node, open, elapsed);
  }
  // Candidates that are more likely to succeed overtake the winner after some time.
  const Weighed& first = places[winner];
  double until = t + static_cast<double>(kLongestLead);
  for (std::size_t i = 0; i < winner; ++i) {
    const Weighed& other = places[i];
    if (!open.has(ids[i]) || other.weight <= first.weight) continue;
    const double meets = (first.weight * other.expected - other.weight * first.expected) /
                         (other.weight - first.weight);
    until = std::min(until, std::floor(meets * (1 - kClose)) - 1);
  }
  return {.place = winner, .elapsed_until = until > t ? static_cast<std::int64_t>(until) : elapsed};
}

std::uint32_t DecisionTrie::child(std::uint32_t node, std::size_t place) {
  const std::uint8_t id = ids_[row(node) + place];
  const std::size_t q = worker_of(id);
  std::vector<std::uint16_t> key(
      keys_.begin() + static_cast<std::ptrdiff_t>(node * workers_),
      keys_.begin() + static_cast<std::ptrdiff_t>((node + 1) * workers_));
  key[q] = static_cast<std::uint16_t>(2 * (key[q] / 2U + 1) + (has_program(id) ? 1 : 0));
  const std::uint32_t made = make_node(key);
  children_[row(node) + place] = made;
  return made;
}

DecisionTrie::Decision DecisionTrie::decide(std::uint64_t up, std::uint64_t has_program,
                                            std::int64_t elapsed) {
  if (nodes_.size() > most_nodes_) clear();
  const bool weighs = criterion_ == Criterion::yield;
  const Open open{{up & ~has_program, up & has_program}};
  Decision decision;
  std::uint32_t node = 0;
  while (nodes_[node].leaf == kUnknown) {
    const Pick pick = weighs ? pick_weighed(node, open, elapsed) : pick_ranked(node, open);
    if (pick.place == stride_) return {};
    decision.elapsed_until = std::min(decision.elapsed_until, pick.elapsed_until);
    const std::uint32_t known = children_[row(node) + pick.place];
    node = known != kUnknown ? known : child(node, pick.place);
  }
  const Leaf& leaf = leaves_[nodes_[node].leaf];
  decision.configuration = leaf.configuration;
  decision.value = leaf.value;
  return decision;
}

}  // namespace holdfast::volatile_workers
