#pragma once

#include "holdfast/python/python.hpp"

namespace holdfast::python {

/// What bindings/python/bench.py measures the package against: the same work without Python.
void define_timing(py::module_& module);

}  // namespace holdfast::python
