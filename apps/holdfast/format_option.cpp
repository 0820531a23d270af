#include "holdfast/format_option.hpp"

#include "holdfast/base/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace holdfast::cli {
void FormatOption::add(CLI::App& command) {
  command
      .add_option(
          "--format", text_,
          "format of the answer (default table); csv: one table in base units, for programs")
      ->type_name("table|csv|markdown|json")
      ->group("Output");
}

Result<std::optional<AnswerFormat>> FormatOption::named(bool json) const {
  if (text_.empty()) return json ? std::optional(AnswerFormat::json) : std::nullopt;
  const auto format = answer_format(text_);
  if (!format) {
    return fail(ErrorCode::usage, "--format",
                fmt::format("unknown format {}; {}", in_quotes(text_),
                            suggestion(text_, answer_format_names())));
  }
  if (!json || *format == AnswerFormat::json) return format;
  return fail(
      ErrorCode::usage, "--format",
      fmt::format("found {} together with --json, expected only one of them", in_quotes(text_)));
}

Result<AnswerFormat> FormatOption::read(bool json) const {
  HOLDFAST_TRY(format, named(json));
  return format.value_or(AnswerFormat::table);
}

Result<AnswerFormat> FormatOption::of_file(const std::string& output, bool json) const {
  HOLDFAST_TRY(format, named(json));
  const auto said = format_of_file(output);
  if (!said || !format || *said == *format)
    return said ? *said : format.value_or(AnswerFormat::json);
  return fail(ErrorCode::usage, "--output",
              fmt::format("found {}, expected a name that ends in {}: the format is {}",
                          in_quotes(output), ending_of(*format), name_of(*format)));
}

}  // namespace holdfast::cli
