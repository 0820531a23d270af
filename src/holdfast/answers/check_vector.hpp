#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"

#include <string>
#include <vector>

namespace holdfast {

/// One check vector (interface, section 5): a command and what it must say.
struct CheckVector {
  std::string why;
  std::string command;              ///< "checkpoint simulate"
  std::string strategy;             ///< empty: none is named
  Value options = Value::object();  ///< without the dashes
  Value instance;                   ///< null: none
  Value expect = Value::object();   ///< pointer -> value; or {"error": exit code}
};

/// Reads a document of kind "vectors"; errors are placed by JSON pointer.
[[nodiscard]] Result<std::vector<CheckVector>> read_vectors(const Value& document);

/// Returns a value of `options` as the command line writes it: 0.25, a,b,c.
[[nodiscard]] std::string option_text(const Value& value);

/// One thing that did not hold.
struct Mismatch {
  std::string pointer;  ///< into the result; empty if the command itself went wrong
  std::string expected;
  std::string found;
};

/// Returns the command as words, its options and strategy behind it, under --json; its instance comes from standard input.
[[nodiscard]] std::vector<std::string> arguments_of(const CheckVector& vector);

/// Returns what does not hold of a command that ended so.
/// @param out  what it said on standard output
/// @param err  and on standard error
[[nodiscard]] std::vector<Mismatch> judge(const CheckVector& vector, int status,
                                          const std::string& out, const std::string& err);

/// Compares a value with what is expected at a pointer: exact, or {"value", "absolute"|"relative"}, element by
/// element in arrays; a number may be a fraction in a string; {"absent": true} expects that nothing is there.
/// @param found  null if the document has nothing there
/// @returns nothing if it holds; an error if the expectation itself is malformed
[[nodiscard]] Result<std::vector<Mismatch>> compare(const Value* found, const Value& expected,
                                                    const std::string& pointer);

}  // namespace holdfast
