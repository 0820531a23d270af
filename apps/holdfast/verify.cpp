#include "holdfast/answers/check_vector.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/console.hpp"
#include "holdfast/print.hpp"
#include "holdfast/program.hpp"
#include "holdfast/talk_options.hpp"
#include "holdfast/verbs.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace holdfast::cli {
namespace {

struct VerifyOptions {
  std::vector<std::string> files;
  TalkOptions talk;
};

// Runs the command as a user would, in memory, and compares.
// @param directory  where relative paths inside the instance start
std::vector<Mismatch> run_vector(const CheckVector& vector, Domains domains, const Places& places,
                                 const std::filesystem::path& directory) {
  std::ostringstream out, err;
  std::istringstream in(vector.instance.is_null() ? std::string()
                                                  : to_compact_json(vector.instance));
  Console console(out, err, in);
  console.set_input_directory(directory);
  console.set_places(places);
  console.keep_to_answers();
  const int status = run_program(arguments_of(vector), console, domains);
  return judge(vector, status, out.str(), err.str());
}

/// Runs files of vectors and keeps the count.
class Verifier {
 public:
  Verifier(Console& console, Domains domains, bool json)
      : console_(&console), domains_(domains), json_(json) {}

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
      const auto mismatches = run_vector(vector, domains_, console_->places(), file.parent_path());
      if (mismatches.empty()) {
        ++passed_;
        console_->detail(fmt::format("{}: /vectors/{}: passed: {}", file.string(), i, vector.why));
      } else {
        note_failure(file, i, vector, mismatches);
      }
    }
    return {};
  }

  void finish() {
    if (json_) {
      print_document(
          Value::object({{"passed", passed_}, {"failed", failed_}, {"failures", failures_}}),
          *console_);
    } else {
      print_line(fmt::format("{} passed, {} failed", passed_, failed_), *console_);
    }
    if (failed_ > 0) console_->answer_no();
  }

 private:
  void note_failure(const std::filesystem::path& file, std::size_t index, const CheckVector& vector,
                    const std::vector<Mismatch>& mismatches) {
    ++failed_;
    const Mismatch& first = mismatches.front();
    if (json_) {
      failures_.push(Value::object({{"file", file.string()},
                                    {"vector", static_cast<std::int64_t>(index)},
                                    {"why", vector.why},
                                    {"pointer", first.pointer},
                                    {"expected", first.expected},
                                    {"found", first.found},
                                    {"mismatches", static_cast<std::int64_t>(mismatches.size())}}));
      return;
    }
    const std::string more =
        mismatches.size() > 1 ? fmt::format(" (and {} more)", mismatches.size() - 1) : "";
    const std::string pointer = first.pointer.empty() ? vector.command : first.pointer;
    print_line(fmt::format("{}: /vectors/{}: {}: {}: found {}, expected {}{}", file.string(), index,
                           vector.why, pointer, first.found, first.expected, more),
               *console_);
  }

  Console* console_;
  Domains domains_;
  bool json_;
  std::int64_t passed_ = 0;
  std::int64_t failed_ = 0;
  Value failures_ = Value::array();
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
      root.add_subcommand("verify", "run check vectors: commands with what they must say");
  command
      ->add_option("file", given->files, "files of vectors; without one, all that holdfast ships")
      ->type_name("FILE");
  add_talk_options(*command, given->talk);
  command->footer("example: holdfast verify");
  command->callback([given, &console, domains] {
    if (const Status status = verify(*given, console, domains); !status)
      console.refuse(status.error());
  });
}

}  // namespace holdfast::cli
