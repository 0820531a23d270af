#pragma once

#include "holdfast/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace holdfast {

/// Walks through one JSON document without building a tree: for large files of which little is wanted. The caller asks
/// for what it expects and skips the rest:
///
///   JsonScanner scan(text);
///   std::string_view key;
///   for (scan.begin_object(); scan.next_member(key);) {
///     if (key == "runtime") runtime = scan.number(); else scan.skip();
///   }
///   HOLDFAST_CHECK(scan.finish());
///
/// Each member or element must be read or skipped before the next is asked for. The first error is kept; from then on
/// every call returns false, 0 or an empty text, so that loops end. Strict about syntax except that members given twice
/// are not looked for. About 1 GB/s where values are skipped.
class JsonScanner {
 public:
  enum class Kind : std::uint8_t { object, array, string, number, boolean, null, none };

  /// @param text  must outlive the scanner and the texts that it returns
  explicit JsonScanner(std::string_view text);

  /// What comes next; none where that is no value.
  Kind kind();

  bool begin_object();
  /// The name of the next member; false at the end of the object, which is then behind us.
  bool next_member(std::string_view& name);
  bool begin_array();
  bool next_element();

  /// A text, unescaped; valid as long as the scanner and its input.
  std::string_view string();
  double number();
  /// Any value, whatever it holds.
  void skip();

  [[nodiscard]] bool ok() const { return message_.empty(); }
  /// Checks that nothing but blanks follows. The error is placed "LINE, column C".
  [[nodiscard]] Status finish();
  /// The error so far, if there is one.
  [[nodiscard]] Status status() const;
  /// "LINE, column C" of where the scanner stands.
  [[nodiscard]] std::string place() const;

 private:
  void blanks();
  bool refuse(std::string message);
  bool expect(char c);
  bool refuse_here(char expected);
  /// Before the next member or element; false behind the closing bracket.
  bool next(char closing);
  /// Past the text that starts behind a quotation mark; says whether it holds escapes.
  bool pass_string(bool& has_escapes);
  bool pass_literal();
  std::string_view unescaped(std::string_view raw);

  std::string_view text_;
  std::size_t at_ = 0;
  bool is_first_ = false;  ///< the container that was begun last has not been asked for anything
  std::deque<std::string> unescaped_;
  std::string message_;
  std::size_t error_at_ = 0;
};

}  // namespace holdfast
