#pragma once

#include "holdfast/base/voice.hpp"
#include "holdfast/steward/folder.hpp"

#include <string>
#include <string_view>

namespace holdfast::steward {

/// What keeps a steward from its work, such as a Slurm that does not answer. It is said once, and so is its end.
class Trouble {
 public:
  /// @param meanwhile  what goes on while it lasts
  explicit Trouble(std::string_view meanwhile) : meanwhile_{meanwhile} {}

  /// Takes note of what is wrong now; an empty text: nothing. Returns true if a trouble begins.
  /// @param folder  where it is written down; may be null
  bool note(const std::string& text, const Voice& voice, Folder* folder);

 private:
  std::string_view meanwhile_;
  std::string text_;
};

}  // namespace holdfast::steward
