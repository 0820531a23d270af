#pragma once

#include "holdfast/python/python.hpp"

namespace holdfast::python {

/// Campaigns: reading, running, and what they left.
void define_campaigns(py::module_& module);

}  // namespace holdfast::python
