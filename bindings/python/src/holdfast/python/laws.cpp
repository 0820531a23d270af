#include "holdfast/python/laws.hpp"

#include "holdfast/kernel/random.hpp"
#include "holdfast/models/failures/law.hpp"
#include "holdfast/python/failure.hpp"
#include "holdfast/python/interruptible.hpp"
#include "holdfast/python/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace holdfast::python {
namespace {

constexpr std::size_t kLong = 4096;  // from this length on, other threads may run Python meanwhile
constexpr std::size_t kPart = 1024;  // number of elements that are computed at a time

/// The interval in which a function of a law is defined.
struct Where {
  double least = 0;
  bool above = false;       ///< true: `least` itself is refused
  double below = INFINITY;  ///< this number and larger ones are refused

  [[nodiscard]] bool holds(double x) const {
    const bool is_enough = above ? x > least : x >= least;
    return x < below && is_enough;
  }
  [[nodiscard]] std::string expected() const {
    std::string out = fmt::format("a number {} {}", above ? "greater than" : "of at least", least);
    if (std::isfinite(below)) out += fmt::format(" and less than {}", below);
    return out;
  }
};

constexpr Where kAge{};
constexpr Where kPositive{.least = 0, .above = true};
constexpr Where kProbability{.least = 0, .above = false, .below = 1};

[[noreturn]] void refuse(const std::string& where, double x, const Where& domain) {
  throw Failure{
      {ErrorCode::bad_value, where, fmt::format("found {}, expected {}", x, domain.expected())}};
}

/// The doubles of an array; the caller in Python has made it contiguous.
class Doubles {
 public:
  Doubles(const py::buffer& array, bool writable) {
    const int flags = writable ? PyBUF_WRITABLE : PyBUF_SIMPLE;
    if (PyObject_GetBuffer(array.ptr(), &view_, flags) != 0) throw py::error_already_set();
  }
  Doubles(const Doubles&) = delete;
  Doubles& operator=(const Doubles&) = delete;
  ~Doubles() { PyBuffer_Release(&view_); }

  [[nodiscard]] std::span<double> span() const {
    return {static_cast<double*>(view_.buf), static_cast<std::size_t>(view_.len) / sizeof(double)};
  }

 private:
  Py_buffer view_{};
};

/// Refuses an array with a number outside the domain.
/// @param first  the position of x in the whole array
void check(std::span<const double> x, const Where& domain, std::size_t first) {
  bool all = true;  // without a branch per number, a check costs little more than reading
  for (const double one : x) all &= domain.holds(one);
  if (all) return;
  const auto wrong = std::ranges::find_if_not(x, [&](double one) { return domain.holds(one); });
  const auto place = first + static_cast<std::size_t>(wrong - x.begin());
  refuse(fmt::format("x[{}]", place), *wrong, domain);
}

/// Calls work(x, out) on two contiguous arrays of doubles of one size, part by part, so that a part that was just checked is
/// still in the cache.
template <class Work>
void on_arrays(const py::buffer& x, const py::buffer& out, const Where& domain, const Work& work) {
  const Doubles from(x, false);
  const Doubles to(out, true);
  const std::span<const double> places = from.span();
  const std::span<double> results = to.span();
  if (results.size() != places.size()) throw py::value_error("found arrays of different sizes");
  const auto all = [&] {
    for (std::size_t first = 0; first < places.size(); first += kPart) {
      const std::size_t count = std::min(kPart, places.size() - first);
      check(places.subspan(first, count), domain, first);
      work(places.subspan(first, count), results.subspan(first, count));
    }
  };
  if (places.size() < kLong) return all();
  const Released released;
  all();
}

using One = double (Law::*)(double) const;

template <One one>
void add_one(py::class_<Law>& law, const std::string& name, const Where& domain) {
  law.def(name.c_str(), [domain](const Law& self, double x) {
    if (!domain.holds(x)) refuse("x", x, domain);
    return (self.*one)(x);
  });
}

/// Adds a function of one number: `name` for a float, `name`_array for arrays.
template <One one>
void add_function(py::class_<Law>& law, const std::string& name, const Where& domain) {
  add_one<one>(law, name, domain);
  law.def((name + "_array").c_str(),
          [domain](const Law& self, const py::buffer& x, const py::buffer& out) {
            on_arrays(x, out, domain, [&self](std::span<const double> from, std::span<double> to) {
              for (std::size_t i = 0; i < from.size(); ++i) to[i] = (self.*one)(from[i]);
            });
          });
}

template <void (Law::*many)(std::span<const double>, std::span<double>) const>
void add_many(py::class_<Law>& law, const char* name, const Where& domain) {
  law.def(name, [domain](const Law& self, const py::buffer& x, const py::buffer& out) {
    on_arrays(x, out, domain, [&self](std::span<const double> from, std::span<double> to) {
      (self.*many)(from, to);
    });
  });
}

// Draws lifetimes with one uniform number each, from the stream of tools.
std::shared_ptr<Block> sample(const Law& law, std::int64_t size, std::uint64_t seed,
                              std::uint64_t scenario) {
  if (size < 0)
    throw Failure{
        {ErrorCode::bad_value, "size=", fmt::format("found {}, expected at least 0", size)}};
  std::vector<double> out(static_cast<std::size_t>(size));
  Stream stream(
      {.seed = seed, .purpose = Purpose::tool, .instance = 0, .scenario = scenario, .entity = 0});
  for (double& life : out) life = law.draw(stream);
  return Block::of(std::move(out), {static_cast<py::ssize_t>(size)});
}

double mean_of_minimum(const Law& law, std::int64_t processors) {
  if (processors < 1)
    throw Failure{{ErrorCode::bad_value,
                   "processors=", fmt::format("found {}, expected at least 1", processors)}};
  return law.mean_of_minimum(processors);
}

}  // namespace

void define_laws(py::module_& module) {
  py::class_<Law> law(module, "Law", "A law of the time between failures.");
  law.def(py::init([](py::handle document, const std::string& directory) {
            return value_or_throw(read_law(to_value(document, ""), "", directory));
          }),
          py::arg("document"), py::arg("directory") = ".");
  add_one<&Law::cumulative_hazard>(law, "cumulative_hazard", kAge);
  add_one<&Law::hazard>(law, "hazard", kPositive);
  add_function<&Law::survival>(law, "survival", kAge);
  add_function<&Law::density>(law, "density", kPositive);
  add_function<&Law::mean_residual_life>(law, "mean_residual_life", kAge);
  add_function<&Law::quantile>(law, "quantile", kProbability);
  add_function<&Law::inverse_cumulative_hazard>(law, "inverse_cumulative_hazard", kAge);
  add_many<&Law::cumulative_hazards>(law, "cumulative_hazard_array", kAge);
  add_many<&Law::hazards>(law, "hazard_array", kPositive);
  law.def("residual", [](const Law& self, double age, double y) {
    if (!kAge.holds(age)) refuse("age=", age, kAge);
    if (!kAge.holds(y)) refuse("y=", y, kAge);
    return self.residual(age, y);
  });
  law.def("mean", &Law::mean);
  law.def("mean_of_minimum", mean_of_minimum, py::arg("processors"));
  law.def("sample", sample, py::arg("size"), py::arg("seed"), py::arg("scenario"));
  law.def("document", [](const Law& self) { return to_python(self.description()); });
  law.def("text", &Law::text);
  module.def("law_rows", [] {
    py::list out;
    for (const LawEntry& entry : laws()) {
      out.append(py::make_tuple(std::string(entry.name), std::string(entry.summary),
                                std::string(entry.fields)));
    }
    return out;
  });
}

}  // namespace holdfast::python
