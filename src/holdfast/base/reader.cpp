#include "holdfast/base/reader.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace holdfast {
namespace {

constexpr const char* kMissing = "is missing";

std::string found(const Value& value, std::string_view expected) {
  return fmt::format("found {}, expected {}", value.described(), expected);
}

std::string_view noun_of(Unit unit) {
  switch (unit) {
    case Unit::seconds:
      return "a duration";
    case Unit::bytes:
      return "a size";
    case Unit::bytes_per_second:
      return "a bandwidth";
    case Unit::per_second:
      return "a rate";
    case Unit::slots:
    case Unit::core_seconds:
    case Unit::none:
      break;
  }
  return "a number";
}

std::string limit(double value, Unit unit) {
  const std::string_view tail = symbol(unit);
  return tail.empty() || value == 0 ? to_text(value) : fmt::format("{} {}", value, tail);
}

std::string describe(Range range, std::string_view noun, Unit unit) {
  const bool low = std::isfinite(range.minimum);
  const bool high = std::isfinite(range.maximum);
  if (low && high && !range.above_minimum && !range.below_maximum) {
    return fmt::format("{} from {} to {}", noun, limit(range.minimum, unit),
                       limit(range.maximum, unit));
  }
  std::string out(noun);
  if (low) {
    out += range.above_minimum ? " greater than " : " of at least ";
    out += limit(range.minimum, unit);
  }
  if (high) {
    if (low) out += " and";
    out += range.below_maximum ? " less than " : " of at most ";
    out += limit(range.maximum, unit);
  }
  return out;
}

}  // namespace

bool Range::contains(double value) const {
  return (above_minimum ? value > minimum : value >= minimum) &&
         (below_maximum ? value < maximum : value <= maximum);
}

std::string Range::described(std::string_view noun) const {
  return describe(*this, noun, Unit::none);
}

Result<double> read_quantity(const Value& value, std::string_view where, Unit unit, Range range) {
  const std::string expected = describe(range, noun_of(unit), unit);
  double number = 0;
  if (value.is_number()) {
    number = value.number();
  } else if (const std::string* text = value.string()) {
    const auto parsed = parse_quantity(*text, unit);
    if (!parsed) return fail(parsed.error().code, std::string(where), parsed.error().message);
    number = *parsed;
  } else {
    return fail(ErrorCode::bad_value, std::string(where), found(value, expected));
  }
  if (!range.contains(number) || !std::isfinite(number)) {
    return fail(ErrorCode::bad_value, std::string(where), found(value, expected));
  }
  return number;
}

Result<std::int64_t> read_integer(const Value& value, std::string_view where, Range range) {
  std::int64_t whole = 0;
  bool is_whole = value.is_number() && value.get_integer(whole);
  if (const std::string* text = value.string()) {
    if (const auto parsed = parse_integer(*text)) {
      whole = *parsed;
      is_whole = true;
    }
  }
  if (!is_whole || !range.contains(static_cast<double>(whole))) {
    return fail(ErrorCode::bad_value, std::string(where),
                found(value, describe(range, "a whole number", Unit::none)));
  }
  return whole;
}

Result<std::vector<std::int64_t>> read_integers(const Value& value, std::string_view where,
                                                Range range) {
  const Value::Array* items = value.array_items();
  if (items == nullptr) {
    return fail(ErrorCode::bad_value, std::string(where), found(value, "an array"));
  }
  std::vector<std::int64_t> out;
  out.reserve(items->size());
  for (std::size_t i = 0; i < items->size(); ++i) {
    HOLDFAST_TRY(whole, read_integer((*items)[i], pointer_to(where, i), range));
    out.push_back(whole);
  }
  return out;
}

Result<std::pair<double, std::int64_t>> read_pair(const Value& value, std::string_view where,
                                                  std::string_view expected, Unit unit, Range first,
                                                  Range second) {
  const Value::Array* items = value.array_items();
  if (items == nullptr || items->size() != 2) {
    return fail(ErrorCode::bad_value, std::string(where), found(value, expected));
  }
  HOLDFAST_TRY(number, read_quantity((*items)[0], pointer_to(where, 0), unit, first));
  HOLDFAST_TRY(whole, read_integer((*items)[1], pointer_to(where, 1), second));
  return std::pair(number, whole);
}

ObjectReader::ObjectReader(const Value& object, std::string where)
    : object_{&object}, where_{std::move(where)} {
  if (object.members() == nullptr) refuse("", found(object, "an object"));
}

const Value* ObjectReader::take(std::string_view name, bool is_required) {
  known_.push_back(name);
  if (error_) return nullptr;
  const Value* value = object_->find(name);
  if (value == nullptr && is_required) {
    refuse(name, kMissing);
  }
  return value;
}

double ObjectReader::read_quantity(const Value& value, const std::string& pointer, Unit unit,
                                   Range range) {
  auto number = holdfast::read_quantity(value, pointer, unit, range);
  if (number) return *number;
  refuse(std::move(number).error());
  return 0;
}

double ObjectReader::quantity(std::string_view name, Unit unit, Range range) {
  const Value* value = take(name, true);
  return value == nullptr ? 0 : read_quantity(*value, pointer(name), unit, range);
}

double ObjectReader::quantity_or(std::string_view name, Unit unit, double fallback, Range range) {
  return optional_quantity(name, unit, range).value_or(fallback);
}

std::optional<double> ObjectReader::optional_quantity(std::string_view name, Unit unit,
                                                      Range range) {
  const Value* value = take(name, false);
  if (value == nullptr) return std::nullopt;
  return read_quantity(*value, pointer(name), unit, range);
}

double ObjectReader::number(std::string_view name, Range range) {
  return quantity(name, Unit::none, range);
}
double ObjectReader::number_or(std::string_view name, double fallback, Range range) {
  return quantity_or(name, Unit::none, fallback, range);
}
double ObjectReader::seconds(std::string_view name, Range range) {
  return quantity(name, Unit::seconds, range);
}
double ObjectReader::seconds_or(std::string_view name, double fallback, Range range) {
  return quantity_or(name, Unit::seconds, fallback, range);
}

std::int64_t ObjectReader::integer(std::string_view name, Range range) {
  const Value* value = take(name, true);
  if (value == nullptr) return 0;
  auto whole = read_integer(*value, pointer(name), range);
  if (whole) return *whole;
  refuse(std::move(whole).error());
  return 0;
}

std::int64_t ObjectReader::integer_or(std::string_view name, std::int64_t fallback, Range range) {
  if (has(name)) return integer(name, range);
  take(name, false);
  return fallback;
}

bool ObjectReader::flag_or(std::string_view name, bool fallback) {
  const Value* value = take(name, false);
  if (value == nullptr) return fallback;
  if (const bool* flag = value->boolean()) return *flag;
  refuse(name, found(*value, "true or false"));
  return fallback;
}

std::string ObjectReader::text(std::string_view name) {
  const Value* value = take(name, true);
  if (value == nullptr) return {};
  if (const std::string* text = value->string()) return *text;
  refuse(name, found(*value, "a string"));
  return {};
}

std::string ObjectReader::text_or(std::string_view name, std::string_view fallback) {
  if (has(name)) return text(name);
  take(name, false);
  return std::string(fallback);
}

std::size_t ObjectReader::choice(std::string_view name, std::span<const std::string_view> choices) {
  const Value* value = take(name, true);
  if (value == nullptr) return 0;
  const std::string* text = value->string();
  const auto match =
      text == nullptr ? choices.end() : std::find(choices.begin(), choices.end(), *text);
  if (match != choices.end()) return static_cast<std::size_t>(match - choices.begin());
  refuse(name, found(*value, fmt::format("one of {}", join(choices, ", "))),
         text == nullptr ? ErrorCode::bad_value : ErrorCode::unknown_name);
  return 0;
}

std::size_t ObjectReader::choice_or(std::string_view name,
                                    std::span<const std::string_view> choices,
                                    std::size_t fallback) {
  if (has(name)) return choice(name, choices);
  take(name, false);
  return fallback;
}

std::vector<std::string> ObjectReader::texts(std::string_view name) {
  std::vector<std::string> out;
  each(name, [&out](const Value& value, const std::string& where) -> Status {
    const std::string* text = value.string();
    if (text == nullptr) return fail(ErrorCode::bad_value, where, found(value, "a string"));
    out.push_back(*text);
    return {};
  });
  return out;
}

std::vector<double> ObjectReader::numbers(std::string_view name, Unit unit, Range range) {
  std::vector<double> out;
  each(name, [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(number, holdfast::read_quantity(value, where, unit, range));
    out.push_back(number);
    return {};
  });
  return out;
}

std::vector<std::int64_t> ObjectReader::integers(std::string_view name, Range range) {
  std::vector<std::int64_t> out;
  with(name, [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(read, read_integers(value, where, range));
    out = std::move(read);
    return {};
  });
  return out;
}

void ObjectReader::each(std::string_view name,
                        const std::function<Status(const Value&, const std::string&)>& read) {
  const Value* value = take(name, true);
  if (value == nullptr) return;
  const Value::Array* items = value->array_items();
  if (items == nullptr) return refuse(name, found(*value, "an array"));
  const std::string base = pointer(name);
  for (std::size_t i = 0; i < items->size(); ++i) {
    if (auto status = read((*items)[i], pointer_to(base, i)); !status) {
      return refuse(std::move(status).error());
    }
  }
}

void ObjectReader::each_or_none(
    std::string_view name, const std::function<Status(const Value&, const std::string&)>& read) {
  if (has(name)) return each(name, read);
  take(name, false);
}

void ObjectReader::with(std::string_view name,
                        const std::function<Status(const Value&, const std::string&)>& read) {
  const Value* value = take(name, false);
  if (value == nullptr) return;
  if (auto status = read(*value, pointer(name)); !status) refuse(std::move(status).error());
}

void ObjectReader::required(std::string_view name,
                            const std::function<Status(const Value&, const std::string&)>& read) {
  const Value* value = take(name, true);
  if (value == nullptr) return;
  if (auto status = read(*value, pointer(name)); !status) refuse(std::move(status).error());
}

void ObjectReader::ignore(std::string_view name) {
  known_.push_back(name);
}

void ObjectReader::refuse(std::string_view name, std::string message, ErrorCode code) {
  refuse(Error{code, name.empty() ? where_ : pointer(name), std::move(message)});
}

void ObjectReader::refuse(Error error) {
  if (!error_) error_ = std::move(error);
}

Status ObjectReader::finish() {
  const bool is_missing = error_ && error_->message == kMissing;
  if (error_ && !is_missing) return fail(*error_);
  for (const auto& [name, value] : *object_->members()) {
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    // What is missing may be there under a name that is nearly right.
    if (is_missing && pointer(closest(name, known_)) != error_->where) continue;
    return fail(ErrorCode::unknown_name, pointer(name),
                fmt::format("unknown field {}; {}", in_quotes(name), suggestion(name, known_)));
  }
  if (error_) return fail(*error_);
  return {};
}

Status check_header(const Value& document, std::string_view kind) {
  const Value* header = document.find("holdfast");
  if (header == nullptr) return {};
  ObjectReader read(*header, "/holdfast");
  const std::string found_kind = read.text("kind");
  const std::int64_t version = read.integer_or("version", 1, at_least(1));
  HOLDFAST_CHECK(read.finish());
  if (found_kind != kind) {
    return fail(ErrorCode::bad_value, "/holdfast/kind",
                fmt::format("found \"{}\", expected \"{}\"", found_kind, kind));
  }
  if (version != 1) {
    return fail(ErrorCode::bad_value, "/holdfast/version",
                fmt::format("found {}, expected 1: this file needs a newer holdfast", version));
  }
  return {};
}

}  // namespace holdfast
