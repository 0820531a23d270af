#include "holdfast/python/timing.hpp"

#include "holdfast/catalog/catalog.hpp"
#include "holdfast/contract/ask.hpp"
#include "holdfast/models/failures/law.hpp"
#include "holdfast/python/failure.hpp"
#include "holdfast/python/interruptible.hpp"
#include "holdfast/python/question.hpp"
#include "holdfast/python/rules.hpp"

#include <array>
#include <chrono>
#include <span>
#include <string>
#include <thread>

namespace holdfast::python {
namespace {

template <class Work>
double seconds_of(const Work& work) {
  const auto begun = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

double hazards(const Law& law, const py::buffer& x, const py::buffer& out) {
  const py::buffer_info from = x.request();
  const py::buffer_info to = out.request(true);
  const auto size = static_cast<std::size_t>(from.size);
  return seconds_of([&] {
    law.hazards({static_cast<const double*>(from.ptr), size}, {static_cast<double*>(to.ptr), size});
  });
}

double verb(std::string_view domain_name, std::string_view verb_name, const py::dict& keywords) {
  const Domain& domain = *value_or_throw(find_domain(domain_name));
  const Verb& asked = *domain.verb(verb_name);
  Question question(domain, &asked);
  question.set_keywords(keywords);
  Request request;
  request.parameters = question.read().document;
  request.options = question.options();
  if (asked.takes_strategy) {
    request.strategy = value_or_throw(parse_strategy(domain.recommended, domain.strategies));
  }
  return seconds_of([&] { static_cast<void>(value_or_throw(ask(domain, asked, request))); });
}

/// Returns the seconds that one decision of a rule about one task takes, on a worker's thread, as in campaigns.
double decision(const py::object& decide, const py::object& situation, std::size_t count) {
  const DecisionTable& table = value_or_throw(find_domain("taskgraph"))->decision;
  Rules rules;
  rules.add("timed", 1, decide, situation);
  double seconds = 0;
  {
    const Released released;
    std::thread([&] {
      const std::array<double, 1> numbers{16};
      const std::array<std::span<const double>, 1> columns{numbers};
      const DecisionInput told{
          .table = &table, .items = 1, .scalars = numbers, .columns = columns, .evaluate = {}};
      DecisionAnswer asked(1, std::vector<double>(1));
      const auto rule = rules.own().front().maker->start({});
      seconds = seconds_of([&] {
        for (std::size_t i = 0; i < count; ++i) static_cast<void>((*rule)->decide(told, asked));
      });
    }).join();
  }
  return seconds / static_cast<double>(count);
}

}  // namespace

void define_timing(py::module_& module) {
  module.def("time_hazards", hazards, py::arg("law"), py::arg("x"), py::arg("out"));
  module.def("time_verb", verb, py::arg("domain"), py::arg("verb"), py::arg("keywords"));
  module.def("time_decision", decision, py::arg("decide"), py::arg("situation"), py::arg("count"));
}

}  // namespace holdfast::python
