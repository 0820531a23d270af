#pragma once

#include "holdfast/contract/decision.hpp"
#include "holdfast/python/python.hpp"

#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace holdfast::python {

/// What a rule raised, until the call that runs it has ended. Read and written with the interpreter's lock.
struct Raised {
  std::exception_ptr first;
};

/// The rules that a call brings: what its strategies `custom:name=NAME` mean.
class Rules {
 public:
  /// @param decide     a function of a situation, or an object with start(draw)
  /// @param situation  the class of what it is told, made by holdfast/rules.py from the domain's table
  void add(std::string name, std::int64_t version, py::object decide, py::object situation);
  [[nodiscard]] std::span<const OwnRule> own() const { return own_; }
  /// Throws what one of the rules raised, with its own traceback; then it is as if nothing had been.
  void rethrow() const;

 private:
  std::shared_ptr<Raised> raised_ = std::make_shared<Raised>();
  std::vector<OwnRule> own_;
};

void define_rules(py::module_& module);

}  // namespace holdfast::python
