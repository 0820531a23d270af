#include "holdfast/reproduction/item.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace holdfast::reproduction {
namespace {

struct Numbers {
  std::string_view prefix;
  int first;
  int last;
};

// Every figure and numeric table of the sources that shows results.
constexpr Numbers kPublished[] = {
    {"fig-1.", 1, 1},        {"fig-2.", 2, 10},         {"fig-3.", 1, 2},        {"fig-4.", 2, 7},
    {"fig-5.", 1, 3},        {"fig-6.", 1, 7},          {"fig-7.", 1, 22},       {"table-2.", 2, 2},
    {"table-3.", 3, 3},      {"table-5.", 2, 6},        {"table-6.", 2, 3},      {"table-7.", 2, 2},
    {"volatile-fig-", 1, 2}, {"volatile-table-", 1, 2}, {"cosched-fig-", 1, 14},
};

}  // namespace

TEST_CASE("coverage: every published figure and table of results has a folder") {
  std::set<std::string> folders;
  for (const auto& folder : find_items(std::filesystem::path(HOLDFAST_SOURCE_DIR) / "reproduce"))
    folders.insert(folder.filename().string());
  for (const Numbers& numbers : kPublished) {
    for (int number = numbers.first; number <= numbers.last; ++number) {
      const std::string id = fmt::format("{}{}", numbers.prefix, number);
      CAPTURE(id);
      CHECK(folders.contains(id));
    }
  }
}

}  // namespace holdfast::reproduction
