#pragma once

#include <cstddef>
#include <span>
#include <vector>

/// The same work for all programs: independent sequential tasks in a fixed order, each started on the first
/// processor that is free.
namespace bench {

/// Returns lengths in seconds, uniform in (1, 1000).
std::vector<double> task_lengths(std::size_t count);

/// Returns the makespan in seconds, by the list scheduling kernel of the library.
double by_list_kernel(std::span<const double> lengths, std::size_t processors);

/// Returns the makespan by the least work that any program has to do: a binary heap of ends, one pop and one push per
/// task.
double by_bare_heap(std::span<const double> lengths, std::size_t processors);

/// Returns the makespan by SimGrid, with one actor per processor, each of which takes the next task when it has none. It
/// is defined only if SimGrid was found. One call per process, because SimGrid's engine cannot be started twice.
double by_simgrid(std::span<const double> lengths, std::size_t processors);

}  // namespace bench
