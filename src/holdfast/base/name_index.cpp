#include "holdfast/base/name_index.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

namespace holdfast {

Result<std::size_t> NameIndex::at(std::string_view name, std::string_view noun,
                                  std::string_view where) const {
  if (const auto found = find(name)) return *found;
  return fail(ErrorCode::bad_value, std::string(where),
              fmt::format("found {}, which is no {}", in_quotes(name), noun));
}

Status NameIndex::check_different(std::string_view list) const {
  if (!repeated_) return {};
  return fail(ErrorCode::bad_value, fmt::format("{}/{}/id", list, *repeated_),
              fmt::format("found {} twice, expected different ids", in_quotes(repeated_name_)));
}

}  // namespace holdfast
