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

/// The exception that a rule raised, kept until the call that runs the rule has ended. It is read and written with the
/// interpreter's lock.
struct Raised {
  std::exception_ptr first;
};

/// The rules of a call, to which its strategies `custom:name=NAME` refer.
class Rules {
 public:
  /// @param decide     a function of a situation, or an object with start(draw)
  /// Adds a rule.
  /// @param situation  the class of its situations, made by holdfast/rules.py from the domain's table
  void add(std::string name, std::int64_t version, py::object decide, py::object situation);
  [[nodiscard]] std::span<const OwnRule> own() const { return own_; }
  /// Throws the exception that one of the rules raised, with its own traceback, and forgets it.
  void rethrow() const;

 private:
  std::shared_ptr<Raised> raised_ = std::make_shared<Raised>();
  std::vector<OwnRule> own_;
};

void define_rules(py::module_& module);

}  // namespace holdfast::python
