#include "holdfast/field/learned.hpp"

#include <cmath>
#include <string_view>

namespace holdfast::field {
namespace {

void restore_number(double& to, const Value& estimate, std::string_view name) {
  const Value* value = estimate.find(name);
  if (value != nullptr && value->is_number()) to = value->number();
}

void restore_durations(checkpoint::CostEstimate& to, const Value& estimate, std::string_view name) {
  const Value* durations = estimate.find(name);
  if (durations == nullptr || durations->array_items() == nullptr) return;
  for (const Value& seconds : *durations->array_items()) {
    if (seconds.is_number() && std::isfinite(seconds.number()) && seconds.number() >= 0) {
      to.add(seconds.number());
    }
  }
}

}  // namespace

checkpoint::Learned learned_of(const Value& estimate, checkpoint::Learned base) {
  if (estimate.is_null()) return base;
  restore_number(base.interruptions, estimate, "interruptions");
  restore_number(base.expected, estimate, "expected");
  restore_durations(base.checkpoint, estimate, "checkpoints");
  restore_durations(base.recovery, estimate, "recoveries");
  restore_durations(base.downtime, estimate, "downtimes");
  return base;
}

}  // namespace holdfast::field
