#include "holdfast/base/text.hpp"
#include "holdfast/catalog/catalog.hpp"

#include <fmt/format.h>

#include <vector>

namespace holdfast {

Result<const Domain*> find_domain(std::string_view name, std::span<const Domain* const> known) {
  std::vector<std::string_view> names;
  for (const Domain* domain : known) {
    if (domain->name == name) return domain;
    names.push_back(domain->name);
  }
  return fail(ErrorCode::unknown_name, {},
              fmt::format("unknown domain {}; {}", in_quotes(name), suggestion(name, names)));
}

}  // namespace holdfast
