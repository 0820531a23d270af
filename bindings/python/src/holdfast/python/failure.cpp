#include "holdfast/python/failure.hpp"

#include <cstdint>
#include <exception>

namespace holdfast::python {
namespace {

void raise(const Failure& failure) {
  Error bare = failure.error;
  bare.where.clear();
  const py::object exception = py::module_::import("holdfast.errors")
                                   .attr("make")(static_cast<int>(failure.error.code),
                                                 failure.error.where, bare.text(), failure.remedy);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
}

}  // namespace

void register_failures() {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Failure& failure) {
      raise(failure);
    }
  });
}

}  // namespace holdfast::python
