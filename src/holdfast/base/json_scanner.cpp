#include "holdfast/base/json_scanner.hpp"

#include "holdfast/base/limits.hpp"
#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <charconv>
#include <cmath>
#include <utility>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace holdfast {
namespace {

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// Returns true for the bytes that end a run of plain characters inside a string.
constexpr std::array<bool, 256> stops() {
  std::array<bool, 256> out{};
  for (std::size_t c = 0; c < 0x20; ++c) out[c] = true;
  out[static_cast<std::size_t>('"')] = out[static_cast<std::size_t>('\\')] = true;
  return out;
}
constexpr std::array<bool, 256> kStops = stops();

// Most of a document is texts and indentation. They are passed many characters at a time, with instructions that every x86-64
// processor has, or one by one on other processors.
#ifdef __SSE2__
constexpr std::size_t kLane = 16;

/// Returns how many of the next 16 characters are plain, up to the first that is not.
std::size_t plain_run(const char* text) {
  const __m128i chars = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
  const __m128i quotes = _mm_cmpeq_epi8(chars, _mm_set1_epi8('"'));
  const __m128i escapes = _mm_cmpeq_epi8(chars, _mm_set1_epi8('\\'));
  const __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(chars, _mm_set1_epi8(0x1F)), chars);
  const int found = _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, escapes), controls));
  return std::min(kLane, static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(found))));
}
/// Returns how many of the next 16 characters are spaces, up to the first that is not.
std::size_t space_run(const char* text) {
  const __m128i chars = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
  const int found = _mm_movemask_epi8(_mm_cmpeq_epi8(chars, _mm_set1_epi8(' ')));
  return static_cast<std::size_t>(std::countr_one(static_cast<unsigned>(found)));
}
#endif

constexpr bool is_number_character(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | (code >> 6));
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3F));
    put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

/// Returns the value of four hexadecimal digits, or 2^32 - 1 if there are not four.
std::uint32_t hexadecimal(std::string_view digits) {
  std::uint32_t out = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, out, 16);
  return digits.size() == 4 && stop == end && error == std::errc{} ? out : ~std::uint32_t{0};
}

/// Returns true if a text is a number as JSON writes it: no leading zeros, no bare point.
bool is_json_number(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t from = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at - from;
  };
  const bool leads_with_zero = at < text.size() && text[at] == '0';
  const std::size_t whole = digits();
  if (whole == 0 || (leads_with_zero && whole > 1)) return false;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (digits() == 0) return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits() == 0) return false;
  }
  return at == text.size();
}

}  // namespace

JsonScanner::JsonScanner(std::string_view text) : text_{text} {
  if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  if (const Status status = check_utf8(text_); !status) {
    at_ = find_not_utf8(text_);
    refuse(status.error().message);
  }
}

inline void JsonScanner::blanks() {
  if (at_ >= text_.size() || !is_blank(text_[at_])) return;
  ++at_;
#ifdef __SSE2__
  while (at_ + kLane <= text_.size()) {
    const std::size_t run = space_run(text_.data() + at_);
    at_ += run;
    if (run < kLane) break;
  }
#endif
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
}

bool JsonScanner::refuse(std::string message) {
  if (message_.empty()) {
    message_ = std::move(message);
    error_at_ = at_;
  }
  at_ = text_.size();
  return false;
}

inline bool JsonScanner::expect(char c) {
  blanks();
  if (at_ < text_.size() && text_[at_] == c) {
    ++at_;
    return true;
  }
  return refuse_here(c);
}

bool JsonScanner::refuse_here(char c) {
  if (at_ >= text_.size())
    return refuse(fmt::format("found the end, expected {}", in_quotes({&c, 1})));
  return refuse(
      fmt::format("found {}, expected {}", in_quotes(text_.substr(at_, 1)), in_quotes({&c, 1})));
}

JsonScanner::Kind JsonScanner::kind() {
  blanks();
  if (at_ >= text_.size()) return Kind::none;
  switch (text_[at_]) {
    case '{':
      return Kind::object;
    case '[':
      return Kind::array;
    case '"':
      return Kind::string;
    case 't':
    case 'f':
      return Kind::boolean;
    case 'n':
      return Kind::null;
    default:
      return text_[at_] == '-' || (text_[at_] >= '0' && text_[at_] <= '9') ? Kind::number
                                                                           : Kind::none;
  }
}

bool JsonScanner::begin_object() {
  is_first_ = true;
  return expect('{');
}

bool JsonScanner::begin_array() {
  is_first_ = true;
  return expect('[');
}

inline bool JsonScanner::next(char closing) {
  if (!ok()) return false;
  blanks();
  if (at_ < text_.size() && text_[at_] == closing) {
    ++at_;
    is_first_ = false;
    return false;
  }
  return std::exchange(is_first_, false) || expect(',');
}

bool JsonScanner::next_member(std::string_view& name) {
  if (!next('}')) return false;
  name = string();
  return ok() && expect(':');
}

bool JsonScanner::next_element() {
  return next(']');
}

inline bool JsonScanner::pass_string(bool& has_escapes) {
  for (;;) {
#ifdef __SSE2__
    while (at_ + kLane <= text_.size()) {
      const std::size_t run = plain_run(text_.data() + at_);
      at_ += run;
      if (run < kLane) break;
    }
#endif
    while (at_ < text_.size() && !kStops[static_cast<unsigned char>(text_[at_])]) ++at_;
    if (at_ >= text_.size()) return refuse("found the end inside a text");
    if (text_[at_] == '"') {
      ++at_;
      return true;
    }
    if (text_[at_] != '\\') return refuse("found a control character inside a text");
    has_escapes = true;
    at_ += 2;
  }
}

std::string_view JsonScanner::string() {
  if (!expect('"')) return {};
  const std::size_t begin = at_;
  bool has_escapes = false;
  if (!pass_string(has_escapes)) return {};
  const std::string_view raw = text_.substr(begin, at_ - 1 - begin);
  return has_escapes ? unescaped(raw) : raw;
}

std::string_view JsonScanner::unescaped(std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\') {
      out += raw[i];
      continue;
    }
    const char c = raw[++i];
    constexpr std::string_view kFrom = "\"\\/bfnrt";
    constexpr std::string_view kTo = "\"\\/\b\f\n\r\t";
    if (const std::size_t which = kFrom.find(c); which != std::string_view::npos) {
      out += kTo[which];
      continue;
    }
    std::uint32_t code = c == 'u' ? hexadecimal(raw.substr(i + 1, 4)) : ~std::uint32_t{0};
    if (code == ~std::uint32_t{0}) {
      refuse(fmt::format("found the escape '\\{}', which JSON does not have", c));
      return {};
    }
    i += 4;
    if (code >= 0xD800 && code < 0xDC00 && raw.substr(i + 1, 2) == "\\u") {
      const std::uint32_t low = hexadecimal(raw.substr(i + 3, 4));
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        i += 6;
      }
    }
    append_utf8(out, code);
  }
  return unescaped_.emplace_back(std::move(out));
}

double JsonScanner::number() {
  blanks();
  if (!ok()) return 0;
  const std::size_t begin = at_;
  while (at_ < text_.size() && is_number_character(text_[at_])) ++at_;
  const std::string_view token = text_.substr(begin, at_ - begin);
  double out = 0;
  const auto [stop, error] = std::from_chars(token.data(), token.data() + token.size(), out);
  if (!is_json_number(token) || error == std::errc::invalid_argument) {
    at_ = begin;
    refuse(token.empty() && begin < text_.size()
               ? fmt::format("found {}, expected a number", in_quotes(text_.substr(begin, 1)))
               : fmt::format("found {}, expected a number", in_quotes(token)));
    return 0;
  }
  if (!std::isfinite(out) || (error != std::errc{} && std::abs(out) >= 1)) {
    at_ = begin;
    refuse(fmt::format("found {}, which no double can hold", token));
    return 0;
  }
  return error == std::errc{} ? out : 0.0;  // a number too small for a double is 0
}

bool JsonScanner::pass_literal() {
  for (const std::string_view word : {"true", "false", "null"}) {
    if (text_.substr(at_, word.size()) == word) {
      at_ += word.size();
      return true;
    }
  }
  return refuse(fmt::format("found {}, expected a value", in_quotes(text_.substr(at_, 1))));
}

void JsonScanner::skip() {
  // One bit per open container: whether it is an object.
  std::bitset<kDeepestNesting> is_object;
  std::size_t depth = 0;
  bool has_escapes = false;
  std::string_view name;
  do {
    switch (kind()) {
      case Kind::object:
      case Kind::array:
        if (depth == kDeepestNesting) {
          refuse(fmt::format("found nesting deeper than {} levels", kDeepestNesting));
          return;
        }
        is_object[depth++] = text_[at_] == '{';
        ++at_;
        is_first_ = true;
        break;
      case Kind::string:
        ++at_;
        pass_string(has_escapes);
        break;
      case Kind::number: {
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_number_character(text_[at_])) ++at_;
        if (!is_json_number(text_.substr(begin, at_ - begin))) {
          at_ = begin;
          refuse("found a malformed number");
        }
        break;
      }
      case Kind::boolean:
      case Kind::null:
        pass_literal();
        break;
      case Kind::none:
        refuse(at_ < text_.size()
                   ? fmt::format("found {}, expected a value", in_quotes(text_.substr(at_, 1)))
                   : "found the end, expected a value");
    }
    while (depth > 0 && !(is_object[depth - 1] ? next_member(name) : next_element())) {
      if (!ok()) return;
      --depth;
    }
  } while (depth > 0 && ok());
}

std::string JsonScanner::place() const {
  return line_and_column(text_, at_);
}

Status JsonScanner::status() const {
  if (ok()) return {};
  return fail(ErrorCode::bad_format, line_and_column(text_, error_at_), message_);
}

Status JsonScanner::finish() {
  if (ok()) {
    blanks();
    if (at_ < text_.size()) refuse("found more text after the document");
  }
  return status();
}

}  // namespace holdfast
