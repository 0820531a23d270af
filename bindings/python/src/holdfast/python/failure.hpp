#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/python/python.hpp"

#include <string>
#include <utility>

namespace holdfast::python {

/// An error of the library, thrown to Python, where it becomes the exception for its code (holdfast/errors.py).
struct Failure {
  Error error;
  std::string remedy = {};  ///< what the user can do, as a separate line; may be empty
};

/// Returns the value of a result. @throws Failure
template <class T>
[[nodiscard]] T value_or_throw(Result<T> result) {
  if (!result) throw Failure{std::move(result).error()};
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// Registers the translation of Failure into exceptions of Python.
void register_failures();

}  // namespace holdfast::python
