#pragma once

#include "holdfast/answers/format.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/report/text_table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace holdfast {

/// An answer in every form in which it may be asked for.
struct Shown {
  std::string headline;              ///< which problem was answered, first; may be empty
  std::vector<std::string> verdict;  ///< the answer, in sentences
  std::vector<Table> tables;
  std::vector<std::string> lines;  ///< after the tables
  std::optional<Table> data;       ///< as CSV; none: the first of the tables
  Value document = Value::object();
};

/// Adds the sentences that people see first to a document, as "problem" and "verdict".
void tell_problem(const std::string& headline, const std::vector<std::string>& verdict,
                  Value& document);

/// Returns the answer of a verb, whose lines and tables are all that it has to show.
[[nodiscard]] Shown shown_of(Answer answer);

[[nodiscard]] std::string text_of(const Shown& shown, AnswerFormat format,
                                  const TextStyle& style = {});

/// Returns what a format leaves out, as a line for people: CSV has one table. Empty if nothing is.
[[nodiscard]] std::string left_out(const Shown& shown, AnswerFormat format);

}  // namespace holdfast
