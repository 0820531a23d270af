#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/python/python.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::python {

/// A document from Python's objects: mappings, sequences, buffers of numbers, texts, numbers; what holdfast/values.py makes
/// plain of others (paths, times, laws, frames).
/// @param where  what a refusal names: "work=", "instance="
/// @throws Failure for NaN, infinities, integers beyond 64 bits, and objects that no document holds
[[nodiscard]] Value to_value(py::handle object, std::string_view where);

/// A document that to_python() made, which may hold NaN and infinities.
[[nodiscard]] Value restored_value(py::handle object);

/// The same document as dicts, lists, texts and numbers.
[[nodiscard]] py::object to_python(const Value& value);

/// Numbers that Python reads in place, through its buffer protocol.
struct Block {
  std::shared_ptr<const void> owner;  ///< of the memory
  const void* data = nullptr;
  py::ssize_t item_size = sizeof(double);
  std::string format = "d";  ///< of struct
  std::vector<py::ssize_t> shape;
  std::vector<py::ssize_t> strides;  ///< in bytes

  /// Doubles that are moved into a block, rows first. @pre the product of `shape` is their number
  [[nodiscard]] static std::shared_ptr<Block> of(std::vector<double> numbers,
                                                 std::vector<py::ssize_t> shape);
};

/// The numbers of an array, or of an array of arrays of equal length. @throws Failure where it holds something else
[[nodiscard]] std::shared_ptr<Block> numbers_of(const Value& value, std::string_view pointer);

void define_values(py::module_& module);

}  // namespace holdfast::python
