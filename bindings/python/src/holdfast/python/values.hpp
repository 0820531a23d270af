#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/python/python.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::python {

/// Returns a Python object as a document. It may be a mapping, a sequence, a buffer of numbers, a text, a number, or an object
/// that holdfast/values.py converts to one of these (paths, times, laws, frames).
/// @param where  place for errors: "work=", "instance="
/// @throws Failure for NaN, infinities, integers beyond 64 bits, and objects that a document cannot hold
[[nodiscard]] Value to_value(py::handle object, std::string_view where);

/// Returns the document that to_python() converted, which may hold NaN and infinities.
[[nodiscard]] Value restored_value(py::handle object);

/// Returns a document as dicts, lists, texts and numbers.
[[nodiscard]] py::object to_python(const Value& value);

/// A block of numbers that Python reads in place, through its buffer protocol.
struct Block {
  std::shared_ptr<const void> owner;  ///< owner of the memory
  const void* data = nullptr;
  py::ssize_t item_size = sizeof(double);
  std::string format = "d";  ///< format of an item, as in Python's module struct
  std::vector<py::ssize_t> shape;
  std::vector<py::ssize_t> strides;  ///< in bytes

  /// Moves doubles into a block, in row-major order. @pre the product of `shape` is their number
  [[nodiscard]] static std::shared_ptr<Block> of(std::vector<double> numbers,
                                                 std::vector<py::ssize_t> shape);
};

/// Returns the numbers of an array, or of an array of arrays of equal length. @throws Failure if it holds anything else
[[nodiscard]] std::shared_ptr<Block> numbers_of(const Value& value, std::string_view pointer);

void define_values(py::module_& module);

}  // namespace holdfast::python
