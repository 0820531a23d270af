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

/// A schedule, and what a picture of it is called.
struct NamedSchedule {
  std::string name;
  PictureTitle title;
  std::shared_ptr<const Timeline> timeline;
};

/// An answer as Python holds it: what the program would print, in every form.
struct Answered {
  Answered() = default;
  Answered(const Answered&) = delete;
  Answered& operator=(const Answered&) = delete;
  virtual ~Answered() = default;  // Python gets the class that it is of

  Shown shown;
  std::string text;  ///< what is printed where that is more than `shown` in its order; empty: that
  std::vector<std::string> warnings;
  bool is_no = false;
  bool is_instance = false;  ///< printed as a document, whatever the format
  std::shared_ptr<const NamedSchedule> schedule;
  Value instance = Value::object();  ///< the parameters as they were given
};

/// Takes what is not finite out of the document, with a warning, as the program does under --json.
void make_finite(Answered& answered);

void define_answered(py::module_& module);

}  // namespace holdfast::python
