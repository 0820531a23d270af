// Runs cells of a given length on an executor, in a directory that it removes afterwards, and prints how long that took:
//   [mpirun -n 2] cluster_run local|mpi CELLS work STEPS      cells that draw STEPS random numbers
//   [mpirun -n 8] cluster_run local|mpi CELLS rest SECONDS    cells that sleep: more ranks than cores do not disturb each other
// HOLDFAST_THREADS=N: threads of each process; HOLDFAST_KEEP=1: keeps the directory, whose results have each cell's seconds.
#include "holdfast/campaign/fake_domain.hpp"
#include "holdfast/campaign/run.hpp"

#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

int main(int count, char** values) {
  using namespace holdfast;
  if (count != 5) {
    std::fprintf(stderr, "usage: cluster_run local|mpi CELLS work|rest STEPS|SECONDS\n");
    return 2;
  }
  const bool rests = std::string(values[3]) == "rest";
  const std::string text =
      "[campaign]\nname = 'cells'\ndomain = 'walk'\nstrategies = ['steady']\nscenarios = " +
      std::string(values[2]) + "\n[parameters]\n" +
      (rests ? "steps = 1\nrest = '" + std::string(values[4]) + "s'\n"
             : "steps = " + std::string(values[4]) + "\n");
  const auto campaign = parse_campaign(text, "cells.toml", ".", fake::known());
  if (!campaign) {
    std::fprintf(stderr, "%s\n", campaign.error().text().c_str());
    return 2;
  }
  const char* threads = std::getenv("HOLDFAST_THREADS");
  RunOptions options;
  options.executor = values[1];
  options.control.threads = threads == nullptr ? 0 : static_cast<unsigned>(std::atoi(threads));
  const auto directory = std::filesystem::temp_directory_path() / "holdfast-cluster-run";
  if (options.executor == "local") std::filesystem::remove_all(directory);
  const auto report = run_campaign(*campaign, directory, options);
  if (!report) {
    std::fprintf(stderr, "%s\n", report.error().text().c_str());
    return 4;
  }
  if (report->is_helper) {
    std::printf("helper: %.3f s of processor time\n", cpu_seconds());
    return 0;
  }
  const Progress& end = report->progress;
  std::printf("%llu cells, %.3f s, %.0f cells/s, %.3f s of processor time\n",
              static_cast<unsigned long long>(end.done - end.found), end.seconds,
              static_cast<double>(end.done - end.found) / end.seconds, cpu_seconds());
  if (std::getenv("HOLDFAST_KEEP") == nullptr) std::filesystem::remove_all(directory);
  return 0;
}
