#include "holdfast/answers/reproduction/verification.hpp"

#include "holdfast/base/file.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace holdfast {
namespace {

// Runs a vector. @param directory  the folder to which relative paths inside the instance refer
std::vector<Mismatch> run_vector(const CheckVector& vector, const CommandRunner& run,
                                 const std::filesystem::path& directory) {
  const CommandEnd end =
      run({.arguments = arguments_of(vector),
           .input = vector.instance.is_null() ? std::string() : to_compact_json(vector.instance),
           .input_directory = directory});
  return judge(vector, end.status, end.out, end.err);
}

}  // namespace

std::string Verification::add(const Place& place, const CheckVector& vector,
                              std::span<const Mismatch> mismatches) {
  if (mismatches.empty()) {
    ++passed_;
    return fmt::format("{}: /vectors/{}: passed: {}", place.file, place.index, vector.why);
  }
  ++failed_;
  const Mismatch& first = mismatches.front();
  failures_.push(Value::object({{"file", place.file},
                                {"vector", static_cast<std::int64_t>(place.index)},
                                {"why", vector.why},
                                {"pointer", first.pointer},
                                {"expected", first.expected},
                                {"found", first.found},
                                {"mismatches", static_cast<std::int64_t>(mismatches.size())}}));
  const std::string more =
      mismatches.size() > 1 ? fmt::format(" (and {} more)", mismatches.size() - 1) : "";
  const std::string pointer = first.pointer.empty() ? vector.command : first.pointer;
  return fmt::format("{}: /vectors/{}: {}: {}: found {}, expected {}{}", place.file, place.index,
                     vector.why, pointer, first.found, first.expected, more);
}

Status Verification::add_file(
    const std::filesystem::path& file, const CommandRunner& run,
    const std::function<void(const std::string& line, bool passed)>& heard, Stop stop) {
  HOLDFAST_TRY(document, read_document(file));
  const auto vectors = read_vectors(document);
  if (!vectors) {
    Error error = vectors.error();
    error.where = place_in(document, error.where);
    return fail(in_file(file.string(), std::move(error)));
  }
  for (std::size_t i = 0; i < vectors->size(); ++i) {
    if (stop.wanted()) return fail(ErrorCode::interrupted, "", "stopped");
    const CheckVector& vector = (*vectors)[i];
    const auto mismatches = run_vector(vector, run, file.parent_path());
    const std::string line = add({file.string(), i}, vector, mismatches);
    if (heard) heard(line, mismatches.empty());
  }
  return {};
}

Answer Verification::answer() const {
  Answer answer;
  answer.document =
      Value::object({{"passed", passed_}, {"failed", failed_}, {"failures", failures_}});
  answer.lines = {fmt::format("{} passed, {} failed", passed_, failed_)};
  answer.is_no = failed_ > 0;
  return answer;
}

}  // namespace holdfast
