#pragma once

#include "holdfast/base/reader.hpp"
#include "holdfast/domains/cosched/instance.hpp"

#include <cstddef>

/// What documents of an instance and of a live state have in common.
namespace holdfast::cosched {

/// The machine. @returns the sequential fraction of tasks without a profile
double read_platform(ObjectReader& read, Instance& instance);
/// Returns what a task is; its reader is left to the caller, who also calls finish().
/// @param index  its position, which names it where it has no id
[[nodiscard]] Task read_task(ObjectReader& read, std::size_t index, double fraction);

/// Refuses two tasks of one id, of which a failure or a completion could not be told apart.
[[nodiscard]] Status check_ids(const Instance& instance);

}  // namespace holdfast::cosched
