#pragma once

#include "holdfast/answers/shown.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/answer.hpp"

#include <filesystem>
#include <string_view>

/// What verbs write to standard output.
namespace holdfast::cli {

class Console;

/// How the terminal shows texts.
[[nodiscard]] TextStyle style_of(const Console& console);
/// The document and a line end.
void print_document(const Value& document, Console& console);
void print_line(std::string_view line, Console& console);
/// An answer in the format that was asked for; a line on standard error where that leaves something out.
void print_shown(const Shown& shown, AnswerFormat format, Console& console);
/// Takes what JSON has no word for out of a document, with a warning that names the first place.
void make_finite(Value& document, Console& console);
/// The text as a file that replaces another one only under `force`; says that it was written.
[[nodiscard]] Status write_new_file(const std::filesystem::path& path, std::string_view text,
                                    bool force, Console& console);
/// Tables, then lines, an empty line between the parts; warnings to standard error.
void print_answer(const Answer& answer, bool json, Console& console);

}  // namespace holdfast::cli
