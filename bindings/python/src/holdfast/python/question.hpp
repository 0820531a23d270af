#pragma once

#include "holdfast/answers/asked/asked_instance.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/decision.hpp"
#include "holdfast/contract/domain.hpp"
#include "holdfast/python/python.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::python {

/// A question to a domain from Python. The tables of the domain decide what a keyword is: an option of the verb, a field of the
/// instance, a parameter of strategies, or a member of the document.
class Question {
 public:
  /// @param verb  null for simulate
  Question(const Domain& domain, const Verb* verb);

  /// Sets the instance: a path, a mapping, or None.
  void set_instance(py::handle instance);
  void set_positionals(const py::sequence& positionals);
  void set_keywords(const py::dict& keywords);

  /// Returns the document, and the folder to which its relative paths refer. @throws Failure
  [[nodiscard]] AskedInstance::Input read();
  /// Returns the verb's own options. @throws Failure
  [[nodiscard]] Value options() const;
  /// Returns the parameters that hold for all strategies. @throws Failure
  [[nodiscard]] Value shared() const;
  /// Throws an error about the document as an error about the arguments of the call, with a remedy if no instance was given.
  [[noreturn]] void refuse(Error error, const Value& document) const;

  [[nodiscard]] const Domain& domain() const { return *domain_; }
  [[nodiscard]] const Verb* verb() const { return verb_; }

 private:
  void add(std::vector<Argument>& list, const Parameter& parameter, Value value);
  void add_member(std::string_view pointer, Value value);
  bool give(const std::string& name, py::handle value);
  /// Returns the options of the verb and the fields that are given alone.
  [[nodiscard]] std::vector<std::string> known_keywords() const;

  const Domain* domain_;
  const Verb* verb_;
  AskedInstance asked_;
  std::vector<Argument> own_;
  std::vector<Argument> shared_;
  std::vector<std::pair<std::string, Value>> members_;  // pointers and their unchanged values
};

/// Returns the options of a verb that belongs to no domain, from keywords. @throws Failure
[[nodiscard]] Value options_of(const Verb& verb, const py::dict& keywords);

void define_questions(py::module_& module);

}  // namespace holdfast::python
