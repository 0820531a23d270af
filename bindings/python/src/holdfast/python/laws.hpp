#pragma once

#include "holdfast/python/python.hpp"

namespace holdfast::python {

/// Laws of the time between failures, and fits of them.
void define_laws(py::module_& module);

}  // namespace holdfast::python
