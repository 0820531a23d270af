#include "holdfast/complete.hpp"
#include "holdfast/console.hpp"
#include "holdfast/scripts.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <ostream>
#include <string>
#include <string_view>

namespace holdfast::cli {
namespace {

// Empty for a shell that nobody knows.
std::string_view script_of(std::string_view shell) {
  if (shell == "bash") return assets::completion_bash();
  if (shell == "zsh") return assets::completion_zsh();
  if (shell == "fish") return assets::completion_fish();
  return {};
}

}  // namespace

void add_completion(CLI::App& root, Console& console) {
  CLI::App* command = root.add_subcommand(
      "completion", "what makes a shell complete commands, options and their values");
  command->footer("example: holdfast completion bash");
  auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "the shell")->type_name("bash|zsh|fish")->required();
  command->callback([shell, &console] {
    const std::string_view script = script_of(*shell);
    if (script.empty()) {
      console.refuse({ErrorCode::usage, "shell",
                      fmt::format("found '{}', expected one of bash, zsh, fish", *shell)});
      return;
    }
    console.out() << script;
  });
}

}  // namespace holdfast::cli
