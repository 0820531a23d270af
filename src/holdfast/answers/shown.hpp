#pragma once

#include "holdfast/answers/format.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/report/text_table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace holdfast {

/// An answer in all forms that a caller may ask for.
struct Shown {
  std::string headline;  ///< one line that says which problem was answered; may be empty
  std::vector<std::string> verdict;  ///< the answer in sentences
  std::vector<Table> tables;         ///< the numbers that support the verdict
  std::vector<std::string> lines;    ///< remarks after the tables
  std::optional<Table> data;  ///< the table to write as CSV; if absent, the first of the tables
  Value document = Value::object();  ///< the answer for programs
};

/// Adds headline and verdict to a document, as its members "problem" and "verdict".
void tell_problem(const std::string& headline, const std::vector<std::string>& verdict,
                  Value& document);

/// Returns the answer of a verb in this form, with all its lines and tables.
[[nodiscard]] Shown shown_of(Answer answer);

/// Returns the answer as text in a format.
[[nodiscard]] std::string text_of(const Shown& shown, AnswerFormat format,
                                  const TextStyle& style = {});

/// Returns a line about what a format leaves out, because CSV has only one table. Empty if nothing is left out.
[[nodiscard]] std::string left_out(const Shown& shown, AnswerFormat format);

}  // namespace holdfast
