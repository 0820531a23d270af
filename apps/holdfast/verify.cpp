#include "holdfast/answers/verification.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/console.hpp"
#include "holdfast/memory_run.hpp"
#include "holdfast/print.hpp"
#include "holdfast/talk_options.hpp"
#include "holdfast/verbs.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace holdfast::cli {
namespace {

struct VerifyOptions {
  std::vector<std::string> files;
  TalkOptions talk;
};

// @param directory  where relative paths inside the instance start
std::vector<Mismatch> run_vector(const CheckVector& vector, const CommandRunner& run,
                                 const std::filesystem::path& directory) {
  const CommandEnd end =
      run({.arguments = arguments_of(vector),
           .input = vector.instance.is_null() ? std::string() : to_compact_json(vector.instance),
           .input_directory = directory});
  return judge(vector, end.status, end.out, end.err);
}

/// Runs files of vectors and keeps the count.
class Verifier {
 public:
  Verifier(Console& console, Domains domains, bool json)
      : console_(&console), run_(runner_in_memory(domains, console)), json_(json) {}

  Status run_file(const std::filesystem::path& file) {
    HOLDFAST_TRY(document, read_document(file));
    const auto vectors = read_vectors(document);
    if (!vectors) {
      Error error = vectors.error();
      error.where = place_in(document, error.where);
      return fail(in_file(file.string(), std::move(error)));
    }
    for (std::size_t i = 0; i < vectors->size(); ++i) {
      const CheckVector& vector = (*vectors)[i];
      const auto mismatches = run_vector(vector, run_, file.parent_path());
      const std::string line = verification_.add({file.string(), i}, vector, mismatches);
      if (mismatches.empty()) {
        console_->detail(line);
      } else if (!json_) {
        print_line(line, *console_);
      }
    }
    return {};
  }

  void finish() {
    const Answer answer = verification_.answer();
    print_answer(answer, json_, *console_);
    if (answer.is_no) console_->answer_no();
  }

 private:
  Console* console_;
  CommandRunner run_;
  bool json_;
  Verification verification_;
};

Status verify(const VerifyOptions& given, Console& console, Domains domains) {
  given.talk.apply(console);
  std::vector<std::filesystem::path> files(given.files.begin(), given.files.end());
  if (files.empty()) files = vector_files(console.places());
  if (files.empty()) {
    return fail(ErrorCode::usage, "", "found no vectors here, expected the name of a file");
  }
  Verifier verifier(console, domains, given.talk.json);
  for (const auto& file : files) HOLDFAST_CHECK(verifier.run_file(file));
  verifier.finish();
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
