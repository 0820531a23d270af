#pragma once

#include "holdfast/python/python.hpp"

namespace holdfast::python {

/// Defines functions that time the same work without Python, with which bindings/python/bench.py compares the package.
void define_timing(py::module_& module);

}  // namespace holdfast::python
