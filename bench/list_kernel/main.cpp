// 1 000 000 independent sequential tasks through the list scheduling kernel, a bare binary heap and,
// where it is installed, SimGrid: makespans, tasks per second, memory.
//
//   list_kernel [PROCESSORS [TASKS]]       one line per program; exit code 1 if the makespans differ
#include <fmt/format.h>
#include <sys/resource.h>

#include "tasks.hpp"
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <string>

namespace {

using Program = double (*)(std::span<const double>, std::size_t);

struct Measured {
  double makespan = 0;
  double seconds = 0;
};

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Returns the least processor time of several runs, because the machine may be busy with other work.
Measured measure(Program program, std::span<const double> lengths, std::size_t processors,
                 int runs) {
  Measured out{0, 1e300};
  for (int run = 0; run < runs; ++run) {
    const double before = processor_seconds();
    out.makespan = program(lengths, processors);
    out.seconds = std::min(out.seconds, processor_seconds() - before);
  }
  return out;
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

std::string printed(double makespan) {
  return fmt::format("{:.6f}", makespan);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t processors = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100;
  const std::size_t tasks = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1'000'000;
  if (processors == 0 || tasks == 0) {
    fmt::print(stderr, "list_kernel: expected a number of processors and a number of tasks\n");
    return 2;
  }
  const auto lengths = bench::task_lengths(tasks);
  const auto count = static_cast<double>(tasks);
  fmt::print("{} sequential tasks on {} processors\n", tasks, processors);

  const Measured kernel = measure(bench::by_list_kernel, lengths, processors, 7);
  fmt::print("{:<12} {:>10.3f} M tasks/s   makespan {}   peak memory {:.1f} MB\n", "list kernel",
             count / kernel.seconds / 1e6, printed(kernel.makespan), peak_megabytes());
  const Measured heap = measure(bench::by_bare_heap, lengths, processors, 7);
  fmt::print("{:<12} {:>10.3f} M tasks/s   makespan {}\n", "bare heap", count / heap.seconds / 1e6,
             printed(heap.makespan));
  bool agree = printed(heap.makespan) == printed(kernel.makespan);
#ifdef HOLDFAST_WITH_SIMGRID
  const Measured simgrid = measure(bench::by_simgrid, lengths, processors, 1);
  fmt::print("{:<12} {:>10.3f} M tasks/s   makespan {}   peak memory {:.1f} MB\n", "SimGrid",
             count / simgrid.seconds / 1e6, printed(simgrid.makespan), peak_megabytes());
  fmt::print("list kernel / SimGrid: {:.1f}\n", simgrid.seconds / kernel.seconds);
  agree = agree && printed(simgrid.makespan) == printed(kernel.makespan);
#else
  fmt::print("SimGrid was not found when this was built (Debian: libsimgrid-dev)\n");
#endif
  if (!agree) fmt::print("the makespans differ\n");
  return agree ? 0 : 1;
}
