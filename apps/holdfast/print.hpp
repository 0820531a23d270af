#pragma once

#include "holdfast/answers/answer_text.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/answer.hpp"

#include <filesystem>
#include <string_view>

/// Functions with which verbs write to standard output.
namespace holdfast::cli {

class Console;

/// Returns the style of texts on the terminal.
[[nodiscard]] TextStyle style_of(const Console& console);
/// Prints the document and a line end.
void print_document(const Value& document, Console& console);
void print_line(std::string_view line, Console& console);
/// Prints an answer in the given format, and a line on standard error if the format leaves something out.
void print_text(const Answer& answer, AnswerFormat format, Console& console);
/// Removes numbers that are not finite from a document, because JSON cannot express them, with a warning that names the first
/// place.
void make_finite(Value& document, Console& console);
/// Writes the text to a file, which replaces an existing one only under `force`, and prints that it was written.
[[nodiscard]] Status write_new_file(const std::filesystem::path& path, std::string_view text,
                                    bool force, Console& console);

}  // namespace holdfast::cli
