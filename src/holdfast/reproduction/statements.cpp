#include "holdfast/reproduction/statements.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>

namespace holdfast::reproduction {
namespace {

/// A set of words over which statements are repeated. A value may have several parts: {step.0}, {step.1}.
struct Set {
  std::string name;
  std::vector<std::vector<std::string>> values;
};

/// A value of a set: which set, and its parts.
struct Chosen {
  std::string_view set;
  std::span<const std::string> parts;
};

Result<std::vector<Set>> read_sets(const Value* sets) {
  std::vector<Set> out;
  if (sets == nullptr) return out;
  for (const auto& [name, values] : *sets->members()) {
    Set& set = out.emplace_back(Set{.name = name, .values = {}});
    const Value::Array* items = values.array_items();
    const std::string where = pointer_to("/sets", name);
    if (items == nullptr)
      return fail(ErrorCode::bad_value, where, "found " + values.described() + ", expected a list");
    for (const Value& item : *items) {
      std::vector<std::string>& parts = set.values.emplace_back();
      const Value::Array one =
          item.array_items() != nullptr ? *item.array_items() : Value::Array{item};
      for (const Value& part : one) {
        if (part.string() == nullptr)
          return fail(ErrorCode::bad_value, where,
                      "found " + part.described() + ", expected a text");
        parts.push_back(*part.string());
      }
    }
  }
  return out;
}

// Puts the chosen values instead of "{set}" and "{set.part}".
std::string filled(std::string text, std::span<const Chosen> chosen) {
  for (const Chosen& one : chosen) {
    for (std::size_t part = 0; part < one.parts.size(); ++part) {
      const std::string place = one.parts.size() == 1 ? fmt::format("{{{}}}", one.set)
                                                      : fmt::format("{{{}.{}}}", one.set, part);
      const std::string& word = one.parts[part];
      for (auto at = text.find(place); at != std::string::npos;
           at = text.find(place, at + word.size()))
        text.replace(at, place.size(), word);
    }
  }
  return text;
}

bool uses(std::string_view text, std::string_view set) {
  return text.find(fmt::format("{{{}}}", set)) != std::string_view::npos ||
         text.find(fmt::format("{{{}.", set)) != std::string_view::npos;
}

/// A table [[statement]] as it is written.
struct Template {
  std::string text;
  Value less;
  Value than;
  double margin = 0;
  std::string known;
};

Result<Statement::Side> side_of(const Value& value, std::span<const Chosen> chosen,
                                const std::string& where, const std::vector<Row>& rows) {
  if (value.is_number()) return Statement::Side{.row = std::nullopt, .number = value.number()};
  if (value.string() == nullptr) {
    return fail(ErrorCode::bad_value, where,
                fmt::format("found {}, expected the id of a row or a number", value.described()));
  }
  const std::string id = filled(*value.string(), chosen);
  std::vector<std::string_view> ids;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].id == id) return Statement::Side{.row = i, .number = 0};
    if (!rows[i].id.empty()) ids.push_back(rows[i].id);
  }
  return fail(ErrorCode::unknown_name, where,
              fmt::format("no row has the id {}; {}", in_quotes(id), suggestion(id, ids)));
}

/// The reader of all statements of an item.
class Reader {
 public:
  Reader(const Value& document, std::string_view variant, const std::vector<Row>& rows,
         std::vector<Set> sets)
      : known_{document.find("known")}, variant_{variant}, rows_{&rows}, sets_{std::move(sets)} {}

  Status read(const Value& value, const std::string& where) {
    ObjectReader read(value, where);
    Template made;
    made.text = read.text("text");
    made.margin = read.number_or("margin", 0);
    made.known = read.text_or("known", "");
    const std::vector<std::string> only =
        read.has("in") ? read.texts("in") : std::vector<std::string>();
    const auto keep = [](Value& side) {
      return [&side](const Value& given, const std::string&) -> Status {
        side = given;
        return {};
      };
    };
    read.required("less", keep(made.less));
    read.required("than", keep(made.than));
    HOLDFAST_CHECK(read.finish());
    if (!only.empty() && std::ranges::find(only, variant_) == only.end()) return {};
    std::vector<Chosen> chosen;
    return choose(made, where, 0, chosen);
  }
  std::vector<Statement> take() { return std::move(statements_); }

 private:
  // Makes the statement for each combination of the sets from this one on.
  Status choose(const Template& made, const std::string& where, std::size_t first,
                std::vector<Chosen>& chosen) {
    if (first == sets_.size()) return add(made, where, chosen);
    const Set& set = sets_[first];
    const auto in_side = [&](const Value& side) {
      return side.string() != nullptr && uses(*side.string(), set.name);
    };
    if (!uses(made.text, set.name) && !in_side(made.less) && !in_side(made.than))
      return choose(made, where, first + 1, chosen);
    for (const std::vector<std::string>& parts : set.values) {
      chosen.push_back({set.name, parts});
      HOLDFAST_CHECK(choose(made, where, first + 1, chosen));
      chosen.pop_back();
    }
    return {};
  }

  Status add(const Template& made, const std::string& where, std::span<const Chosen> chosen) {
    Statement statement{.text = filled(made.text, chosen),
                        .less = {},
                        .than = {},
                        .margin = made.margin,
                        .known = made.known};
    HOLDFAST_TRY(less, side_of(made.less, chosen, where + "/less", *rows_));
    HOLDFAST_TRY(than, side_of(made.than, chosen, where + "/than", *rows_));
    statement.less = less;
    statement.than = than;
    const Value* known = known_ != nullptr ? known_->find(statement.text) : nullptr;
    if (known != nullptr && known->string() != nullptr) statement.known = *known->string();
    statements_.push_back(std::move(statement));
    return {};
  }

  const Value* known_;
  std::string_view variant_;
  const std::vector<Row>* rows_;
  std::vector<Set> sets_;
  std::vector<Statement> statements_;
};

}  // namespace

Result<std::vector<Statement>> read_statements(const Value& document, std::string_view variant,
                                               const std::vector<Row>& rows) {
  HOLDFAST_TRY(sets, read_sets(document.find("sets")));
  Reader reader(document, variant, rows, std::move(sets));
  const Value* tables = document.find("statement");
  if (tables == nullptr) return std::vector<Statement>();
  if (tables->array_items() == nullptr)
    return fail(ErrorCode::bad_value, "/statement",
                "found " + tables->described() + ", expected tables");
  for (std::size_t i = 0; i < tables->array_items()->size(); ++i)
    HOLDFAST_CHECK(reader.read((*tables->array_items())[i], pointer_to("/statement", i)));
  std::vector<Statement> out = reader.take();
  const Value* known = document.find("known");
  for (const auto& [text, reason] : known != nullptr ? *known->members() : Value::Object{}) {
    if (std::ranges::find(out, text, &Statement::text) == out.end())
      return fail(ErrorCode::unknown_name, pointer_to("/known", text),
                  "is no statement of this item");
  }
  return out;
}

}  // namespace holdfast::reproduction
