#pragma once

#include "holdfast/answers/shown.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/kernel/timeline.hpp"
#include "holdfast/python/python.hpp"
#include "holdfast/report/svg_text.hpp"

#include <memory>
#include <string>
#include <vector>

namespace holdfast::python {

/// A schedule with the title of its picture.
struct NamedSchedule {
  std::string name;
  PictureTitle title;
  std::shared_ptr<const Timeline> timeline;
};

/// An answer for Python: what the program would print, in every form.
struct Answered {
  Answered() = default;
  Answered(const Answered&) = delete;
  Answered& operator=(const Answered&) = delete;
  virtual ~Answered() = default;  // with it, Python gets an object of the derived class

  Shown shown;
  std::string text;  ///< the text to print; empty: `shown` as a table
  std::vector<std::string> warnings;
  bool is_no = false;
  bool is_instance = false;  ///< true: it is printed as a JSON document
  std::shared_ptr<const NamedSchedule> schedule;
  Value instance = Value::object();  ///< the parameters as they were given
};

/// Removes numbers that are not finite from the document, with a warning, as the program does under --json.
void make_finite(Answered& answered);

void define_answered(py::module_& module);

}  // namespace holdfast::python
