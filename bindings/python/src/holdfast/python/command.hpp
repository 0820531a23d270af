#pragma once

#include "holdfast/python/python.hpp"

namespace holdfast::python {

/// The whole program in this process: `python -m holdfast`.
void define_command(py::module_& module);

}  // namespace holdfast::python
