#include "holdfast/answers/completion.hpp"

#include "holdfast/contract/verb_options.hpp"

#include <array>
#include <string>

namespace holdfast {
namespace {

struct CompletionOptions {
  std::string shell = {};
};

constexpr auto kShellName =
    std::to_array<Field<CompletionOptions>>({{.name = "shell",
                                              .summary = "the shell",
                                              .member = member<&CompletionOptions::shell>,
                                              .value_name = kShells}});

Result<Answer> print_script(const CompletionOptions& options, const Request& /*request*/) {
  HOLDFAST_TRY(script, completion_script(options.shell));
  Answer answer;
  answer.file = file_of(std::string(script));
  return answer;
}

}  // namespace

Verb completion_verb() {
  return {.name = "completion",
          .summary = "print a script that lets a shell complete commands, options and values",
          .example = "holdfast completion bash",
          .positionals = fields_of<kShellName>().parameters(),
          .takes_instance = false,
          .takes_seed = false,
          .gives = Gives::file,
          .run = with_options<print_script, fields_of<kShellName>>};
}

}  // namespace holdfast
