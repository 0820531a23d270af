#pragma once

#include "holdfast/contract/domain.hpp"
#include "holdfast/domains/checkpoint/instance.hpp"

namespace holdfast::checkpoint {

/// Returns the instance with its failures drawn: the ages that all processors have when the job starts, and the date of every
/// failure from then on for `duration` seconds, which becomes the horizon. Processors are numbered again, by age.
/// @pre instance.law; duration > 0
[[nodiscard]] Instance generate(const Instance& instance, const Draw& draw, double duration);

}  // namespace holdfast::checkpoint
