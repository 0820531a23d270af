#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/format_option.hpp"
#include "holdfast/report/text_table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace holdfast::cli {

/// An answer in every form in which it may be asked for.
struct Shown {
  std::vector<std::string> verdict;  ///< sentences: what stands first
  std::string headline;              ///< which problem was answered, below them; may be empty
  std::vector<Table> tables;
  std::vector<std::string> lines;  ///< after the tables
  std::optional<Table> data;       ///< as CSV; none: the first of the tables
  Value document = Value::object();
};

/// The answer of a verb, whose lines and tables are all that it has to show.
[[nodiscard]] Shown shown_of(Answer answer);

[[nodiscard]] std::string text_of(const Shown& shown, AnswerFormat format,
                                  const TextStyle& style = {});

/// What a format leaves out, as a line for people: CSV has one table. Empty where nothing is.
[[nodiscard]] std::string left_out(const Shown& shown, AnswerFormat format);

}  // namespace holdfast::cli
