#pragma once

#include "holdfast/report/group_chart.hpp"
#include "holdfast/report/page.hpp"

#include <string>
#include <vector>

namespace holdfast {

/// How far a measured number is from the one it is compared with, in per cent of the latter; kAbsent where something does
/// not exist.
struct ComparedNumber {
  std::string label;  ///< which one it is: its own in the chart
  double expected = kAbsent;
  double measured = kAbsent;
  double difference = kAbsent;  ///< (%)
  double allowed = kAbsent;     ///< (%) to both sides
  double error = kAbsent;       ///< (%) standard error of the measured one
  std::string verdict = {};
  bool is_out = false;  ///< told from the others
};

struct CompareChart {
  std::string id;
  std::string title;
  std::string caption;
  std::vector<ComparedNumber> numbers;
};

/// Returns a row for each number: what it may differ by as a band around 0, by how much it does as a dot with two standard errors.
/// A dot that is too far away stands at the edge; what is out says by how much.
[[nodiscard]] PageChart compare_chart(const CompareChart& chart);

/// Returns "+59 %", "-4.4 %": two digits, as nobody reads more of a distance.
[[nodiscard]] std::string distance_text(double percent);

}  // namespace holdfast
