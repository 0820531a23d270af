#pragma once

// This header is precompiled for all sources of the module, because pybind11 takes some seconds to parse.
#include <pybind11/pybind11.h>

#include <string>
#include <string_view>

namespace holdfast::python {

namespace py = pybind11;

/// Returns a Python text as UTF-8. A byte of a file name that is no UTF-8, which Python writes as a lone surrogate, is that byte
/// again.
/// @param where  place for errors
/// @throws Failure for other lone surrogates
[[nodiscard]] std::string utf8_text(py::handle text, std::string_view where);

}  // namespace holdfast::python

/// Texts go both ways like names of files, in arguments, answers and errors: pybind11 would refuse a byte that is no UTF-8.
template <>
struct pybind11::detail::type_caster<std::string> {
  PYBIND11_TYPE_CASTER(std::string, const_name("str"));

  bool load(handle source, bool) {
    if (!source || PyUnicode_Check(source.ptr()) == 0) return false;
    value = holdfast::python::utf8_text(source, "");
    return true;
  }
  static handle cast(std::string_view text, return_value_policy, handle) {
    return PyUnicode_DecodeUTF8(text.data(), static_cast<ssize_t>(text.size()), "surrogateescape");
  }
};
