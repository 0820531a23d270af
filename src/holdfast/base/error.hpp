#pragma once

#include <tl/expected.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast {

/// The reason for a refusal. The exit status follows from this code, not from the text (interface: exit codes).
enum class ErrorCode : std::uint8_t {
  usage,         ///< the command line is wrong (exit 2)
  bad_value,     ///< a field of an input has an impossible value (exit 3)
  bad_format,    ///< an input cannot be read at all (exit 3)
  unknown_name,  ///< an unknown name: field, strategy, metric (exit 3)
  infeasible,    ///< the question is valid and the answer is "no" (exit 1)
  io_failure,    ///< an output or an engine failed (exit 4)
  interrupted,   ///< stopped by the user; what was finished is kept (exit 130)
};

/// A description of what went wrong that lets the author of the input fix it.
struct Error {
  ErrorCode code = ErrorCode::bad_value;  ///< the reason, which decides the exit status
  std::string where;    ///< a place: "run.toml:12: /parameters/work", "/tasks/3/length", "--mtbf"
  std::string message;  ///< a sentence: "found -5, expected a number greater than 0"
  /// A pointer to the field that names a file, if the error is about such a file. Then `where` is a place in that file and not
  /// a pointer, even if an absolute path makes it look like one.
  std::string field = {};
  /// What would help: a field and its value. Who knows the option of that field writes its name there.
  struct Remedy {
    std::string field;  ///< "columns"; later "--columns"
    std::string value;  ///< "node=Knoten,down=Ausfall"
  };
  Remedy remedy = {};

  /// Returns "where: message", or only the message if there is no place, and the remedy.
  [[nodiscard]] std::string text() const {
    std::string out = where.empty() ? message : where + ": " + message;
    if (!remedy.field.empty()) out += "; try " + remedy.field + " " + remedy.value;
    return out;
  }
};

/// A value or an error.
template <class T>
using Result = tl::expected<T, Error>;

/// Success without a value, or an error.
using Status = Result<void>;

/// Returns the failed state of any Result.
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string where,
                                                std::string message) {
  return tl::unexpected<Error>(
      Error{.code = code, .where = std::move(where), .message = std::move(message)});
}
[[nodiscard]] inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

/// Returns the error with its place in a file: "FILE: /pointer" or, if the place starts with a line number, "FILE:12: /work".
[[nodiscard]] inline Error in_file(std::string_view file, Error error) {
  std::string where(file);
  if (!error.where.empty()) {
    const bool has_line = error.where.front() >= '0' && error.where.front() <= '9';
    where += has_line ? ":" : ": ";
    where += error.where;
  }
  error.where = std::move(where);
  return error;
}

/// Returns the error as an error about a file that this field of a document names.
[[nodiscard]] inline Error of_field(std::string pointer, Error error) {
  error.field = std::move(pointer);
  return error;
}

/// Returns the exit status of the program for an error.
[[nodiscard]] constexpr int exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::usage:
      return 2;
    case ErrorCode::bad_value:
    case ErrorCode::bad_format:
    case ErrorCode::unknown_name:
      return 3;
    case ErrorCode::infeasible:
      return 1;
    case ErrorCode::io_failure:
      return 4;
    case ErrorCode::interrupted:
      return 130;
  }
  return 4;
}

}  // namespace holdfast

/// Declares a variable from a Result, or returns its error: HOLDFAST_TRY(law, parse_law(text));
#define HOLDFAST_TRY(name, expression)                                              \
  auto name##_result = (expression);                                                \
  if (!name##_result) return tl::make_unexpected(std::move(name##_result).error()); \
  auto name = std::move(*name##_result)

/// Returns the error of a Status, if it has one.
#define HOLDFAST_CHECK(expression)                           \
  do {                                                       \
    if (auto status = (expression); !status) {               \
      return tl::make_unexpected(std::move(status).error()); \
    }                                                        \
  } while (false)
