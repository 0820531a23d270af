#pragma once

#include "holdfast/domains/volatile/instance.hpp"
#include "holdfast/domains/volatile/set_table.hpp"
#include "holdfast/domains/volatile/set_values.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::volatile_workers {

/// The value of a configuration. Probabilities are logarithms, because 1e-100 is common for bad sets, and values that underflow
/// would tie.
struct ConfigurationValue {
  double log_success = 0;  ///< ln P: probability that communication and computation succeed
  double expected = 0;     ///< E: expected slots, by the estimator
  /// ln T: logarithm of the slots until success if failures restart. Computed only on request.
  double log_restart = 0;
};

/// A configuration to be valued: its members, what each still has to receive, and the work left.
struct Candidate {
  std::span<const std::uint32_t> members;  ///< ascending
  std::span<const std::int64_t> needs;     ///< slots of communication left, per *worker* (all p)
  std::int64_t workload = 1;               ///< W, or the rest of it; at least 1
};

/// What a rule needs to know about a candidate.
enum class Ask : std::uint8_t { success_and_duration, restart_too };

/// An evaluator of the configurations of one instance with one estimator. It remembers what it has computed: the values of sets
/// (each set once for all runs on the platform) and, on request, the durations of single workers and their survival
/// probabilities over whole numbers of slots. Remembered values are the same as recomputed ones, so the bytes of results do not
/// change.
///
/// Source: Casanova et al. 2012, sections 4 and 5; T is an addition of this library.
class Evaluator {
 public:
  enum class Memory : std::uint8_t { sets, sets_and_workers };

  /// Makes an evaluator. @pre every worker has a chain
  Evaluator(const Instance& instance, Estimator estimator, Memory memory);
  // The table of sets refers to the chains.
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  [[nodiscard]] const Instance& instance() const { return *instance_; }
  [[nodiscard]] const UpChain& chain(std::size_t worker) const { return chains_[worker]; }
  [[nodiscard]] SetTable& sets() { return sets_; }
  [[nodiscard]] Estimator estimator() const { return estimator_; }

  /// Returns the value of a candidate.
  /// @param set  sets().values() for the candidate's members
  [[nodiscard]] ConfigurationValue value(const Candidate& candidate, const SetValues& set, Ask ask);

 private:
  /// The slots that the communication takes, and where its survival probabilities are remembered.
  struct Communication {
    double slots = 0;
    std::int64_t key = -1;
  };

  [[nodiscard]] Communication communication(const Candidate& candidate);
  [[nodiscard]] double single_duration(std::uint32_t worker, std::int64_t slots);
  [[nodiscard]] double log_survival(const Candidate& candidate, const Communication& communication);
  [[nodiscard]] const double* survival_row(const Communication& communication);

  const Instance* instance_;
  Estimator estimator_;
  std::vector<UpChain> chains_;
  SetTable sets_;
  std::vector<SetValues> singles_;
  std::int64_t most_needs_ = 0;     ///< largest need of one worker that is remembered; 0: none
  std::vector<double> durations_;   ///< [worker][need]; NaN: not yet computed
  std::vector<std::int32_t> rows_;  ///< [key] position in survival_; -1: not yet computed
  std::vector<double> survival_;    ///< [row][worker] ln nd
};

}  // namespace holdfast::volatile_workers
