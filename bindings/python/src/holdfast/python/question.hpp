#pragma once

#include "holdfast/answers/asked_instance.hpp"
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

/// What somebody asks a domain from Python, sorted by the tables of the domain: keywords are options of the verb, fields of
/// the instance, parameters of strategies, or members of the document.
class Question {
 public:
  /// @param verb  null for simulate
  Question(const Domain& domain, const Verb* verb);

  /// The instance: a path, a mapping, or nothing.
  void set_instance(py::handle instance);
  void set_positionals(const py::sequence& positionals);
  void set_keywords(const py::dict& keywords);

  /// The document that is meant, and where its relative paths start. @throws Failure
  [[nodiscard]] AskedInstance::Input read() const;
  /// The verb's own options; parameters that hold for all strategies. @throws Failure
  [[nodiscard]] Value options() const;
  [[nodiscard]] Value shared() const;
  /// An error about the document as one about what was given; with what to do where nothing was.
  [[noreturn]] void refuse(Error error, const Value& document) const;

  [[nodiscard]] const Domain& domain() const { return *domain_; }
  [[nodiscard]] const Verb* verb() const { return verb_; }

 private:
  void add(std::vector<Argument>& list, const Parameter& parameter, Value value);
  void add_member(std::string_view pointer, Value value);
  bool give(const std::string& name, py::handle value);
  [[noreturn]] void refuse_keyword(const std::string& name) const;

  const Domain* domain_;
  const Verb* verb_;
  AskedInstance asked_;
  std::vector<Argument> own_;
  std::vector<Argument> shared_;
  std::vector<std::pair<std::string, Value>> members_;  // pointers, and what goes there as it is
};

void define_questions(py::module_& module);

}  // namespace holdfast::python
