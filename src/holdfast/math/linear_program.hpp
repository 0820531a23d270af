#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace holdfast {

/// A linear program: it maximises a linear function of non-negative variables under linear constraints, with the two-phase
/// simplex method on a dense table. It is meant for some tens of variables and constraints. Numbers should be around 1, because
/// anything below 1e-9 counts as zero.
class LinearProgram {
 public:
  /// A coefficient of a variable.
  struct Term {
    std::size_t variable = 0;
    double factor = 0;
  };

  /// Adds a variable. @returns its number; variables are numbered from 0
  std::size_t add_variable() { return variables_++; }
  [[nodiscard]] std::size_t variables() const { return variables_; }
  /// Requires that the sum of the terms is at most `limit`. A variable may appear in several terms.
  void at_most(std::vector<Term> terms, double limit) {
    constraints_.push_back({std::move(terms), limit, false});
  }
  /// Requires that the sum of the terms equals `value`.
  void equal(std::vector<Term> terms, double value) {
    constraints_.push_back({std::move(terms), value, true});
  }

  /// An optimal solution.
  struct Solution {
    double value = 0;               ///< the largest value of the variable that was maximised
    std::vector<double> variables;  ///< the values of all variables, by number
  };
  /// Returns the largest value of one variable, or nothing if the constraints contradict each other.
  /// @pre the constraints bound the variable
  [[nodiscard]] std::optional<Solution> maximise(std::size_t variable) const;

 private:
  struct Constraint {
    std::vector<Term> terms;
    double limit = 0;
    bool is_equality = false;
  };
  std::size_t variables_ = 0;
  std::vector<Constraint> constraints_;
};

}  // namespace holdfast
