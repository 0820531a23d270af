#include "holdfast/base/value.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace holdfast {
namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;
constexpr double kTwoTo64 = 18446744073709551616.0;

// Returns the steps of a JSON pointer, unescaped.
std::vector<std::string> steps_of(std::string_view pointer) {
  std::vector<std::string> steps;
  if (pointer.empty()) return steps;
  for (const std::string_view part : split(pointer.substr(1), '/')) {
    std::string step;
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (part[i] == '~' && i + 1 < part.size()) {
        step += part[++i] == '1' ? '/' : '~';
      } else {
        step += part[i];
      }
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

bool same_members(const Value::Object& a, const Value::Object& b) {
  if (a.size() != b.size()) return false;
  return std::all_of(a.begin(), a.end(), [&](const Value::Member& member) {
    const auto other =
        std::find_if(b.begin(), b.end(), [&](const auto& m) { return m.first == member.first; });
    return other != b.end() && other->second == member.second;
  });
}

}  // namespace

bool Value::is_number() const {
  return data_.index() >= 2 && data_.index() <= 4;
}

bool Value::is_integer() const {
  std::int64_t whole = 0;
  return get_integer(whole);
}

double Value::number() const {
  if (const auto* value = std::get_if<std::int64_t>(&data_)) return static_cast<double>(*value);
  if (const auto* value = std::get_if<std::uint64_t>(&data_)) return static_cast<double>(*value);
  const auto* value = std::get_if<double>(&data_);
  return value != nullptr ? *value : std::numeric_limits<double>::quiet_NaN();
}

bool Value::get_integer(std::int64_t& out) const {
  if (const auto* value = std::get_if<std::int64_t>(&data_)) {
    out = *value;
    return true;
  }
  if (const auto* value = std::get_if<std::uint64_t>(&data_)) {
    out = static_cast<std::int64_t>(*value);
    return *value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  }
  const auto* value = std::get_if<double>(&data_);
  if (value == nullptr || !(*value >= -kTwoTo63 && *value < kTwoTo63)) return false;
  out = static_cast<std::int64_t>(*value);
  return static_cast<double>(out) == *value;
}

bool Value::get_unsigned(std::uint64_t& out) const {
  if (const auto* value = std::get_if<std::uint64_t>(&data_)) {
    out = *value;
    return true;
  }
  if (const auto* value = std::get_if<double>(&data_)) {
    if (!(*value >= 0 && *value < kTwoTo64)) return false;
    out = static_cast<std::uint64_t>(*value);
    return static_cast<double>(out) == *value;
  }
  std::int64_t whole = 0;
  if (!get_integer(whole) || whole < 0) return false;
  out = static_cast<std::uint64_t>(whole);
  return true;
}

const Value* Value::find(std::string_view name) const {
  const Object* object = members();
  if (object == nullptr) return nullptr;
  for (const Member& member : *object) {
    if (member.first == name) return &member.second;
  }
  return nullptr;
}

Value* Value::find(std::string_view name) {
  return const_cast<Value*>(std::as_const(*this).find(name));  // NOLINT: same object, not const
}

Value& Value::set(std::string_view name, Value value) {
  if (is_null()) data_ = Object{};
  if (Value* old = find(name)) return *old = std::move(value);
  return std::get<Object>(data_).emplace_back(std::string(name), std::move(value)).second;
}

Value& Value::push(Value value) {
  if (is_null()) data_ = Array{};
  return std::get<Array>(data_).emplace_back(std::move(value));
}

void Value::erase(std::string_view name) {
  if (Object* object = members()) {
    std::erase_if(*object, [&](const Member& member) { return member.first == name; });
  }
}

const Value* Value::at(std::string_view pointer) const {
  const Value* value = this;
  for (const std::string& step : steps_of(pointer)) {
    if (const Array* items = value->array_items()) {
      std::size_t index = 0;
      const auto [end, failed] = std::from_chars(step.data(), step.data() + step.size(), index);
      if (failed != std::errc{} || end != step.data() + step.size() || index >= items->size()) {
        return nullptr;
      }
      value = &(*items)[index];
    } else {
      value = value->find(step);
      if (value == nullptr) return nullptr;
    }
  }
  return value;
}

void Value::set_at(std::string_view pointer, Value value) {
  Value* place = this;
  for (const std::string& step : steps_of(pointer)) {
    Value* next = place->find(step);
    place = next != nullptr ? next : &place->set(step, Value{});
  }
  *place = std::move(value);
}

std::string Value::described() const {
  if (is_null()) return "null";
  if (const bool* value = boolean()) return *value ? "true" : "false";
  if (const std::string* value = string()) {
    return "the string " + in_quotes(*value, '"');
  }
  if (array_items() != nullptr) return "an array";
  if (members() != nullptr) return "an object";
  return to_compact_json(*this);
}

bool operator==(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) {
    std::int64_t x = 0, y = 0;
    if (a.get_integer(x) && b.get_integer(y)) return x == y;
    return a.number() == b.number();
  }
  if (a.data_.index() != b.data_.index()) return false;
  if (const auto* members = a.members()) return same_members(*members, *b.members());
  return a.data_ == b.data_;
}

std::string pointer_to(std::string_view pointer, std::string_view name) {
  std::string out(pointer);
  out += '/';
  for (const char c : name) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

std::string pointer_to(std::string_view pointer, std::size_t index) {
  return fmt::format("{}/{}", pointer, index);
}

std::string place_in(const Value& document, std::string_view pointer) {
  // Finds the deepest value on the way that knows its line.
  std::uint32_t line = document.line();
  for (std::size_t end = 0; end < pointer.size();) {
    end = std::min(pointer.find('/', end + 1), pointer.size());
    const Value* value = document.at(pointer.substr(0, end));
    if (value == nullptr) break;
    if (value->line() != 0) line = value->line();
  }
  return line == 0 ? std::string(pointer) : fmt::format("{}: {}", line, pointer);
}

}  // namespace holdfast
