#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/taskgraph/guarantee.hpp"
#include "holdfast/domains/taskgraph/instance.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace holdfast::taskgraph {

/// One task of the worst case, as launched by Algorithm 4 and by the proof's schedule.
struct WorstCaseTask {
  Speedup speedup;
  std::int64_t processors = 1;          ///< p, chosen by Algorithm 4
  double time = 0;                      ///< t(p), seconds
  std::int64_t offline_processors = 1;  ///< p*, in the proof's schedule
  double offline_time = 0;              ///< t(p*), seconds
};

/// One row of Table IV, for this machine size.
struct ProofConstraint {
  std::string_view label;      ///< "R1"
  std::string_view statement;  ///< "p_A* <= P^(3/4)"
  bool holds = false;
};

/// The graph of Figure 3.1, on which list scheduling with local decisions reaches its ratio: Z layers of X tasks B, a task D
/// and, after D, a task C that releases the next layer; then a chain of Y tasks A. A layer leaves too few processors for C, so
/// layers cannot overlap. A schedule that runs all C and D first can run the chain in parallel with all B.
struct WorstCase {
  SpeedupModel model = SpeedupModel::roofline;  ///< the model of the tasks
  std::int64_t processors = 1;                  ///< P
  double epsilon = 0.5;
  Guarantee parameters;  ///< parameters of Algorithm 4 for this model
  WorstCaseTask a, b, c, d;
  std::int64_t x = 0, k = 0, y = 0, z = 0;  ///< F2 to F5

  /// Returns the number of tasks.
  [[nodiscard]] std::int64_t size() const { return x * z + 2 * z + y; }
  [[nodiscard]] std::int64_t edges() const;
  /// Returns the makespan of capped-lpa, Z (t_B + t_C) + Y t_A, in seconds. On small machines on which D does not fit beside
  /// the X tasks B (Amdahl, 16 processors), each layer also waits for t_D.
  [[nodiscard]] double makespan() const;
  /// Returns the makespan of the proof's schedule, Z (t_C(P) + t_D(1)) + X K t_B*, in seconds.
  [[nodiscard]] double offline_makespan() const;
  [[nodiscard]] double ratio() const { return makespan() / offline_makespan(); }
  /// Returns the limit of ratio(): the proven ratio for roofline, communication and Amdahl tasks.
  [[nodiscard]] double limit() const;
};

/// Returns the worst case of one model: roofline, communication, amdahl, or mix. No worst case for mix itself is known, so it
/// uses Amdahl tasks with the parameters of mix. O(log) whatever the size.
///
/// Errors: another model, processors outside [16, 2^31], epsilon outside (0, 1) or so small that the tasks cannot be counted,
/// and for Amdahl the few machines below 21 processors on which no task gets sqrt(P) processors. Source: Perotin's thesis,
/// section 3.5, Table IV and Lemmas 21 to 24. Y is rounded as in the text (down), not as in the table (up), because constraint
/// R14 needs it.
[[nodiscard]] Result<WorstCase> worst_case(SpeedupModel model, std::int64_t processors,
                                           double epsilon);

/// Returns the constraints F1 and R1 to R15 of Table IV. The proof needs all of them; the construction works without F1.
[[nodiscard]] std::vector<ProofConstraint> proof_constraints(const WorstCase& worst);

/// Returns the graph itself, with tasks in the order B(1,1) ... B(1,X), D(1), C(1), B(2,1) ..., A(1) ... A(Y), and with the
/// proof's schedule for `as-given`. @pre size() fits in memory: about 250 bytes per task
[[nodiscard]] Instance build(const WorstCase& worst);

}  // namespace holdfast::taskgraph
