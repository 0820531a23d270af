#pragma once

// Parsed once for all sources of the module: pybind11 costs some seconds.
#include <pybind11/pybind11.h>

namespace holdfast::python {

namespace py = pybind11;

}  // namespace holdfast::python
