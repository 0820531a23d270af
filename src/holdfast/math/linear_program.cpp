#include "holdfast/math/linear_program.hpp"

#include <cassert>
#include <cmath>
#include <limits>

namespace holdfast {
namespace {

constexpr double kNoPrice = 1e-12;
constexpr double kNoContradiction = 1e-9;
constexpr double kLeastPivot = 1e-9;
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// A table with the constraints as rows and their right sides in the last column; below them are the prices of the variables.
class SimplexTable {
 public:
  SimplexTable(std::size_t rows, std::size_t columns)
      : rows_{rows}, width_{columns + 1}, cells_((rows + 1) * (columns + 1)), basis_(rows, kNone) {}

  double& at(std::size_t row, std::size_t column) { return cells_[row * width_ + column]; }
  double& right(std::size_t row) { return at(row, width_ - 1); }
  double& price(std::size_t column) { return at(rows_, column); }
  [[nodiscard]] std::size_t basic(std::size_t row) const { return basis_[row]; }
  void set_basic(std::size_t row, std::size_t column) { basis_[row] = column; }
  void clear_prices() {
    for (std::size_t c = 0; c < width_; ++c) price(c) = 0;
  }

  void add(std::size_t to, std::size_t from, double factor) {
    if (factor == 0) return;
    for (std::size_t c = 0; c < width_; ++c) at(to, c) += factor * at(from, c);
  }

  void pivot(std::size_t row, std::size_t column) {
    const double factor = 1 / at(row, column);
    for (std::size_t c = 0; c < width_; ++c) at(row, c) *= factor;
    at(row, column) = 1;
    for (std::size_t r = 0; r <= rows_; ++r) {
      if (r == row) continue;
      add(r, row, -at(r, column));
      at(r, column) = 0;
    }
    basis_[row] = column;
  }

  // Pivots until no variable of the first `columns` has a negative price. It takes the steepest price, and after many steps
  // uses Bland's rule, which cannot cycle.
  void improve(std::size_t columns) {
    const std::size_t patience = 4 * (rows_ + columns);
    for (std::size_t step = 0;; ++step) {
      const bool is_patient = step < patience;
      std::size_t entering = kNone;
      for (std::size_t c = 0; c < columns; ++c) {
        if (price(c) >= -kNoPrice) continue;
        if (entering == kNone || price(c) < price(entering)) entering = c;
        if (!is_patient) break;
      }
      if (entering == kNone) return;
      const std::size_t row = leaving(entering);
      assert(row != kNone);
      if (row == kNone) return;
      pivot(row, entering);
    }
  }

 private:
  std::size_t leaving(std::size_t column) {
    std::size_t best = kNone;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t r = 0; r < rows_; ++r) {
      if (at(r, column) < kLeastPivot) continue;
      const double ratio = right(r) / at(r, column);
      if (ratio < least || (ratio == least && basis_[r] < basis_[best])) {
        least = ratio;
        best = r;
      }
    }
    return best;
  }

  std::size_t rows_, width_;
  std::vector<double> cells_;
  std::vector<std::size_t> basis_;  // the variable whose value each row gives
};

}  // namespace

std::optional<LinearProgram::Solution> LinearProgram::maximise(std::size_t variable) const {
  const std::size_t rows = constraints_.size();
  std::size_t slacks = 0, artificials = 0;
  for (const Constraint& constraint : constraints_) {
    slacks += constraint.is_equality ? 0 : 1;
    artificials += constraint.is_equality || constraint.limit < 0 ? 1 : 0;
  }
  const std::size_t real = variables_ + slacks;
  SimplexTable table(rows, real + artificials);
  std::size_t slack = variables_, artificial = real;
  for (std::size_t r = 0; r < rows; ++r) {
    const Constraint& constraint = constraints_[r];
    const double sign = constraint.limit < 0 ? -1 : 1;
    for (const Term& term : constraint.terms) table.at(r, term.variable) += sign * term.factor;
    table.right(r) = sign * constraint.limit;
    if (!constraint.is_equality) {
      table.at(r, slack) = sign;
      table.set_basic(r, slack++);
    }
    if (constraint.is_equality || sign < 0) {
      table.at(r, artificial) = 1;
      table.set_basic(r, artificial++);
    }
  }

  // First phase: minimise the sum of the artificial variables, which is the amount by which the constraints contradict each
  // other.
  for (std::size_t r = 0; r < rows; ++r) {
    if (table.basic(r) >= real) table.add(rows, r, -1);
  }
  for (std::size_t c = real; c < real + artificials; ++c) table.price(c) = 0;
  table.improve(real);
  if (table.right(rows) < -kNoContradiction) return std::nullopt;
  for (std::size_t r = 0; r < rows; ++r) {
    if (table.basic(r) < real) continue;
    for (std::size_t c = 0; c < real; ++c) {
      if (std::abs(table.at(r, c)) < kLeastPivot) continue;
      table.pivot(r, c);
      break;  // a row without any such variable adds nothing to the others
    }
  }

  // Second phase: maximise the variable.
  table.clear_prices();
  table.price(variable) = -1;
  for (std::size_t r = 0; r < rows; ++r) {
    if (table.basic(r) == variable) table.add(rows, r, 1);
  }
  table.improve(real);
  Solution out{.value = table.right(rows), .variables = std::vector<double>(variables_)};
  for (std::size_t r = 0; r < rows; ++r) {
    if (table.basic(r) < variables_) out.variables[table.basic(r)] = table.right(r);
  }
  return out;
}

}  // namespace holdfast
