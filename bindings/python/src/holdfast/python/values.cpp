#include "holdfast/python/values.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/python/failure.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <optional>

namespace holdfast::python {
namespace {

constexpr int kDeepest = 200;  // the same limit as for documents that are read

/// A converter of Python objects to one document, whose errors name the place in the document.
class Maker {
 public:
  explicit Maker(std::string_view where, bool takes_any_number = false)
      : where_{where}, takes_any_number_{takes_any_number} {}

  Value make(py::handle object, const std::string& pointer, int depth = 0) const {
    if (depth > kDeepest)
      refuse(pointer, "found something that is nested too deep or holds itself");
    PyObject* raw = object.ptr();
    if (raw == Py_None) return {};
    if (PyBool_Check(raw)) return raw == Py_True;
    if (PyFloat_Check(raw)) return real(PyFloat_AS_DOUBLE(raw), pointer);
    if (PyLong_Check(raw)) return whole(object, pointer);
    if (PyUnicode_Check(raw)) return utf8_text(object, std::string(where_) + pointer);
    if (PyDict_Check(raw)) return mapping(py::reinterpret_borrow<py::dict>(object), pointer, depth);
    if (PyList_Check(raw) || PyTuple_Check(raw)) return sequence(object, pointer, depth);
    if (is_buffer(object)) {
      if (auto made = buffer(object, pointer)) return std::move(*made);
    }
    return make(plain(object, pointer), pointer, depth + 1);
  }

 private:
  [[noreturn]] void refuse(const std::string& pointer, const std::string& message) const {
    throw Failure{{ErrorCode::bad_value, std::string(where_) + pointer, message}};
  }

  Value real(double number, const std::string& pointer) const {
    if (std::isfinite(number) || takes_any_number_) return number;
    refuse(pointer, fmt::format("found {}, expected a finite number", number));
  }

  Value whole(py::handle object, const std::string& pointer) const {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
    if (overflow == 0) return std::int64_t{number};
    if (overflow > 0) {
      const unsigned long long large = PyLong_AsUnsignedLongLong(object.ptr());
      if (PyErr_Occurred() == nullptr) return std::uint64_t{large};
      PyErr_Clear();
    }
    refuse(pointer, "found an integer beyond 64 bits");
  }

  Value mapping(const py::dict& dict, const std::string& pointer, int depth) const {
    Value out = Value::object();
    for (const auto& [key, item] : dict) {
      if (!PyUnicode_Check(key.ptr())) {
        refuse(pointer, fmt::format("found a name that is {}, expected a text",
                                    utf8_text(py::repr(key), where_)));
      }
      const std::string name = utf8_text(key, std::string(where_) + pointer);
      out.set(name, make(item, pointer_to(pointer, name), depth + 1));
    }
    return out;
  }

  Value sequence(py::handle object, const std::string& pointer, int depth) const {
    const py::sequence items = py::reinterpret_borrow<py::sequence>(object);
    Value::Array out;
    const std::size_t size = items.size();
    out.reserve(size);
    for (std::size_t i = 0; i < size; ++i) {
      const py::object item = items[i];
      out.push_back(make(item, pointer_to(pointer, i), depth + 1));
    }
    return out;
  }

  // Bytes are not numbers, the buffer of a masked array shows hidden elements, and that of a NumPy scalar does not show its
  // type.
  static bool is_buffer(py::handle object) {
    if (PyObject_CheckBuffer(object.ptr()) == 0 || PyBytes_Check(object.ptr()) != 0) return false;
    const bool is_scalar = py::hasattr(object, "item") && !py::hasattr(object, "__len__");
    return PyByteArray_Check(object.ptr()) == 0 && !py::hasattr(object, "mask") && !is_scalar;
  }

  /// Returns the numbers of a buffer; nothing if its elements are not numbers.
  std::optional<Value> buffer(py::handle object, const std::string& pointer) const {
    py::buffer_info info;
    try {
      info = py::reinterpret_borrow<py::buffer>(object).request();
    } catch (const py::error_already_set&) {
      return std::nullopt;  // dates and the like
    }
    const std::string format =
        info.format.size() > 1 && (info.format[0] == '@' || info.format[0] == '<')
            ? info.format.substr(1)
            : info.format;
    if (format.size() != 1 || std::strchr("dfbhilqBHILQ?", format[0]) == nullptr) {
      return std::nullopt;
    }
    return axis(info, format[0], 0, static_cast<const char*>(info.ptr), pointer);
  }

  Value axis(const py::buffer_info& info, char format, std::size_t dimension, const char* data,
             const std::string& pointer) const {
    if (dimension == static_cast<std::size_t>(info.ndim)) return element(format, data, pointer);
    Value::Array out;
    const auto size = static_cast<std::size_t>(info.shape[dimension]);
    out.reserve(size);
    for (std::size_t i = 0; i < size; ++i) {
      const char* at = data + static_cast<std::ptrdiff_t>(i) * info.strides[dimension];
      const bool is_number = dimension + 1 == static_cast<std::size_t>(info.ndim);
      // A pointer costs more than a number, so it is made only if it is needed.
      if (is_number && (format == 'd' || format == 'f')) {
        const double number = format == 'd' ? load<double>(at) : double{load<float>(at)};
        if (!std::isfinite(number)) static_cast<void>(real(number, pointer_to(pointer, i)));
        out.emplace_back(number);
      } else {
        out.push_back(axis(info, format, dimension + 1, at, pointer_to(pointer, i)));
      }
    }
    return out;
  }

  template <class T>
  static T load(const char* data) {
    T out;
    std::memcpy(&out, data, sizeof out);
    return out;
  }

  Value element(char format, const char* data, const std::string& pointer) const {
    switch (format) {
      case 'd':
        return real(load<double>(data), pointer);
      case 'f':
        return real(double{load<float>(data)}, pointer);
      case '?':
        return load<char>(data) != 0;
      case 'b':
        return std::int64_t{load<signed char>(data)};
      case 'h':
        return std::int64_t{load<short>(data)};
      case 'i':
        return std::int64_t{load<int>(data)};
      case 'l':
      case 'q':
        return std::int64_t{load<long>(data)};
      case 'B':
        return std::int64_t{load<unsigned char>(data)};
      case 'H':
        return std::int64_t{load<unsigned short>(data)};
      case 'I':
        return std::int64_t{load<unsigned>(data)};
      default:
        return std::uint64_t{load<unsigned long>(data)};
    }
  }

  py::object plain(py::handle object, const std::string& pointer) const {
    const py::object made = py::module_::import("holdfast.values").attr("plain")(object);
    if (made.ptr() == Py_NotImplemented) {
      refuse(pointer, fmt::format("found an object of type {}, expected what a document holds: a "
                                  "number, a text, a list, a mapping",
                                  Py_TYPE(object.ptr())->tp_name));
    }
    return made;
  }

  std::string_view where_;
  bool takes_any_number_;
};

py::object object_of(const Value::Object& members) {
  py::dict out;
  for (const auto& [name, value] : members) out[py::str(name)] = to_python(value);
  return out;
}

py::object list_of(const Value::Array& items) {
  py::list out(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    PyList_SET_ITEM(out.ptr(), static_cast<py::ssize_t>(i), to_python(items[i]).release().ptr());
  }
  return out;
}

[[noreturn]] void refuse_number(const std::string& pointer, const Value& value) {
  throw Failure{{ErrorCode::bad_value, pointer,
                 fmt::format("found {}, expected a number", value.described())}};
}

void append_numbers(const Value::Array& items, const std::string& pointer,
                    std::vector<double>& out) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].is_number()) refuse_number(pointer_to(pointer, i), items[i]);
    out.push_back(items[i].number());
  }
}

}  // namespace

Value to_value(py::handle object, std::string_view where) {
  return Maker(where).make(object, "");
}

std::string utf8_text(py::handle text, std::string_view where) {
  const auto bytes = py::reinterpret_steal<py::bytes>(
      PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape"));
  if (bytes) return bytes;
  PyErr_Clear();
  throw Failure{{ErrorCode::bad_value, std::string(where),
                 "found a text with half of a surrogate pair, expected Unicode characters"}};
}

Value restored_value(py::handle object) {
  return Maker("", true).make(object, "");
}

py::object to_python(const Value& value) {
  if (value.is_null()) return py::none();
  if (const bool* flag = value.boolean()) return py::bool_(*flag);
  if (const std::string* text = value.string()) return py::cast(*text);
  if (const Value::Array* items = value.array_items()) return list_of(*items);
  if (const Value::Object* members = value.members()) return object_of(*members);
  std::int64_t whole = 0;
  std::uint64_t large = 0;
  if (value.is_real()) return py::float_(value.number());
  if (value.get_integer(whole)) return py::int_(whole);
  if (value.get_unsigned(large)) return py::int_(large);
  return py::float_(value.number());
}

std::shared_ptr<Block> Block::of(std::vector<double> numbers, std::vector<py::ssize_t> shape) {
  auto held = std::make_shared<const std::vector<double>>(std::move(numbers));
  auto block = std::make_shared<Block>();
  block->data = held->data();
  block->strides.resize(shape.size());
  py::ssize_t stride = sizeof(double);
  for (std::size_t i = shape.size(); i-- > 0;) {
    block->strides[i] = stride;
    stride *= shape[i];
  }
  block->shape = std::move(shape);
  block->owner = std::move(held);
  return block;
}

std::shared_ptr<Block> numbers_of(const Value& value, std::string_view pointer) {
  const Value::Array* items = value.array_items();
  if (items == nullptr) refuse_number(std::string(pointer), value);
  std::vector<double> numbers;
  const bool is_table = !items->empty() && items->front().array_items() != nullptr;
  const auto rows = static_cast<py::ssize_t>(items->size());
  if (!is_table) {
    append_numbers(*items, std::string(pointer), numbers);
    return Block::of(std::move(numbers), {rows});
  }
  const std::size_t columns = items->front().array_items()->size();
  for (std::size_t i = 0; i < items->size(); ++i) {
    const std::string at = pointer_to(pointer, i);
    const Value::Array* row = (*items)[i].array_items();
    if (row == nullptr || row->size() != columns) {
      throw Failure{{ErrorCode::bad_value, at,
                     fmt::format("found {}, expected {} numbers as in the first list",
                                 (*items)[i].described(), columns)}};
    }
    append_numbers(*row, at, numbers);
  }
  return Block::of(std::move(numbers), {rows, static_cast<py::ssize_t>(columns)});
}

void define_values(py::module_& module) {
  py::class_<Block, std::shared_ptr<Block>>(module, "Block", py::buffer_protocol(),
                                            "Numbers of the library, read in place.")
      .def_buffer([](const Block& block) {
        return py::buffer_info(const_cast<void*>(block.data), block.item_size, block.format,
                               static_cast<py::ssize_t>(block.shape.size()), block.shape,
                               block.strides, true);
      });
  module.def(
      "to_json",
      [](py::handle object, std::string_view where) { return to_json(to_value(object, where)); },
      py::arg("document"), py::arg("where") = "",
      "to_json(document: object, where: str = '') -> str\n\nThe JSON text of a document, as the "
      "program writes it.");
  module.def(
      "from_json",
      [](std::string_view text) { return to_python(value_or_throw(parse_json(text))); },
      py::arg("text"), "from_json(text: str) -> object\n\nThe document of a JSON text.");
}

}  // namespace holdfast::python
