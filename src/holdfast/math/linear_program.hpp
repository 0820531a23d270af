#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace holdfast {

/// Maximises a linear function of non-negative variables under linear constraints: the simplex method on a dense
/// table, in two phases, for some tens of variables and constraints. Numbers should be around 1: what is below 1e-9 is
/// taken for nothing.
class LinearProgram {
 public:
  /// A coefficient of a variable.
  struct Term {
    std::size_t variable = 0;
    double factor = 0;
  };

  /// @returns its number; they are counted from 0
  std::size_t add_variable() { return variables_++; }
  [[nodiscard]] std::size_t variables() const { return variables_; }
  /// The terms together are at most `limit`. A variable may stand in several terms.
  void at_most(std::vector<Term> terms, double limit) {
    constraints_.push_back({std::move(terms), limit, false});
  }
  void equal(std::vector<Term> terms, double value) {
    constraints_.push_back({std::move(terms), value, true});
  }

  struct Solution {
    double value = 0;
    std::vector<double> variables;
  };
  /// The largest value of one variable, or nothing where the constraints contradict each other.
  /// @pre the constraints bound it
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
