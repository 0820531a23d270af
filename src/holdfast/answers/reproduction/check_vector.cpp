#include "holdfast/answers/reproduction/check_vector.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/contract/parameter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace holdfast {
namespace {

struct Tolerance {
  double absolute = 0;
  double relative = 0;

  [[nodiscard]] bool accepts(double found, double expected) const {
    return std::abs(found - expected) <= std::max(absolute, relative * std::abs(expected));
  }
  [[nodiscard]] std::string described() const {
    if (relative > 0) return fmt::format(" within {} of it", relative);
    return absolute > 0 ? fmt::format(" within {}", absolute) : std::string();
  }
};

// Returns a number, or that of a text such as "301/500".
std::optional<double> as_number(const Value& value) {
  if (value.is_number()) return value.number();
  if (const std::string* text = value.string()) {
    if (const auto parsed = parse_quantity(*text, Unit::none)) return *parsed;
  }
  return std::nullopt;
}

std::string shown_value(const Value* value) {
  if (value == nullptr) return "nothing";
  std::string text = to_compact_json(*value);
  constexpr std::size_t kLongest = 120;
  return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
}

void compare_values(const Value* found, const Value& expected, Tolerance tolerance,
                    const std::string& pointer, std::vector<Mismatch>& out) {
  const Value::Array* wanted = expected.array_items();
  const Value::Array* got = found == nullptr ? nullptr : found->array_items();
  if (wanted != nullptr && got != nullptr) {
    if (wanted->size() != got->size()) {
      out.push_back(
          {pointer, fmt::format("{} elements", wanted->size()), fmt::format("{}", got->size())});
      return;
    }
    for (std::size_t i = 0; i < wanted->size(); ++i) {
      compare_values(&(*got)[i], (*wanted)[i], tolerance, pointer_to(pointer, i), out);
    }
    return;
  }
  const auto number = as_number(expected);
  const bool holds = found != nullptr && found->is_number() && number
                         ? tolerance.accepts(found->number(), *number)
                         : found != nullptr && *found == expected;
  if (!holds)
    out.push_back({pointer, shown_value(&expected) + tolerance.described(), shown_value(found)});
}

// Returns true for commands that only answer. Vectors may come from anywhere, so they may neither write files nor start another
// verification. Their options are checked where options are interpreted (by a console that allows only answers).
bool only_answers(std::string_view command) {
  constexpr std::array<std::string_view, 4> kDoMore = {"run", "report", "reproduce", "verify"};
  const auto words = split(trim(command), ' ');
  return std::find(kDoMore.begin(), kDoMore.end(), words.front()) == kDoMore.end() &&
         std::none_of(words.begin(), words.end(), [](auto word) { return word.starts_with('-'); });
}

// Returns the first line of standard error, without the program's name.
std::string complaint(const std::string& errors) {
  constexpr std::string_view kName = "holdfast: ";
  std::string_view line = std::string_view(errors).substr(0, errors.find('\n'));
  if (line.starts_with(kName)) line.remove_prefix(kName.size());
  return line.empty() ? std::string() : fmt::format(" ({})", line);
}

std::vector<Mismatch> check_error(const Value& expected, int status, const std::string& message) {
  const auto wanted = as_number(expected);
  if (wanted && *wanted == status) return {};
  return {{"", fmt::format("exit status {}", shown_value(&expected)),
           fmt::format("exit status {}{}", status, complaint(message))}};
}

}  // namespace

std::string option_text(const Value& value) {
  if (const std::string* text = value.string()) return *text;
  if (const Value::Array* items = value.array_items()) {
    std::vector<std::string> parts;
    for (const Value& item : *items) parts.push_back(option_text(item));
    return join(parts, ",");
  }
  return to_compact_json(value);
}

Result<std::vector<CheckVector>> read_vectors(const Value& document) {
  HOLDFAST_CHECK(check_header(document, "vectors"));
  ObjectReader read(document, "");
  read.ignore("holdfast");
  std::vector<CheckVector> vectors;
  read.each("vectors", [&vectors](const Value& row, const std::string& where) -> Status {
    ObjectReader item(row, where);
    CheckVector vector;
    vector.why = item.text_or("why", "");
    vector.command = item.text("command");
    if (!only_answers(vector.command)) {
      item.refuse("command",
                  fmt::format("found {}, expected a verb of a domain or of trace, without options",
                              in_quotes(vector.command)));
    }
    vector.strategy = item.text_or("strategy", "");
    const auto object = [](Value& into) {
      return [&into](const Value& value, const std::string& at) -> Status {
        if (value.members() == nullptr) {
          return fail(ErrorCode::bad_value, at,
                      fmt::format("found {}, expected an object", value.described()));
        }
        into = value;
        return {};
      };
    };
    item.with("options", object(vector.options));
    item.with("instance", [&vector](const Value& value, const std::string&) -> Status {
      vector.instance = value;
      return {};
    });
    item.required("expect", object(vector.expect));
    HOLDFAST_CHECK(item.finish());
    vectors.push_back(std::move(vector));
    return {};
  });
  HOLDFAST_CHECK(read.finish());
  return vectors;
}

Result<std::vector<Mismatch>> compare(const Value* found, const Value& expected,
                                      const std::string& pointer) {
  std::vector<Mismatch> mismatches;
  if (expected.members() == nullptr) {
    compare_values(found, expected, {}, pointer, mismatches);
    return mismatches;
  }
  ObjectReader read(expected, pointer);
  if (read.flag_or("absent", false)) {
    HOLDFAST_CHECK(read.finish());
    if (found != nullptr) mismatches.push_back({pointer, "nothing", shown_value(found)});
    return mismatches;
  }
  Tolerance tolerance;
  tolerance.absolute = read.number_or("absolute", 0, non_negative());
  tolerance.relative = read.number_or("relative", 0, non_negative());
  const Value* value = expected.find("value");
  read.required("value", [](const Value&, const std::string&) -> Status { return {}; });
  HOLDFAST_CHECK(read.finish());
  compare_values(found, *value, tolerance, pointer, mismatches);
  return mismatches;
}

std::vector<std::string> arguments_of(const CheckVector& vector) {
  std::vector<std::string> arguments;
  for (const std::string_view word : split(vector.command, ' ')) {
    if (!word.empty()) arguments.emplace_back(word);
  }
  if (!vector.instance.is_null()) arguments.insert(arguments.end(), {"--instance", "-"});
  if (!vector.strategy.empty()) arguments.insert(arguments.end(), {"--strategy", vector.strategy});
  for (const auto& [name, value] : *vector.options.members()) {
    const bool* flag = value.boolean();
    if (flag != nullptr && !*flag) continue;
    arguments.push_back(option_name(name));
    if (flag == nullptr) arguments.push_back(option_text(value));
  }
  arguments.emplace_back("--json");
  return arguments;
}

std::vector<Mismatch> judge(const CheckVector& vector, int status, const std::string& out,
                            const std::string& err) {
  const Value* error = vector.expect.find("error");
  if (error != nullptr && vector.expect.members()->size() == 1)
    return check_error(*error, status, err);
  const auto document = parse_json(out);
  if (!document || (status != 0 && status != 1)) {
    return {{"", "a document", fmt::format("exit status {}{}", status, complaint(err))}};
  }
  std::vector<Mismatch> mismatches;
  for (const auto& [pointer, expected] : *vector.expect.members()) {
    auto found = compare(document->at(pointer), expected, pointer);
    if (!found) return {{pointer, "a well-formed expectation", found.error().text()}};
    mismatches.insert(mismatches.end(), found->begin(), found->end());
  }
  return mismatches;
}

}  // namespace holdfast
