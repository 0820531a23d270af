#include "holdfast/python/rules.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace holdfast::python {
namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// The state of the interpreter for a worker's thread, kept as long as the thread lives. Making one for each decision would
/// cost more than the decision.
class ThreadState {
 public:
  static void keep() {
    if (PyGILState_GetThisThreadState() == nullptr) static thread_local const ThreadState kept;
  }

  ThreadState() : state_{PyGILState_Ensure()}, saved_{PyEval_SaveThread()} {}
  ThreadState(const ThreadState&) = delete;
  ThreadState& operator=(const ThreadState&) = delete;
  ~ThreadState() {
    PyEval_RestoreThread(saved_);
    PyGILState_Release(state_);
  }

 private:
  PyGILState_STATE state_;
  PyThreadState* saved_;
};

/// The situation of a decision, as an object of Python. It owns the data of its arrays, which later decisions overwrite.
class Situation {
 public:
  void open(const DecisionInput& told) {
    told_ = &told;
    columns_.resize(told.columns.size());
    for (Column& column : columns_) column.is_new = false;
  }
  void close() { told_ = nullptr; }

  [[nodiscard]] std::size_t items() const { return now().items; }
  [[nodiscard]] double scalar(std::size_t index) const { return now().scalars[index]; }

  py::object column(std::size_t index) {
    const std::span<const double> told = now().columns[index];
    Column& column = columns_[index];
    if (column.is_new) return column.array;
    if (column.numbers == nullptr || column.numbers->size() != told.size()) {
      column.numbers = std::make_shared<std::vector<double>>(told.size());
      const py::capsule owner(
          new std::shared_ptr<std::vector<double>>(column.numbers),
          [](void* held) { delete static_cast<std::shared_ptr<std::vector<double>>*>(held); });
      py::array_t<double> array(static_cast<py::ssize_t>(told.size()), column.numbers->data(),
                                owner);
      array.attr("flags").attr("writeable") = false;
      column.array = std::move(array);
    }
    std::copy(told.begin(), told.end(), column.numbers->begin());
    column.is_new = true;
    return column.array;
  }

  /// Returns the values of a curve at many places.
  /// @param item  number of the item of each place; empty if the curve does not depend on an item
  [[nodiscard]] py::object curve(
      std::size_t index,
      const py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>& item,
      const Numbers& x) const {
    py::array_t<double> y(x.size());
    const auto size = static_cast<std::size_t>(x.size());
    const std::span<const std::uint32_t> items(item.data(), static_cast<std::size_t>(item.size()));
    if (!items.empty() && items.size() != size)
      throw py::value_error("found items and places of different numbers");
    for (const std::uint32_t one : items) {
      if (one >= now().items)
        throw py::index_error(
            fmt::format("found item {}, expected less than {}", one, now().items));
    }
    now().evaluate(index, items, {x.data(), size}, {y.mutable_data(), size});
    return y;
  }

 private:
  struct Column {
    std::shared_ptr<std::vector<double>> numbers;
    py::object array;
    bool is_new = false;  // it has the values of the current decision
  };

  const DecisionInput& now() const {
    if (told_ != nullptr) return *told_;
    PyErr_SetString(PyExc_ReferenceError,
                    "this situation is over: a rule copies what it wants to keep");
    throw py::error_already_set();
  }

  const DecisionInput* told_ = nullptr;
  std::vector<Column> columns_;
};

/// A rule in Python during one run.
class PythonRule final : public Rule {
 public:
  PythonRule(py::object decide, const py::object& situation, std::shared_ptr<Raised> raised)
      : decide_{std::move(decide)},
        situation_{situation()},
        told_{py::cast<Situation*>(situation_)},
        raised_{std::move(raised)} {}
  PythonRule(const PythonRule&) = delete;
  PythonRule& operator=(const PythonRule&) = delete;
  ~PythonRule() override {
    const py::gil_scoped_acquire held;
    decide_.release().dec_ref();
    situation_.release().dec_ref();
  }

  Status decide(const DecisionInput& told, DecisionAnswer& asked) override {
    const py::gil_scoped_acquire held;
    try {
      told_->open(told);
      const py::object answer = decide_(situation_);
      told_->close();
      return take(answer, told, asked);
    } catch (py::error_already_set& error) {
      told_->close();
      const std::string said = error.what();
      if (!raised_->first) raised_->first = std::current_exception();
      return fail(ErrorCode::bad_value, "", "the rule raised " + said.substr(0, said.find('\n')));
    }
  }

 private:
  static Status take(const py::object& answer, const DecisionInput& told, DecisionAnswer& asked) {
    if (asked.size() == 1) return take_one(answer, told, asked.front());
    if (!PyTuple_Check(answer.ptr()) || py::len(answer) != asked.size()) {
      return fail(ErrorCode::bad_value, "",
                  fmt::format("found an answer of type {}, expected a tuple of {} arrays",
                              Py_TYPE(answer.ptr())->tp_name, asked.size()));
    }
    for (std::size_t i = 0; i < asked.size(); ++i) {
      HOLDFAST_CHECK(take_one(py::reinterpret_borrow<py::tuple>(answer)[i], told, asked[i]));
    }
    return {};
  }

  // Takes the numbers of an answer; one number is used for all items.
  static Status take_one(const py::object& answer, const DecisionInput& told,
                         std::vector<double>& list) {
    const Numbers numbers = answer.is_none() ? Numbers() : Numbers::ensure(answer);
    if (!numbers || answer.is_none()) {
      PyErr_Clear();
      return fail(ErrorCode::bad_value, "",
                  fmt::format("found an answer of type {}, expected numbers",
                              Py_TYPE(answer.ptr())->tp_name));
    }
    if (numbers.ndim() == 0 && !told.table->is_list) {
      list.assign(told.items, *numbers.data());
    } else {
      list.assign(numbers.data(), numbers.data() + numbers.size());
    }
    return {};
  }

  py::object decide_;
  py::object situation_;
  Situation* told_;
  std::shared_ptr<Raised> raised_;
};

class PythonRuleMaker final : public RuleMaker {
 public:
  PythonRuleMaker(py::object decide, py::object situation, std::shared_ptr<Raised> raised)
      : decide_{std::move(decide)}, situation_{std::move(situation)}, raised_{std::move(raised)} {}
  PythonRuleMaker(const PythonRuleMaker&) = delete;
  PythonRuleMaker& operator=(const PythonRuleMaker&) = delete;
  ~PythonRuleMaker() override {
    const py::gil_scoped_acquire held;
    decide_.release().dec_ref();
    situation_.release().dec_ref();
  }

  [[nodiscard]] Result<std::unique_ptr<Rule>> start(const Draw& draw) const override {
    ThreadState::keep();
    const py::gil_scoped_acquire held;
    try {
      py::object decide = decide_;
      if (py::hasattr(decide, "start")) {
        decide = decide.attr("start")(py::make_tuple(draw.seed, draw.instance, draw.scenario));
      }
      return std::make_unique<PythonRule>(std::move(decide), situation_, raised_);
    } catch (py::error_already_set& error) {
      const std::string said = error.what();
      if (!raised_->first) raised_->first = std::current_exception();
      return fail(ErrorCode::bad_value, "", "the rule raised " + said.substr(0, said.find('\n')));
    }
  }

 private:
  py::object decide_;
  py::object situation_;
  std::shared_ptr<Raised> raised_;
};

}  // namespace

void Rules::add(std::string name, std::int64_t version, py::object decide, py::object situation) {
  own_.push_back(
      {std::move(name), version,
       std::make_shared<const PythonRuleMaker>(std::move(decide), std::move(situation), raised_)});
}

void Rules::rethrow() const {
  if (const std::exception_ptr first = std::exchange(raised_->first, nullptr))
    std::rethrow_exception(first);
}

void define_rules(py::module_& module) {
  py::class_<Situation>(module, "Situation", "The situation of a decision.")
      .def(py::init<>())
      .def_property_readonly("items", &Situation::items)
      .def("_scalar", &Situation::scalar)
      .def("_column", &Situation::column)
      .def("_curve", &Situation::curve);
  py::class_<Rules>(module, "Rules", "The rules of a call.")
      .def(py::init<>())
      .def("add", &Rules::add, py::arg("name"), py::arg("version"), py::arg("decide"),
           py::arg("situation"));
}

}  // namespace holdfast::python
