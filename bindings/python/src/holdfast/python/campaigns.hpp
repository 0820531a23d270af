#pragma once

#include "holdfast/python/python.hpp"

namespace holdfast::python {

/// Defines the functions that read and run campaigns, and the class of their results.
void define_campaigns(py::module_& module);

}  // namespace holdfast::python
