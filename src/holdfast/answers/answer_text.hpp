#pragma once

#include "holdfast/answers/format.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/report/text_table.hpp"

#include <string>

namespace holdfast {

/// Adds headline and verdict to the document, as its members "problem" and "verdict".
void tell_problem(Answer& answer);

/// Returns the answer as text in a format. @pre for JSON: tell_problem() was called
[[nodiscard]] std::string text_of(const Answer& answer, AnswerFormat format,
                                  const TextStyle& style = {});

/// Returns a line about what a format leaves out, because CSV has only one table. Empty if nothing is left out.
[[nodiscard]] std::string left_out(const Answer& answer, AnswerFormat format);

/// Puts the rows of the schedules into the document, each as the member "schedule" of its place.
void put_schedules(Answer& answer);

}  // namespace holdfast
