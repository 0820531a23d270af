#pragma once

#include "holdfast/base/error.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace holdfast {

/// An index of the items of a list by name.
class NameIndex {
 public:
  /// Indexes `count` items.
  /// @param name_of  (i) -> the name of the i-th item
  template <class NameOf>
  NameIndex(std::size_t count, NameOf&& name_of) {
    positions_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto [place, is_new] = positions_.emplace(name_of(i), i);
      if (is_new || repeated_) continue;
      repeated_ = i;
      repeated_name_ = place->first;
    }
  }

  /// Returns the position of the first item with that name.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const {
    const auto found = positions_.find(name);
    return found == positions_.end() ? std::nullopt : std::optional(found->second);
  }
  /// Returns that position, or the error bad_value: "found 'x', which is no task".
  /// @param noun  what an item is called: "task"
  [[nodiscard]] Result<std::size_t> at(std::string_view name, std::string_view noun,
                                       std::string_view where) const;
  /// Returns the position of the first item whose name has already been used by an earlier item.
  [[nodiscard]] std::optional<std::size_t> repeated() const { return repeated_; }
  /// Refuses a name that two items share: bad_value at LIST/NUMBER/id, "found 'x' twice, expected different ids".
  /// @param list  the pointer of the list in its document: "/tasks"
  [[nodiscard]] Status check_different(std::string_view list) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const {
      return std::hash<std::string_view>{}(name);
    }
  };

  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> positions_;
  std::optional<std::size_t> repeated_;
  std::string repeated_name_;
};

}  // namespace holdfast
