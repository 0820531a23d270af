#include "holdfast/answers/format.hpp"

#include "holdfast/base/pack.hpp"

#include <array>
#include <filesystem>

namespace holdfast {
namespace {

struct FormatEntry {
  std::string_view name;
  AnswerFormat format;
  std::string_view ending;
};

// The first name of a format is the one that is written; the others may also be typed.
constexpr auto kAnswerFormats =
    std::to_array<FormatEntry>({{"table", AnswerFormat::table, ".txt"},
                                {"csv", AnswerFormat::csv, ".csv"},
                                {"markdown", AnswerFormat::markdown, ".md"},
                                {"json", AnswerFormat::json, ".json"},
                                {"md", AnswerFormat::markdown, ".markdown"}});
constexpr auto kAnswerFormatNames =
    std::to_array<std::string_view>({"table", "csv", "markdown", "json"});

}  // namespace

std::string_view name_of(AnswerFormat format) {
  return kAnswerFormats.at(static_cast<std::size_t>(format)).name;
}

std::span<const std::string_view> answer_format_names() {
  return kAnswerFormatNames;
}

std::optional<AnswerFormat> answer_format(std::string_view name) {
  for (const FormatEntry& entry : kAnswerFormats) {
    if (entry.name == name) return entry.format;
  }
  return std::nullopt;
}

std::string_view ending_of(AnswerFormat format) {
  return kAnswerFormats.at(static_cast<std::size_t>(format)).ending;
}

std::optional<AnswerFormat> format_of_file(const std::string& file) {
  const std::filesystem::path name = unpacked_name(file);
  for (const FormatEntry& entry : kAnswerFormats) {
    if (name.extension() == entry.ending) return entry.format;
  }
  return std::nullopt;
}

}  // namespace holdfast
