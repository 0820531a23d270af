#include "holdfast/answers/host.hpp"
#include "holdfast/answers/reproduction/verification.hpp"
#include "holdfast/contract/verb_options.hpp"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace holdfast {
namespace {

struct VerifyOptions {
  std::vector<std::string> files = {};
};

constexpr auto kVectorFiles = std::to_array<Field<VerifyOptions>>(
    {{.name = "file",
      .summary = "files of vectors (default: all that come with Holdfast)",
      .member = member<&VerifyOptions::files>,
      .value_name = "FILE"}});

Result<Answer> verify_files(const VerifyOptions& options, const Request& request) {
  const Host& host = *request.host;
  std::vector<std::filesystem::path> files(options.files.begin(), options.files.end());
  if (files.empty()) files = vector_files(host.places);
  if (files.empty()) {
    return fail(ErrorCode::usage, "", "found no vectors here, expected the name of a file");
  }
  const auto heard = [&request](const std::string& line, bool passed) {
    if (!passed) {
      request.show({.lines = {line}});
    } else if (request.voice.detail) {
      request.voice.detail(line);
    }
  };
  Verification verification;
  for (const auto& file : files) {
    HOLDFAST_CHECK(verification.add_file(file, host.run, heard, request.stop));
  }
  return verification.answer();
}

constexpr auto kVerifyResults = std::to_array<ResultField>(
    {{"passed", "vectors that passed", Holds::integer},
     {"failed", "vectors that failed", Holds::integer},
     {"failures[].file", "file of a vector that failed", Holds::text},
     {"failures[].vector", "its position there", Holds::integer},
     {"failures[].why", "what it tests", Holds::text},
     {"failures[].pointer", "first member that differs", Holds::text},
     {"failures[].expected", "what was expected there", Holds::text},
     {"failures[].found", "what was found", Holds::text},
     {"failures[].mismatches", "number of members that differ", Holds::integer}});

}  // namespace

Verb verify_verb() {
  return {.name = "verify",
          .summary = "run check vectors: commands with their expected answers",
          .example = "holdfast verify",
          .positionals = fields_of<kVectorFiles>().parameters(),
          .results = kVerifyResults,
          .takes_instance = false,
          .takes_seed = false,
          .only_answers = false,
          .run = with_options<verify_files, fields_of<kVectorFiles>>};
}

}  // namespace holdfast
