#pragma once

#include "holdfast/report/group_chart.hpp"
#include "holdfast/report/page.hpp"

#include <string>
#include <vector>

namespace holdfast {

/// A published number beside what is measured now; kAbsent where one does not exist.
struct ComparedNumber {
  std::string panel;  ///< what is compared: numbers of one panel share an axis
  std::string label;  ///< which one it is
  double published = kAbsent;
  double reference = kAbsent;
  double measured = kAbsent;
  double error = kAbsent;  ///< standard error of the measured one
  std::string verdict = {};
  bool is_out = false;  ///< marked in the picture
};

struct CompareChart {
  std::string id;
  std::string title;
  std::string caption;
  std::vector<ComparedNumber> numbers;
};

/// Published, reference and measured numbers as points above each other, the measured one with two standard errors.
[[nodiscard]] PageChart compare_chart(const CompareChart& chart);

}  // namespace holdfast
