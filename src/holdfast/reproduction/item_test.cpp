#include "holdfast/reproduction/item.hpp"

#include <doctest/doctest.h>

#include "support/scratch.hpp"
#include <filesystem>
#include <fstream>
#include <string>

namespace holdfast::reproduction {
namespace {

namespace fs = std::filesystem;

// A folder `table-1` with the two files of an item.
class Folder {
 public:
  Folder(const std::string& item, const std::string& published) {
    fs::create_directory(path());
    std::ofstream(path() / "item.toml") << item;
    std::ofstream(path() / "published.csv") << published;
  }
  [[nodiscard]] const fs::path& root() const { return scratch_.path(); }
  [[nodiscard]] fs::path path() const { return scratch_ / "table-1"; }

 private:
  Scratch scratch_;
};

constexpr const char* kItem =
    "title = 't'\nsource = 's'\ncampaign = '../shared/campaign.toml'\n"
    "[columns]\nmetric = 'makespan'\nover = 'b'\n"
    "[[statement]]\ntext = 'x'\nless = 'p'\nthan = 'q'\n";

}  // namespace

TEST_CASE("an item: shared columns, rows that say otherwise, statements by id") {
  const Folder folder(kItem,
                      "# numbers of the table\n"
                      "id,strategy,failures/shape,published,published_tolerance,statistic\n"
                      "p,a,0.7,1.5,4%,\n"
                      "q,c,,2/3,0.01,median\n");
  CHECK(find_items(folder.root()) == std::vector<fs::path>{folder.path()});
  const auto item = read_item(folder.path());
  REQUIRE(item);
  CHECK(item->id == "table-1");
  CHECK(item->campaign == folder.root() / "shared/campaign.toml");
  REQUIRE(item->rows.size() == 2);
  const Row& row = item->rows[0];
  CHECK(row.metric == "makespan");
  CHECK(row.statistic == "mean");
  REQUIRE(row.filters.size() == 1);
  CHECK(row.filters[0].axis == "failures");
  CHECK(row.filters[0].pointer == "/shape");
  CHECK(row.published == 1.5);
  CHECK(row.published_tolerance->around(1.5) == doctest::Approx(0.06));
  CHECK(item->rows[1].published == doctest::Approx(2.0 / 3));
  CHECK(item->rows[1].statistic == "median");
  CHECK(item->rows[1].published_tolerance->around(2) == 0.01);
  REQUIRE(item->statements.size() == 1);
  CHECK(item->statements[0].less.row == 0);
  CHECK(item->statements[0].than.row == 1);
}

TEST_CASE("an item: statements over sets, and variants") {
  const Folder folder(
      "title = 't'\nsource = 's'\ncampaign = 'campaign.toml'\n"
      "[columns]\nmetric = 'makespan'\nstrategy = 'a'\n"
      "[sets]\nfamily = ['x', 'y']\nstep = [['1', '2'], ['2', '3']]\n"
      "[[statement]]\ntext = '{family}: {step.0} to {step.1}'\n"
      "less = '{family}/{step.0}'\nthan = '{family}/{step.1}'\n"
      "[[statement]]\ntext = 'z only'\nless = 0\nthan = 'z/1'\nin = ['z-u']\n"
      "[[variant]]\n[variant.known]\n'y: 2 to 3' = 'flat'\n"
      "[[variant]]\nname = 'z-u'\ntitle = 'u'\npublished = 'z.csv'\nsets = {family = ['z']}\n",
      "id\nx/1\nx/2\nx/3\ny/1\ny/2\ny/3\n");
  std::ofstream(folder.path() / "z.csv") << "id\nz/1\nz/2\nz/3\n";
  const fs::path other = folder.root() / "table-1-z-u";
  CHECK(find_items(folder.root()) == std::vector<fs::path>{folder.path(), other});
  const auto first = read_item(folder.path());
  REQUIRE(first);
  CHECK(first->title == "t");
  REQUIRE(first->statements.size() == 4);
  CHECK(first->statements[1].text == "x: 2 to 3");
  CHECK(first->statements[1].known.empty());
  CHECK(first->statements[3].text == "y: 2 to 3");
  CHECK(first->statements[3].known == "flat");
  CHECK(first->statements[3].less.row == 4);
  const auto second = read_item(other);
  REQUIRE(second);
  CHECK(second->id == "table-1-z-u");
  CHECK(second->title == "u");
  CHECK(second->folder == folder.path());
  REQUIRE(second->statements.size() == 3);
  CHECK(second->statements[0].text == "z: 1 to 2");
  CHECK(second->statements[2].text == "z only");
  const auto none = read_item(folder.root() / "table-1-v");
  REQUIRE_FALSE(none);
  CHECK(none.error().text().find("none is called 'v'") != std::string::npos);
}

TEST_CASE("an item: conditions on other metrics of a run") {
  const auto conditions = parse_conditions("pressure >= 0.4; pressure<1/2");
  REQUIRE(conditions);
  REQUIRE(conditions->size() == 2);
  CHECK((*conditions)[0].metric == "pressure");
  CHECK_FALSE((*conditions)[0].below);
  CHECK((*conditions)[0].bound == 0.4);
  CHECK((*conditions)[1].below);
  CHECK((*conditions)[1].bound == 0.5);
  for (const char* wrong : {"pressure", "pressure > 1", "pressure <", "< "}) {
    CAPTURE(wrong);
    CHECK_FALSE(parse_conditions(wrong));
  }
}

TEST_CASE("an item that is wrong is refused at the place") {
  struct Wrong {
    std::string why, item, published, message;
  };
  const std::string rows = "id,strategy,published\np,a,1\nq,a,2\n";
  const Wrong cases[] = {
      {"no title", "source = 's'\n", rows, "item.toml: /title: is missing"},
      {"a key with a letter wrong", "titel = 't'\nsource = 's'\n", rows,
       "item.toml:1: /titel: unknown field 'titel'; did you mean 'title'?"},
      {"a published number that is none", kItem, "id,strategy,published\np,a,x\nq,a,1\n",
       "published.csv:2"},
      {"a tolerance below zero", kItem, "id,strategy,published,published_tolerance\np,a,1,-4%\n",
       "published.csv:2: published_tolerance: found -4, expected a tolerance of at least 0"},
      {"a statement about a row that is not there", kItem, "id,strategy\np,a\nr,a\n",
       "no row has the id 'q'"},
      {"neither a campaign nor a command", "title = 't'\nsource = 's'\n", rows,
       "published.csv:2: found neither a command here nor a campaign in item.toml"},
      {"variants that are none", "title = 't'\nsource = 's'\nvariant = 3\n", rows,
       "/variant: found 3, expected tables"},
      {"a variant that is no table", "title = 't'\nsource = 's'\nvariant = [3]\n", rows,
       "/variant/0: found 3, expected a table"},
      {"sets of a variant that are none",
       "title = 't'\nsource = 's'\nsets = {}\n[[variant]]\nsets = 3\n", rows,
       "/variant/0/sets: found 3, expected a table"},
      {"a row without a strategy", kItem, "id\np\nq\n",
       "published.csv:2: found no metric or no strategy, expected both"},
  };
  for (const Wrong& one : cases) {
    CAPTURE(one.why);
    const Folder folder(one.item, one.published);
    const auto item = read_item(folder.path());
    REQUIRE_FALSE(item);
    CHECK_MESSAGE(item.error().text().find(one.message) != std::string::npos, item.error().text());
  }
}

}  // namespace holdfast::reproduction
