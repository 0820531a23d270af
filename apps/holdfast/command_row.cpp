#include "holdfast/command_row.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/program.hpp"

#include <fmt/format.h>

#include <sstream>
#include <string>
#include <vector>

namespace holdfast::cli {
namespace {

std::vector<std::string> words(const std::string& command, const std::filesystem::path& folder) {
  std::vector<std::string> out;
  for (const std::string_view word : split(command, ' ')) {
    if (word.empty()) continue;
    out.push_back(word.starts_with("@/") ? (folder / word.substr(2)).string() : std::string(word));
  }
  return out;
}

// What the command says under --json.
Result<std::string> output_of(std::vector<std::string> arguments, const std::string& input,
                              const reproduction::Row& row, Domains domains) {
  arguments.emplace_back("--json");
  std::ostringstream out, err;
  std::istringstream in(input);
  Console console(out, err, in);
  const int status = run_program(arguments, console, domains);
  if (status == 0 || status == 1) return out.str();
  return fail(ErrorCode::bad_value, row.place,
              fmt::format("'{}' ended with exit status {}: {}", join(arguments, " "), status,
                          std::string(trim(err.str()))));
}

}  // namespace

Result<reproduction::Measured> run_command_row(const reproduction::Item& item,
                                               const reproduction::Row& row, Domains domains) {
  std::string input;
  std::vector<std::string> arguments = words(row.command, item.folder);
  if (!row.generate.empty()) {
    HOLDFAST_TRY(instance, output_of(words(row.generate, item.folder), "", row, domains));
    input = std::move(instance);
    arguments.insert(arguments.end(), {"--instance", "-"});
  }
  HOLDFAST_TRY(text, output_of(std::move(arguments), input, row, domains));
  const auto document = parse_json(text);
  if (!document) return fail(in_file(row.place, document.error()));
  const Value* value = document->at(row.pointer);
  reproduction::Measured measured;
  if (value != nullptr && value->is_number()) measured.value = value->number();
  return measured;
}

}  // namespace holdfast::cli
