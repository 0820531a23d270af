#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/python/simulated.hpp"

#include <memory>

/// Conversions of answers to documents and back, for copies and for other processes.
namespace holdfast::python {

[[nodiscard]] Value state_of(const NamedSchedule& schedule);
[[nodiscard]] Value state_of(const Answered& answered);
[[nodiscard]] Value state_of(const Simulated& simulated);
[[nodiscard]] Value state_of(const Fitted& fitted);

[[nodiscard]] std::shared_ptr<NamedSchedule> schedule_of(const Value& state);
/// Returns the answer of a state, as an object of its original class.
[[nodiscard]] std::shared_ptr<Answered> answered_of(const Value& state);

}  // namespace holdfast::python
