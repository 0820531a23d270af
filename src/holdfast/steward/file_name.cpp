#include "holdfast/steward/file_name.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace holdfast::steward {

Status check_file_name(std::string_view name, std::string where, std::string_view because) {
  const bool is_plain = std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._-+").find(c) != std::string_view::npos;
  });
  if (is_plain && !name.empty() && name.front() != '-' && name.front() != '.') return {};
  return fail(ErrorCode::bad_value, std::move(where),
              fmt::format("found {}, expected letters, digits, '.', '_', '-' and '+', because {}",
                          in_quotes(name), because));
}

}  // namespace holdfast::steward
