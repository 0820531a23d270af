#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/program.hpp"

#include <string>
#include <vector>

namespace holdfast::cli {

/// Holds what commands print to the schemas of their documents. Unlike a validator of JSON Schema, it takes a member that the
/// schema does not name for a mistake.
class Documents {
 public:
  /// Takes the schemas of all verbs of these domains.
  explicit Documents(Domains known) : schemas_{schemas(known)} {}

  /// Returns the differences between a document and the schema of the command that printed it. A command that has no schema, and
  /// an output that is no JSON, have none.
  /// @param words  the command line without the name of the program
  [[nodiscard]] std::vector<std::string> faults(const std::vector<std::string>& words,
                                                const std::string& output);

  /// Returns the number of documents that were held to a schema, by command.
  [[nodiscard]] const Value& counts() const { return counts_; }
  /// Returns the schemas by command.
  [[nodiscard]] const Value& known() const { return schemas_; }

 private:
  Value schemas_;
  Value counts_ = Value::object();
};

}  // namespace holdfast::cli
