// The executor `mpi` as a model: cluster_model LATENCY MESSAGE STORE WORKERS CELLS CELL_SECONDS..., all times in seconds.
// Prints a line for each length of a cell. With CELLS 0 there are as many cells as take a minute.
#include <fmt/format.h>

#include "ranks_model.hpp"
#include <algorithm>
#include <cstdio>
#include <cstdlib>

int main(int count, char** values) {
  if (count < 7) {
    std::fputs("usage: cluster_model LATENCY MESSAGE STORE WORKERS CELLS CELL_SECONDS...\n",
               stderr);
    return 2;
  }
  holdfast::RanksModel model;
  model.latency = std::atof(values[1]);
  model.message_seconds = std::atof(values[2]);
  model.store_seconds = std::atof(values[3]);
  model.workers = std::strtoull(values[4], nullptr, 10);
  const std::uint64_t cells = std::strtoull(values[5], nullptr, 10);
  fmt::print(
      "workers  cell (s)      cells  time (s)   cells/s  chunks/s  leader busy  workers idle\n");
  for (int i = 6; i < count; ++i) {
    model.cell_seconds = std::atof(values[i]);
    model.cells =
        cells != 0 ? cells
                   : std::max(model.workers * 4,
                              static_cast<std::uint64_t>(60.0 * static_cast<double>(model.workers) /
                                                         std::max(model.cell_seconds, 1e-6)));
    const holdfast::RanksOutcome out = holdfast::simulate(model);
    fmt::print("{:7}  {:8}  {:9}  {:8.3f}  {:8.0f}  {:8.0f}  {:9.1f} %  {:10.1f} %\n",
               model.workers, model.cell_seconds, model.cells, out.seconds,
               static_cast<double>(model.cells) / out.seconds,
               static_cast<double>(out.chunks) / out.seconds, 100 * out.leader_busy,
               100 * out.idle);
  }
  return 0;
}
