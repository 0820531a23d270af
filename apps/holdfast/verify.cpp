#include "holdfast/answers/verification.hpp"
#include "holdfast/console.hpp"
#include "holdfast/memory_run.hpp"
#include "holdfast/print.hpp"
#include "holdfast/talk_options.hpp"
#include "holdfast/verbs.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::cli {
namespace {

struct VerifyOptions {
  std::vector<std::string> files;
  TalkOptions talk;
};

Status verify(const VerifyOptions& given, Console& console, Domains domains) {
  given.talk.apply(console);
  std::vector<std::filesystem::path> files(given.files.begin(), given.files.end());
  if (files.empty()) files = vector_files(console.places());
  if (files.empty()) {
    return fail(ErrorCode::usage, "", "found no vectors here, expected the name of a file");
  }
  const CommandRunner run = runner_in_memory(domains, console);
  const auto heard = [&console, json = given.talk.json](const std::string& line, bool passed) {
    if (passed) {
      console.detail(line);
    } else if (!json) {
      print_line(line, console);
    }
  };
  Verification verification;
  for (const auto& file : files)
    HOLDFAST_CHECK(verification.add_file(file, run, heard, Stop(console.interrupted())));
  Answer answer = verification.answer();
  if (answer.is_no) console.answer_no();
  print_answer(std::move(answer), given.talk.json, console);
  return {};
}

}  // namespace

void add_verify(CLI::App& root, Console& console, Domains domains) {
  auto given = std::make_shared<VerifyOptions>();
  CLI::App* command =
      root.add_subcommand("verify", "run check vectors: commands with their expected answers");
  command
      ->add_option("file", given->files, "files of vectors (default: all that come with Holdfast)")
      ->type_name("FILE");
  add_talk_options(*command, given->talk);
  command->footer("example: holdfast verify");
  command->callback([given, &console, domains] {
    if (const Status status = verify(*given, console, domains); !status)
      console.refuse(status.error());
  });
}

}  // namespace holdfast::cli
