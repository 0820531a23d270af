#include "holdfast/campaign/database.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "support/scratch.hpp"
#include <filesystem>
#include <string>

using namespace holdfast;

namespace {

// Returns the path of a database as a process leaves it that is killed in the middle of a transaction.
std::string killed_while_writing(const Scratch& scratch) {
  const std::string alive = (scratch / "alive").string();
  std::string killed = (scratch / "killed").string();
  auto db = Database::open(alive, Database::Mode::write);
  REQUIRE(db);
  REQUIRE(db->execute("CREATE TABLE numbers(value INTEGER, filler TEXT)"));
  REQUIRE(
      db->execute("WITH RECURSIVE some(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM some LIMIT 1000)"
                  "INSERT INTO numbers SELECT i, hex(zeroblob(200)) FROM some"));
  // A cache of a few pages, so that changes reach the file before the transaction ends.
  REQUIRE(db->execute("PRAGMA cache_size = 4; BEGIN; UPDATE numbers SET value = 0"));
  std::filesystem::copy_file(alive, killed);
  std::filesystem::copy_file(alive + "-journal", killed + "-journal");
  REQUIRE(db->execute("ROLLBACK"));
  return killed;
}

}  // namespace

TEST_CASE("database: after a process was killed while writing, readers find what was committed") {
  const Scratch scratch;
  const std::string file = killed_while_writing(scratch);
  const auto db = Database::open(file, Database::Mode::read);
  REQUIRE(db);
  CHECK(db->number("SELECT sum(value) FROM numbers").value() == 500500);
  CHECK_FALSE(db->execute("UPDATE numbers SET value = 1"));
}

TEST_CASE("database: a pipe or a folder in its place is refused, and nobody waits for a writer") {
  const Scratch scratch;
  REQUIRE(::mkfifo((scratch / "pipe").c_str(), 0600) == 0);
  std::filesystem::create_directory(scratch / "folder");
  for (const char* name : {"pipe", "folder"}) {
    for (const auto mode : {Database::Mode::read, Database::Mode::write}) {
      const auto opened = Database::open((scratch / name).string(), mode);
      REQUIRE_FALSE(opened);
      CHECK(opened.error().message.starts_with("found something else than a file"));
    }
  }
}
