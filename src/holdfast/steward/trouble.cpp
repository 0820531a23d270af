#include "holdfast/steward/trouble.hpp"

#include <fmt/format.h>

namespace holdfast::steward {

bool Trouble::note(const std::string& text, const Voice& voice, Folder* folder) {
  if (text == text_) return false;
  if (folder != nullptr) folder->write("trouble", Value::object({{"text", text}}));
  voice.warn(text.empty() ? "that is over" : fmt::format("{}; {}", text, meanwhile_));
  text_ = text;
  return !text.empty();
}

}  // namespace holdfast::steward
