#pragma once

#include "holdfast/python/python.hpp"

namespace holdfast::python {

/// Defines the function that runs a command of the program in this process, as `python -m holdfast` does.
void define_command(py::module_& module);

}  // namespace holdfast::python
