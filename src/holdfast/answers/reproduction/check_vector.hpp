#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"

#include <string>
#include <vector>

namespace holdfast {

/// One check vector (interface, section 5): a command and its expected answer.
struct CheckVector {
  std::string why;                  ///< one line for people: what it checks
  std::string command;              ///< "checkpoint simulate"
  std::string strategy;             ///< empty: no strategy is named
  Value options = Value::object();  ///< options without their dashes
  Value instance;                   ///< null: no instance
  Value expect = Value::object();   ///< pointer -> value, or {"error": exit code}
};

/// Reads a document of kind "vectors"; errors are placed by JSON pointer.
[[nodiscard]] Result<std::vector<CheckVector>> read_vectors(const Value& document);

/// Returns a value of `options` as a word for the command line: 0.25, a,b,c.
[[nodiscard]] std::string option_text(const Value& value);

/// One difference between the result and the expectation.
struct Mismatch {
  std::string pointer;   ///< pointer into the result; empty if the command itself failed
  std::string expected;  ///< the expectation as a text
  std::string found;     ///< the result as a text
};

/// Returns the command as words, followed by its options and strategy and --json. Its instance comes from standard input.
[[nodiscard]] std::vector<std::string> arguments_of(const CheckVector& vector);

/// Returns the differences between the outcome of the command and the expectation.
/// @param out  the command's standard output
/// @param err  the command's standard error
[[nodiscard]] std::vector<Mismatch> judge(const CheckVector& vector, int status,
                                          const std::string& out, const std::string& err);

/// Compares a value with the expectation at a pointer. They must be equal, unless the expectation is an object {"value",
/// "absolute"|"relative"}, which gives a tolerance. Arrays are compared element by element. An expected number may be a
/// fraction in a string; {"absent": true} expects that there is no value.
/// @param found  null if the document has no value at the pointer
/// @returns an empty list if the value is as expected; an error if the expectation itself is malformed
[[nodiscard]] Result<std::vector<Mismatch>> compare(const Value* found, const Value& expected,
                                                    const std::string& pointer);

}  // namespace holdfast
