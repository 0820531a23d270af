#include "holdfast/answers/files/finite_document.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace holdfast {
namespace {

bool is_non_finite(const Value& value) {
  return value.is_real() && !std::isfinite(value.number());
}

bool holds_others(const Value& value) {
  return value.array_items() != nullptr || value.members() != nullptr;
}

/// The values that were removed: their number, and the pointer of the first.
struct Dropped {
  std::size_t count = 0;
  std::string first;

  void add(const std::string& pointer) {
    if (count++ == 0) first = pointer;
  }
};

void drop(Value& value, const std::string& pointer, Dropped& dropped) {
  if (Value::Array* items = value.array_items()) {
    for (std::size_t i = 0; i < items->size(); ++i) {
      Value& item = (*items)[i];
      if (is_non_finite(item)) {
        dropped.add(pointer_to(pointer, i));
        item = nullptr;
      } else if (holds_others(item)) {
        drop(item, pointer_to(pointer, i), dropped);
      }
    }
  } else if (Value::Object* members = value.members()) {
    std::erase_if(*members, [&](const Value::Member& member) {
      if (!is_non_finite(member.second)) return false;
      dropped.add(pointer_to(pointer, member.first));
      return true;
    });
    for (auto& [name, member] : *members) {
      if (holds_others(member)) drop(member, pointer_to(pointer, name), dropped);
    }
  }
}

}  // namespace

std::string drop_non_finite(Value& document) {
  Dropped dropped;
  drop(document, "", dropped);
  if (dropped.count == 0) return {};
  const std::string others =
      dropped.count == 1 ? "" : fmt::format(", and {} more", dropped.count - 1);
  return fmt::format("{}{}: not a finite number, left out of the document", dropped.first, others);
}

}  // namespace holdfast
