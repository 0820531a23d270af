#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/python/python.hpp"

#include <string>
#include <utility>

namespace holdfast::python {

/// An error of the library on its way to Python, where it becomes the exception of its code (holdfast/errors.py).
struct Failure {
  Error error;
  std::string remedy = {};  ///< what to do, where that is worth a line of its own
};

/// The value of a result. @throws Failure
template <class T>
[[nodiscard]] T value_or_throw(Result<T> result) {
  if (!result) throw Failure{std::move(result).error()};
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// Makes Failure, and exhausted memory, exceptions of Python.
void register_failures();

}  // namespace holdfast::python
