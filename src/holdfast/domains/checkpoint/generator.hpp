#pragma once

#include "holdfast/contract/domain.hpp"
#include "holdfast/domains/checkpoint/instance.hpp"

namespace holdfast::checkpoint {

/// Returns the instance with its failures drawn: the ages of all processors at the start of the job, and the dates of all
/// failures in the next `duration` seconds, which become the horizon. Processors are renumbered by age.
/// @pre instance.law; duration > 0
[[nodiscard]] Instance generate(const Instance& instance, const Draw& draw, double duration);

}  // namespace holdfast::checkpoint
