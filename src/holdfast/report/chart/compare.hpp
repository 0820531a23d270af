#pragma once

#include "holdfast/report/chart/groups.hpp"
#include "holdfast/report/page.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace holdfast {

/// What is said about a number.
enum class Judged : std::uint8_t {
  no,  ///< without a tolerance
  within,
  unsure,  ///< too few samples to say
  out,     ///< the number is highlighted
};

/// The difference between a measured and an expected number, in per cent of the latter; kAbsent if a value does not exist.
struct ComparedNumber {
  std::string label;  ///< name of the number, different from all others in the chart
  double expected = kAbsent;
  double measured = kAbsent;
  double difference = kAbsent;  ///< difference (%)
  double allowed = kAbsent;     ///< tolerance to both sides (%)
  double error = kAbsent;       ///< standard error of the measured number (%)
  std::string verdict = {};
  Judged judged = Judged::no;
};

struct CompareChart {
  std::string id;
  std::string title;
  std::string caption;
  std::vector<ComparedNumber> numbers;
};

/// Returns a chart with a row for each number: the tolerance as a band around 0, and the difference as a dot with two standard
/// errors. A dot that is too far away is drawn at the edge. Numbers out of tolerance show their difference as a text.
[[nodiscard]] PageChart compare_chart(const CompareChart& chart);

/// Returns "+59 %", "-4.4 %", with two digits, because more digits would not help.
[[nodiscard]] std::string distance_text(double percent);

}  // namespace holdfast
