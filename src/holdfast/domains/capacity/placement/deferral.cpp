#include "holdfast/domains/capacity/placement/deferral.hpp"

#include "holdfast/domains/capacity/placement/lane_deferral.hpp"
#include "holdfast/domains/capacity/placement/queue_deferral.hpp"

#include <algorithm>

namespace holdfast::capacity {
namespace {

bool looks_to_horizon(const TargetRules& rules) {
  return rules.author && rules.kind != TargetKind::stretch;
}

bool waits_for_pack(const TargetRules& rules) {
  return !rules.author && rules.kind == TargetKind::packed && rules.pack > 1;
}

// Further, or more, than there are machines makes no difference.
TargetRules cut(TargetRules rules, std::int64_t machines) {
  rules.distance = std::min(rules.distance, machines);
  rules.pack = std::min(rules.pack, machines + 1);
  return rules;
}

EarliestStarts::Memory memory_of(const TargetRules& rules) {
  using enum EarliestStarts::Memory;
  if (looks_to_horizon(rules) || waits_for_pack(rules)) return by_class;
  return rules.author ? by_length : both;
}

}  // namespace

Board::Board(Room& of, const TargetRules& target_rules)
    : room{of},
      rules{cut(target_rules, of.instance().machines)},
      starts{of, memory_of(rules)},
      plans{rules.author},
      machines{of, rules} {
  for (const Task& task : of.tasks()) widest = std::max(widest, task.cores);
}

std::unique_ptr<Deferral> make_deferral(Board& board) {
  if (!board.rules.defers) return std::make_unique<Deferral>(board);
  if (looks_to_horizon(board.rules)) return std::make_unique<HorizonDeferral>(board);
  if (waits_for_pack(board.rules)) return std::make_unique<PackDeferral>(board);
  return std::make_unique<QueueDeferral>(board);
}

}  // namespace holdfast::capacity
