#include "holdfast/answers/files/places.hpp"

#include <doctest/doctest.h>

#include "support/scratch.hpp"
#include <filesystem>
#include <fstream>

using namespace holdfast;

TEST_CASE("places: what an installation brings along comes before the source tree") {
  const Scratch scratch;
  const auto share = scratch / "share";
  const auto source = scratch / "source";
  std::filesystem::create_directories(source / "examples");
  std::filesystem::create_directories(source / "reproduce");
  std::filesystem::create_directories(share / "reproduce");
  const Places both{.share = share, .source = source};
  CHECK(examples_directory(both) == source / "examples");
  CHECK(reproduce_directory(both) == share / "reproduce");
  const Places none;
  CHECK(examples_directory(none).empty());
  CHECK(vector_files(none).empty());
}

TEST_CASE("places: the vectors of every domain, in the order of their names") {
  const Scratch scratch;
  for (const char* name :
       {"b/vectors/1.json", "a/vectors/2.json", "a/vectors/1.json", "a/vectors/note.txt"}) {
    const auto file = scratch / "domains" / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << "{}";
  }
  const auto files = vector_files({.share = (scratch / "domains").parent_path()});
  REQUIRE(files.size() == 3);
  CHECK(files[0].parent_path().parent_path().filename() == "a");
  CHECK(files[0].filename() == "1.json");
  CHECK(files[2].parent_path().parent_path().filename() == "b");
}
