#include "holdfast/reproduction/published.hpp"

#include "holdfast/base/file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/text/table_rows.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace holdfast::reproduction {
namespace {

struct TextColumn {
  std::string_view name;
  std::string Row::*member;
};
constexpr auto kTexts = std::to_array<TextColumn>({
    {"id", &Row::id},
    {"label", &Row::label},
    {"strategy", &Row::strategy},
    {"over", &Row::over},
    {"metric", &Row::metric},
    {"statistic", &Row::statistic},
    {"command", &Row::command},
    {"generate", &Row::generate},
    {"pointer", &Row::pointer},
    {"known", &Row::known},
});

Status set_number(std::optional<double>& into, std::string_view text) {
  HOLDFAST_TRY(number, parse_quantity(text, Unit::none));
  into = number;
  return {};
}

Status set_tolerance(std::optional<Tolerance>& into, std::string_view text) {
  HOLDFAST_TRY(tolerance, parse_tolerance(text));
  into = tolerance;
  return {};
}

// Sets a column of a row. A name that is not one of our columns is a swept parameter.
Status set_column(Row& row, std::string_view name, std::string_view text) {
  for (const TextColumn& column : kTexts) {
    if (column.name != name) continue;
    row.*column.member = text;
    return {};
  }
  if (name == "published") return set_number(row.published, text);
  if (name == "reference") return set_number(row.reference, text);
  if (name == "published_tolerance") return set_tolerance(row.published_tolerance, text);
  if (name == "reference_tolerance") return set_tolerance(row.reference_tolerance, text);
  if (name == "when") {
    HOLDFAST_TRY(conditions, parse_conditions(text));
    row.conditions = std::move(conditions);
    return {};
  }
  const auto slash = name.find('/');
  const bool has_part = slash != std::string_view::npos;
  row.filters.push_back({std::string(name.substr(0, slash)),
                         has_part ? std::string(name.substr(slash)) : std::string(),
                         std::string(text)});
  return {};
}

Result<Row> shared_row(const Value& shared) {
  Row row;
  for (const auto& [name, value] : *shared.members()) {
    const std::string* text = value.string();
    auto status = set_column(row, name, text != nullptr ? *text : to_compact_json(value));
    if (!status) return fail(status.error().code, "/columns/" + name, status.error().message);
  }
  return row;
}

}  // namespace

Result<std::vector<Row>> read_published(const std::filesystem::path& file, const Value& shared) {
  HOLDFAST_TRY(first, shared_row(shared));
  HOLDFAST_TRY(source, open_input(file));
  HOLDFAST_TRY(reader, TableRows::open_any(LineReader(std::move(source), file.string())));
  std::vector<Row> rows;
  for (;;) {
    HOLDFAST_TRY(more, reader.next());
    if (!more) return rows;
    Row row = first;
    row.place = reader.place();
    for (std::size_t i = 0; i < reader.names().size(); ++i) {
      const std::string_view text = reader.raw(i);
      if (text.empty()) continue;
      auto status = set_column(row, reader.names()[i], text);
      if (!status) return fail(status.error().code, reader.place_of(i), status.error().message);
    }
    rows.push_back(std::move(row));
  }
}

}  // namespace holdfast::reproduction
