#include "holdfast/answers/verification.hpp"

#include <fmt/format.h>

namespace holdfast {

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

Answer Verification::answer() const {
  Answer answer;
  answer.document =
      Value::object({{"passed", passed_}, {"failed", failed_}, {"failures", failures_}});
  answer.lines = {fmt::format("{} passed, {} failed", passed_, failed_)};
  answer.is_no = failed_ > 0;
  return answer;
}

}  // namespace holdfast
