#include "holdfast/base/limits.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/value.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <unordered_set>

namespace holdfast {
namespace {

// A value takes 48 bytes or more. Long lists have at least 8 bytes of text for each value; a document that was made to exhaust
// memory has less.
constexpr std::size_t kAlwaysRead = std::size_t{1} << 23;
constexpr std::size_t kTextPerValue = 8;

// Builds a Value from the events of the JSON library, and stops at the first thing that a strict reader refuses.
class Builder {
 public:
  explicit Builder(std::string_view text) : text_{text} {}

  bool null() { return put(Value{}); }
  bool boolean(bool value) { return put(Value{value}); }
  bool number_integer(std::int64_t value) { return put(Value{value}); }
  bool number_unsigned(std::uint64_t value) {
    constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();
    return put(value <= kLargest ? Value{static_cast<std::int64_t>(value)} : Value{value});
  }
  bool number_float(double value, const std::string& text) {
    if (!std::isfinite(value))
      return refuse(fmt::format("found {}, which no double can hold", text));
    return put(Value{value});
  }
  bool string(std::string& value) { return put(Value{std::move(value)}); }
  bool binary(nlohmann::json::binary_t& /*value*/) { return false; }

  bool start_object(std::size_t /*size*/) { return open(Value::object()); }
  bool start_array(std::size_t /*size*/) { return open(Value::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    Level& level = levels_.back();
    if (is_duplicate(level, name)) {
      return refuse(fmt::format("found the key {} twice in one object", in_quotes(name, '"')));
    }
    level.key = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::json::exception& error) {
    // The library's text: "[json.exception.parse_error.101] parse error at line 1, column 2: ...".
    std::string what = error.what();
    if (const auto colon = what.find(": "); colon != std::string::npos) what.erase(0, colon + 2);
    if (const auto end = what.find("] "); what.starts_with("[json") && end != std::string::npos) {
      what.erase(0, end + 2);
    }
    shorten_token(what);
    position_ = std::min(position, text_.size());
    return refuse(std::move(what));
  }

  [[nodiscard]] Result<Value> result() {
    if (!failed_) return std::move(root_);
    if (position_ == 0) return fail(ErrorCode::bad_format, place_, message_);
    const auto head = text_.substr(0, position_);
    const auto line = 1 + std::count(head.begin(), head.end(), '\n');
    const auto newline = head.rfind('\n');
    const std::size_t column =
        newline == std::string_view::npos ? position_ : position_ - newline - 1;
    return fail(ErrorCode::bad_format, fmt::format("{}, column {}", line, column), message_);
  }

 private:
  struct Level {
    Value value;
    std::string key;
    std::unordered_set<std::string> names;  // used only if an object has many members
  };

  // Small objects are searched; a set pays off only for large ones.
  static bool is_duplicate(Level& level, const std::string& name) {
    constexpr std::size_t kSmall = 32;
    const Value::Object& members = *level.value.members();
    if (members.size() < kSmall) return level.value.find(name) != nullptr;
    if (level.names.empty()) {
      for (const auto& member : members) level.names.insert(member.first);
    }
    return !level.names.insert(name).second;
  }

  bool put(Value value) {
    if (++values_ > std::max(kAlwaysRead, text_.size() / kTextPerValue)) {
      return refuse(
          fmt::format("found more than {} values, expected at most so many", values_ - 1));
    }
    if (levels_.empty()) {
      root_ = std::move(value);
      return true;
    }
    Level& level = levels_.back();
    if (Value::Array* items = level.value.array_items()) {
      items->push_back(std::move(value));
    } else {
      level.value.members()->emplace_back(std::move(level.key), std::move(value));
      level.key.clear();
    }
    return true;
  }

  bool open(Value value) {
    if (levels_.size() >= kDeepestNesting) {
      return refuse(fmt::format("found nesting deeper than {} levels", kDeepestNesting));
    }
    levels_.push_back({std::move(value), {}, {}});
    return true;
  }

  bool close() {
    Value value = std::move(levels_.back().value);
    levels_.pop_back();
    return put(std::move(value));
  }

  // "...; last read: 'TOKEN'; expected ...", where the token may be as long as the file.
  static void shorten_token(std::string& what) {
    constexpr std::string_view kBefore = "last read: '";
    const auto before = what.find(kBefore);
    if (before == std::string::npos) return;
    const auto begin = before + kBefore.size();
    const auto end = what.rfind('\'', what.rfind("; expected "));
    if (end == std::string::npos || end < begin) return;
    const std::string token = in_quotes(std::string_view(what).substr(begin, end - begin));
    what.replace(begin - 1, end + 1 - (begin - 1), token);
  }

  std::string pointer() const {
    std::string out;
    for (const Level& level : levels_) {
      const Value::Array* items = level.value.array_items();
      if (items != nullptr) {
        out = pointer_to(out, items->size());
      } else if (!level.key.empty()) {
        out = pointer_to(out, level.key);  // empty before the object has its next key
      }
    }
    return out;
  }

  bool refuse(std::string message) {
    failed_ = true;
    place_ = levels_.size() < kDeepestNesting ? pointer() : "";
    message_ = std::move(message);
    return false;
  }

  std::string_view text_;
  Value root_;
  std::vector<Level> levels_;
  std::size_t values_ = 0;
  bool failed_ = false;
  std::size_t position_ = 0;
  std::string place_;
  std::string message_;
};

// Names may come from files in other encodings, but a document is UTF-8.
void write_string(std::string& out, std::string_view text) {
  if (find_not_utf8(text) != std::string_view::npos) return write_string(out, as_utf8(text));
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

void write_number(std::string& out, const Value& value) {
  const auto put = [&](auto number) { fmt::format_to(std::back_inserter(out), "{}", number); };
  std::int64_t whole = 0;
  std::uint64_t large = 0;
  // Up to 2^53, where every whole number is exact, a whole double is printed as an integer.
  constexpr double kExact = 0x1p53;
  if (value.is_real() && std::abs(value.number()) > kExact) {
    put(value.number());
  } else if (value.get_integer(whole)) {
    put(whole);
  } else if (!value.is_real() && value.get_unsigned(large)) {
    put(large);
  } else {
    assert(std::isfinite(value.number()) && "NaN and infinity have no place in a document");
    put(value.number());
  }
}

bool is_plain(const Value& value) {
  return value.array_items() == nullptr && value.members() == nullptr;
}

// Writes a value. With indent < 0, everything is on one line, without blanks.
void write(std::string& out, const Value& value, int indent) {
  const auto new_line = [&](int level) {
    if (level >= 0) out.append("\n").append(static_cast<std::size_t>(2 * level), ' ');
  };
  const int inner = indent < 0 ? -1 : indent + 1;
  if (const auto* members = value.members()) {
    out += '{';
    bool first = true;
    for (const auto& [name, member] : *members) {
      if (!first) out += ',';
      first = false;
      new_line(inner);
      write_string(out, name);
      out += indent < 0 ? ":" : ": ";
      write(out, member, inner);
    }
    if (!first) new_line(indent);
    out += '}';
  } else if (const auto* items = value.array_items()) {
    const bool flat = indent < 0 || std::all_of(items->begin(), items->end(), is_plain);
    out += '[';
    bool first = true;
    for (const Value& item : *items) {
      if (!first) out += flat && indent >= 0 ? ", " : ",";
      first = false;
      if (!flat) new_line(inner);
      write(out, item, flat && indent >= 0 ? 0 : inner);
    }
    if (!first && !flat) new_line(indent);
    out += ']';
  } else if (const std::string* text = value.string()) {
    write_string(out, *text);
  } else if (const bool* flag = value.boolean()) {
    out += *flag ? "true" : "false";
  } else if (value.is_null()) {
    out += "null";
  } else {
    write_number(out, value);
  }
}

}  // namespace

Result<Value> parse_json(std::string_view text) {
  HOLDFAST_CHECK(check_utf8(text));
  Builder builder(text);
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  return builder.result();
}

std::string to_json(const Value& value) {
  std::string out;
  write(out, value, 0);
  return out;
}

std::string to_compact_json(const Value& value) {
  std::string out;
  write(out, value, -1);
  return out;
}

}  // namespace holdfast
