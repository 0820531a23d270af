#pragma once

#include "holdfast/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace holdfast {

/// A scanner of one JSON document that builds no tree, for large files of which only a small part is needed. The caller asks
/// for what it expects and skips the rest:
///
///   JsonScanner scan(text);
///   std::string_view key;
///   for (scan.begin_object(); scan.next_member(key);) {
///     if (key == "runtime") runtime = scan.number(); else scan.skip();
///   }
///   HOLDFAST_CHECK(scan.finish());
///
/// Read or skip each member or element before you ask for the next one. The first error is kept, and from then on every call
/// returns false, 0 or an empty text, so that loops end. The scanner is strict about syntax, but it does not look for repeated
/// members. It skips values at about 1 GB/s.
class JsonScanner {
 public:
  /// The kinds of values; `none` means that there is no value.
  enum class Kind : std::uint8_t { object, array, string, number, boolean, null, none };

  /// Starts at the beginning of a document.
  /// @param text  must outlive the scanner and the texts that it returns
  explicit JsonScanner(std::string_view text);

  /// Returns the kind of the next value.
  Kind kind();

  /// Enters an object.
  bool begin_object();
  /// Reads the name of the next member; returns false at the end of the object, which the scanner has then left.
  bool next_member(std::string_view& name);
  /// Enters an array.
  bool begin_array();
  /// Moves to the next element; returns false at the end of the array, which the scanner has then left.
  bool next_element();

  /// Reads a text, unescaped; it is valid as long as the scanner and its input.
  std::string_view string();
  /// Reads a number.
  double number();
  /// Skips any value.
  void skip();

  /// Returns true if there has been no error.
  [[nodiscard]] bool ok() const { return message_.empty(); }
  /// Checks that nothing but blanks follows. The error is placed "LINE, column C".
  [[nodiscard]] Status finish();
  /// Returns the error so far, if there is one.
  [[nodiscard]] Status status() const;
  /// Returns "LINE, column C" of the scanner's position.
  [[nodiscard]] std::string place() const;

 private:
  void blanks();
  bool refuse(std::string message);
  bool expect(char c);
  bool refuse_here(char expected);
  /// Moves to the next member or element; returns false after the closing bracket.
  bool next(char closing);
  /// Moves past the text after a quotation mark, and sets `has_escapes` if it has escapes.
  bool pass_string(bool& has_escapes);
  bool pass_literal();
  std::string_view unescaped(std::string_view raw);

  std::string_view text_;
  std::size_t at_ = 0;
  /// True until the container entered last is asked for its first member or element.
  bool is_first_ = false;
  std::deque<std::string> unescaped_;
  std::string message_;
  std::size_t error_at_ = 0;
};

}  // namespace holdfast
