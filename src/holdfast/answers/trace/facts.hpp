#pragma once

#include "holdfast/base/units.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/kernel/statistics.hpp"
#include "holdfast/traces/text/oddity.hpp"

#include <optional>
#include <string>
#include <vector>

namespace holdfast {

/// The quantities of a trace and their distributions, as numbers for programs and as texts for people.
class QuantityTable {
 public:
  QuantityTable();
  /// Adds a quantity. Durations are shown with their units, other quantities as plain numbers. Without values there is no row.
  void add(const char* name, const std::string& title, const std::vector<double>& values,
           Unit unit = Unit::seconds);
  void add(const char* name, const std::string& title, const std::optional<Summary>& summary,
           Unit unit = Unit::seconds);
  /// Writes the quantities into the answer: the member `quantities`, and a table if it has a row.
  void finish(Answer& answer);

 private:
  Table table_;
  Value document_ = Value::object();
};

/// Adds the oddities of a file and how each was treated: the member "oddities" of the document and, if there are any, a table
/// for people.
void add_oddities(const std::vector<Oddity>& oddities, Answer& answer);

/// Adds one fact of a trace: a member of the document, and a row of the answer's first table.
void add_fact(Answer& answer, const char* name, const char* title, const Value& value,
              const std::string& text);

}  // namespace holdfast
