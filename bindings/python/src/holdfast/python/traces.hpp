#pragma once

#include "holdfast/python/python.hpp"

namespace holdfast::python {

/// Defines the verbs of `holdfast trace`, and fits of laws to arrays.
void define_traces(py::module_& module);

}  // namespace holdfast::python
