#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/python/simulated.hpp"

#include <memory>

/// Answers as documents and back, for copies and other processes.
namespace holdfast::python {

[[nodiscard]] Value state_of(const NamedSchedule& schedule);
[[nodiscard]] Value state_of(const Answered& answered);
[[nodiscard]] Value state_of(const Simulated& simulated);
[[nodiscard]] Value state_of(const Fitted& fitted);

[[nodiscard]] std::shared_ptr<NamedSchedule> schedule_of(const Value& state);
/// The answer of a state, of the class that it was of.
[[nodiscard]] std::shared_ptr<Answered> answered_of(const Value& state);

}  // namespace holdfast::python
