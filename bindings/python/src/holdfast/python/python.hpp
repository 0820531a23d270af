#pragma once

// This header is precompiled for all sources of the module, because pybind11 takes some seconds to parse.
#include <pybind11/pybind11.h>

namespace holdfast::python {

namespace py = pybind11;

}  // namespace holdfast::python
