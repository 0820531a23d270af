#pragma once

#include "holdfast/answers/answer_text.hpp"
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
  /// Takes an answer, whose schedules become those below, and removes numbers that are not finite from its document, with a warning, as
  /// the program does under --json.
  explicit Answered(Answer made);
  Answered(const Answered&) = delete;
  Answered& operator=(const Answered&) = delete;
  virtual ~Answered() = default;  // with it, Python gets an object of the derived class

  Answer answer;
  std::string text;          ///< the text to print; empty: `answer` as a table
  bool is_instance = false;  ///< true: it is printed as a JSON document
  std::vector<std::shared_ptr<NamedSchedule>> schedules;
  Value instance = Value::object();  ///< the parameters as they were given
};

void define_answered(py::module_& module);

}  // namespace holdfast::python
