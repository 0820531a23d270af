#pragma once

#include "holdfast/base/reader.hpp"
#include "holdfast/domains/cosched/instance.hpp"

#include <cstddef>

/// Functions for documents of an instance and of a live state.
namespace holdfast::cosched {

/// Reads the machine. @returns the sequential fraction of tasks without a profile
double read_platform(ObjectReader& read, Instance& instance);
/// Reads a task. The caller keeps the reader and calls finish().
/// @param index  its position, which names it if it has no id
[[nodiscard]] Task read_task(ObjectReader& read, std::size_t index, double fraction);

/// Refuses two tasks with the same id, because a failure or a completion could not be assigned to one of them.
[[nodiscard]] Status check_ids(const Instance& instance);

}  // namespace holdfast::cosched
