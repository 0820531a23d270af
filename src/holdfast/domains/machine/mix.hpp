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

/// Returns the machine and the jobs that it runs at once: endless jobs as they are, or of drawn classes as many as their shares
/// of the nodes come to. Of jobs that come and go there is no such mix: nothing.
[[nodiscard]] std::optional<SharedMachine> shared_machine(const Instance& instance);

/// The jobs that run now, by kind, and the periods that suit them together. Sets of jobs that were met before are
/// remembered.
class RunningMix {
 public:
  using Kind = std::uint32_t;

  /// @param load  share of the bandwidth that checkpoints and recoveries may ask for
  RunningMix(const Instance& instance, double load);

  [[nodiscard]] Kind kind_of(const Job& job);
  void start(Kind kind);
  void end(Kind kind);
  /// Returns the seconds of work between two checkpoints of a job, of the jobs that run now. Where recoveries alone ask for more than
  /// there is, that of the job alone.
  [[nodiscard]] double period(Kind kind, bool is_first_order);

 private:
  // What decides a job's part in the plan: nodes, checkpoint, recovery, and of jobs without checkpoints the work.
  using Shape = std::tuple<std::int64_t, double, double, double>;
  using Counts = std::vector<std::pair<Kind, std::int64_t>>;  // of kinds that run, in their order

  [[nodiscard]] const std::vector<double>& periods(bool is_first_order);
  [[nodiscard]] std::vector<double> make_periods(bool is_first_order) const;

  SharedMachine machine_;  // without classes
  double load_;
  std::map<Shape, Kind> kinds_;
  std::vector<MachineClass> shapes_;  // [kinds]
  Counts counts_;
  std::map<Counts, std::vector<double>> known_[2];  // by first order
  const std::vector<double>* current_[2] = {nullptr, nullptr};
};

}  // namespace holdfast::machine
