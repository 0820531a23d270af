#pragma once

#include "holdfast/base/error.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast {

/// A reader of XML that hands on one tag after another. It knows elements, attributes, texts and the five entities of XML, skips
/// comments, instructions and declarations, and does not follow any reference to another document.
class XmlScanner {
 public:
  /// What was read last.
  enum class Event : std::uint8_t { begin, end, none };

  explicit XmlScanner(std::string_view text) : text_{text} {}

  /// Reads the next tag. An element that ends at once (<a/>) is a begin and an end. Errors have line and column.
  Result<Event> next();
  /// Returns the name of the element, without the part before a colon.
  [[nodiscard]] std::string_view name() const { return name_; }
  /// Returns the value of an attribute of the tag; nothing if there is none.
  [[nodiscard]] std::optional<std::string> attribute(std::string_view name) const;
  /// Returns the text between the tag before and this one, trimmed.
  [[nodiscard]] std::string text() const { return decoded(before_); }
  /// Returns the number of elements that are open.
  [[nodiscard]] std::size_t depth() const { return open_.size(); }

 private:
  [[nodiscard]] tl::unexpected<Error> refuse(std::string_view expected) const;
  Status skip_to(std::string_view end);
  Status read_attributes(std::string_view tag);
  static std::string decoded(std::string_view raw);

  std::string_view text_;
  std::size_t at_ = 0;
  std::string_view name_, before_;
  std::vector<std::pair<std::string_view, std::string_view>> attributes_;
  std::vector<std::string_view> open_;
  bool ends_at_once_ = false;
};

}  // namespace holdfast
