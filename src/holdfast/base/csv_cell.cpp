#include "holdfast/base/csv_cell.hpp"

#include "holdfast/base/units.hpp"

namespace holdfast {
namespace {

constexpr std::string_view kFormulaStarts = "=+-@\t\r";

bool is_formula(std::string_view text) {
  return !text.empty() && kFormulaStarts.find(text.front()) != std::string_view::npos &&
         !parse_quantity(text, Unit::none);
}

}  // namespace

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") != std::string_view::npos) return quoted_csv_cell(text);
  return is_formula(text) ? "'" + std::string(text) : std::string(text);
}

std::string quoted_csv_cell(std::string_view text) {
  std::string out = is_formula(text) ? "\"'" : "\"";
  for (const char c : text) {
    if (c == '"') out += c;
    out += c;
  }
  return out + '"';
}

std::string_view from_csv_cell(std::string_view cell) {
  if (cell.starts_with('\'') && is_formula(cell.substr(1))) cell.remove_prefix(1);
  return cell;
}

}  // namespace holdfast
