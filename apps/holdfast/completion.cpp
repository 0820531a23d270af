#include "holdfast/answers/completion.hpp"

#include "holdfast/console.hpp"
#include "holdfast/verbs.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <ostream>
#include <string>

namespace holdfast::cli {

void add_completion(CLI::App& root, Console& console) {
  CLI::App* command = root.add_subcommand(
      "completion", "print a script that lets a shell complete commands, options and values");
  command->footer("example: holdfast completion bash");
  auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "the shell")->type_name(std::string(kShells))->required();
  command->callback([shell, &console] {
    if (const auto script = completion_script(*shell)) {
      console.out() << *script;
    } else {
      console.refuse(script.error());
    }
  });
}

}  // namespace holdfast::cli
