#pragma once

#include "holdfast/python/python.hpp"

namespace holdfast::python {

/// Defines the class of laws of the time between failures.
void define_laws(py::module_& module);

}  // namespace holdfast::python
