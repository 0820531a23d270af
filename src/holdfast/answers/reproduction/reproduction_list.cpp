#include "holdfast/answers/reproduction/reproduction_list.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/reproduction/item.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

namespace holdfast {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> unknown(const std::string& id, std::span<const std::string> names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view near = closest(id, views);
  return fail(ErrorCode::usage, "id",
              fmt::format("unknown ID {}; {}", in_quotes(id),
                          near.empty() ? "--list prints them"
                                       : fmt::format("did you mean {}?", in_quotes(near))));
}

}  // namespace

Result<std::vector<fs::path>> known_reproductions(const fs::path& directory) {
  if (directory.empty()) {
    return fail(
        ErrorCode::usage, "--from",
        "is missing: this program was installed without the published items, and its source "
        "has them in the folder 'reproduce'");
  }
  std::vector<fs::path> known = reproduction::find_items(directory);
  if (known.empty()) {
    return fail(ErrorCode::usage, "--from",
                fmt::format("found no items in {}, expected folders with an item.toml",
                            in_quotes(directory.string())));
  }
  return known;
}

Result<std::vector<fs::path>> chosen_reproductions(std::span<const fs::path> known,
                                                   std::span<const std::string> ids) {
  if (ids.empty()) {
    return fail(ErrorCode::usage, "id",
                "found none, expected an ID, --all, or --list to see what there is");
  }
  std::vector<std::string> names;
  for (const fs::path& folder : known) names.push_back(folder.filename().string());
  std::vector<fs::path> chosen;
  for (const std::string& id : ids) {
    const auto match = std::find(names.begin(), names.end(), lower_case(id));
    if (match == names.end()) return unknown(id, names);
    chosen.push_back(known[static_cast<std::size_t>(match - names.begin())]);
  }
  return chosen;
}

Result<Answer> reproduction_list(std::span<const fs::path> folders) {
  Answer answer;
  answer.document = Value::array();
  Table table{.columns = {{"id"}, {"what"}, {"numbers"}, {"source"}}};
  for (const fs::path& folder : folders) {
    HOLDFAST_TRY(item, reproduction::read_item(folder));
    const auto numbers = static_cast<std::int64_t>(item.rows.size());
    table.rows.push_back({item.id, item.title, numbers, item.source});
    answer.document.push(Value::object(
        {{"id", item.id}, {"title", item.title}, {"source", item.source}, {"numbers", numbers}}));
  }
  answer.tables.push_back(std::move(table));
  return answer;
}

}  // namespace holdfast
