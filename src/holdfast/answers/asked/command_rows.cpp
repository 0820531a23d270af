#include "holdfast/answers/asked/command_rows.hpp"

#include "holdfast/answers/files/output_file.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

std::vector<std::string> words(const std::string& command, const std::filesystem::path& folder) {
  std::vector<std::string> out;
  for (const std::string_view word : split(command, ' ')) {
    if (word.empty()) continue;
    out.push_back(word.starts_with("@/") ? (folder / word.substr(2)).string() : std::string(word));
  }
  return out;
}

// Returns the output of the command with --json. The command may write no file but `file`, if one is given.
Result<std::string> output_of(std::vector<std::string> arguments, const std::string& input,
                              const std::string& file, const std::string& place,
                              const CommandRunner& run) {
  arguments.emplace_back("--json");
  CommandEnd end = run({.arguments = arguments, .input = input, .only_file = file});
  if (end.status == 0 || end.status == 1) return std::move(end.out);
  return fail(ErrorCode::bad_value, place,
              fmt::format("'{}' ended with exit status {}: {}", printable(join(arguments, " ")),
                          end.status, std::string(trim(end.err))));
}

// Returns the output of a command whose instance is the output of another command, if one is given.
Result<std::string> output_of_pair(const std::string& generate, std::vector<std::string> arguments,
                                   const reproduction::Item& item, const std::string& file,
                                   const std::string& place, const CommandRunner& run) {
  std::string input;
  if (!generate.empty()) {
    HOLDFAST_TRY(instance, output_of(words(generate, item.folder), "", "", place, run));
    input = std::move(instance);
    arguments.insert(arguments.end(), {"--instance", "-"});
  }
  return output_of(std::move(arguments), input, file, place, run);
}

// Returns the command as a user would type it.
std::string text_of(const reproduction::Drawing& drawing, const std::filesystem::path& folder) {
  const std::string command = "holdfast " + join(words(drawing.command, folder), " ");
  if (drawing.generate.empty()) return command + " --schedule figure.svg";
  return fmt::format("holdfast {} --json | {} --instance - --schedule figure.svg", drawing.generate,
                     command);
}

}  // namespace

Result<reproduction::Measured> CommandRows::measure(const reproduction::Item& item,
                                                    const reproduction::Row& row) {
  const std::string name = join(std::vector<std::string>{item.id, row.generate, row.command}, "\n");
  auto found = said_.find(name);
  if (found == said_.end()) {
    HOLDFAST_TRY(text, output_of_pair(row.generate, words(row.command, item.folder), item, "",
                                      row.place, run_));
    auto document = parse_json(text);
    if (!document) return fail(in_file(row.place, document.error()));
    found = said_.emplace(name, std::move(*document)).first;
  }
  const Value* value = found->second.at(row.pointer);
  reproduction::Measured measured;
  if (value != nullptr && value->is_number()) measured.value = value->number();
  return measured;
}

Result<std::vector<reproduction::Picture>> CommandRows::draw(
    const reproduction::Item& item, const std::filesystem::path& directory, bool force,
    const std::function<void(const std::filesystem::path&)>& wrote) const {
  HOLDFAST_CHECK(make_directory(directory));
  std::vector<reproduction::Picture> pictures;
  for (std::size_t i = 0; i < item.drawings.size(); ++i) {
    const reproduction::Drawing& drawing = item.drawings[i];
    const std::string name =
        item.drawings.size() == 1 ? item.id : fmt::format("{}-{}", item.id, i + 1);
    const std::filesystem::path file = directory / (name + ".svg");
    std::vector<std::string> arguments = words(drawing.command, item.folder);
    arguments.insert(arguments.end(), {"--schedule", file.string()});
    if (force) arguments.emplace_back("--force");
    HOLDFAST_TRY(said, output_of_pair(drawing.generate, std::move(arguments), item, file.string(),
                                      "/schedule of " + item.id, run_));
    wrote(file);
    HOLDFAST_TRY(svg, read_file(file));
    pictures.push_back({drawing.title, text_of(drawing, item.folder), std::move(svg)});
  }
  return pictures;
}

}  // namespace holdfast
