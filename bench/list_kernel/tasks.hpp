#pragma once

#include <cstddef>
#include <span>
#include <vector>

/// The same work for everyone: independent sequential tasks in a fixed order, each started on the first
/// processor that is free.
namespace bench {

/// Lengths in seconds, uniform in (1, 1000).
std::vector<double> task_lengths(std::size_t count);

/// When the last task ends, by the list scheduling kernel of the library.
double by_list_kernel(std::span<const double> lengths, std::size_t processors);

/// The least that anyone has to do: a binary heap of ends, one pop and one push per task.
double by_bare_heap(std::span<const double> lengths, std::size_t processors);

/// SimGrid, one actor per processor, each taking the next task when it has none. Defined where SimGrid
/// was found. One call per process: its engine cannot be started twice.
double by_simgrid(std::span<const double> lengths, std::size_t processors);

}  // namespace bench
