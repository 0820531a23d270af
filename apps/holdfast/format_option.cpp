#include "holdfast/format_option.hpp"

#include "holdfast/base/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <string_view>

namespace holdfast::cli {
namespace {

struct Entry {
  std::string_view name;
  AnswerFormat format;
  std::string_view ending;
};

// The first of a format is the one that is written; the others are what people type too.
constexpr auto kFormats = std::to_array<Entry>({{"table", AnswerFormat::table, ".txt"},
                                                {"csv", AnswerFormat::csv, ".csv"},
                                                {"markdown", AnswerFormat::markdown, ".md"},
                                                {"json", AnswerFormat::json, ".json"},
                                                {"md", AnswerFormat::markdown, ".markdown"}});
constexpr std::size_t kShown = 4;

std::string_view name_of(AnswerFormat format) {
  return kFormats.at(static_cast<std::size_t>(format)).name;
}

// The format that a file's name says, below .gz and .zst.
std::optional<AnswerFormat> format_of(const std::string& output) {
  std::filesystem::path file = output;
  if (file.extension() == ".gz" || file.extension() == ".zst") file = file.stem();
  for (const Entry& entry : kFormats) {
    if (file.extension() == entry.ending) return entry.format;
  }
  return std::nullopt;
}

}  // namespace

std::string_view ending_of(AnswerFormat format) {
  return kFormats.at(static_cast<std::size_t>(format)).ending;
}

bool names_format(const std::string& output) {
  return format_of(output).has_value();
}

void FormatOption::add(CLI::App& command) {
  command
      .add_option("--format", text_,
                  "of the answer (default table); csv: one table for programs, in base units")
      ->type_name("table|csv|markdown|json")
      ->group("Output");
}

Result<std::optional<AnswerFormat>> FormatOption::named(bool json) const {
  if (text_.empty()) return json ? std::optional(AnswerFormat::json) : std::nullopt;
  for (const Entry& entry : kFormats) {
    if (entry.name != text_) continue;
    if (!json || entry.format == AnswerFormat::json) return std::optional(entry.format);
    return fail(ErrorCode::usage, "--format",
                fmt::format("found '{}' beside --json, expected one of them", text_));
  }
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kShown; ++i) names.push_back(kFormats.at(i).name);
  return fail(ErrorCode::usage, "--format",
              fmt::format("unknown format '{}'; {}", text_, suggestion(text_, names)));
}

Result<AnswerFormat> FormatOption::read(bool json) const {
  HOLDFAST_TRY(format, named(json));
  return format.value_or(AnswerFormat::table);
}

Result<AnswerFormat> FormatOption::of_file(const std::string& output, bool json) const {
  HOLDFAST_TRY(format, named(json));
  const auto said = format_of(output);
  if (!said || !format || *said == *format)
    return said ? *said : format.value_or(AnswerFormat::json);
  return fail(ErrorCode::usage, "--output",
              fmt::format("found '{}', expected a name that ends in {}: the format is {}", output,
                          ending_of(*format), name_of(*format)));
}

}  // namespace holdfast::cli
