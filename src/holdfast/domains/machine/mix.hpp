#pragma once

#include "holdfast/domains/machine/instance.hpp"
#include "holdfast/models/resilience/shared_machine.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace holdfast::machine {

/// Returns the machine with the jobs that run on it at the same time. If its jobs are endless, these are all of them. If jobs
/// are drawn from classes, each class has as many jobs as fit into its share of the nodes. Returns nothing if the jobs come and
/// go in any other way, because then no fixed set of jobs runs together.
[[nodiscard]] std::optional<SharedMachine> shared_machine(const Instance& instance);

/// The jobs that run now, by kind, and the best periods for them together. The periods of each set of jobs are computed once.
class RunningMix {
 public:
  using Kind = std::uint32_t;

  /// @param load  share of the bandwidth that checkpoints and recoveries may use
  RunningMix(const Instance& instance, double load);

  [[nodiscard]] Kind kind_of(const Job& job);
  void start(Kind kind);
  void end(Kind kind);
  /// Returns the seconds of work between two checkpoints of a job, given the jobs that run now. If recoveries alone exceed the
  /// bandwidth, it returns the period for the job alone.
  [[nodiscard]] double period(Kind kind, bool is_first_order);

 private:
  // The values that decide a job's part in the plan: nodes, checkpoint, recovery and, for jobs without checkpoints, the work.
  using Shape = std::tuple<std::int64_t, double, double, double>;
  // number of running jobs of each kind, in order of kind
  using Counts = std::vector<std::pair<Kind, std::int64_t>>;

  [[nodiscard]] const std::vector<double>& periods(bool is_first_order);
  [[nodiscard]] std::vector<double> make_periods(bool is_first_order) const;

  SharedMachine machine_;  // without classes
  double load_;
  std::map<Shape, Kind> kinds_;
  std::vector<MachineClass> shapes_;  // [kinds]
  Counts counts_;
  std::map<Counts, std::vector<double>> known_[2];  // first index: first order or not
  const std::vector<double>* current_[2] = {nullptr, nullptr};
};

}  // namespace holdfast::machine
