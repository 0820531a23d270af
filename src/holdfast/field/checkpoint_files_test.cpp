#include "holdfast/field/checkpoint_files.hpp"

#include <doctest/doctest.h>

#include "support/scratch.hpp"
#include <filesystem>
#include <string>

using namespace holdfast;
using namespace holdfast::field;

namespace {

/// Replaces the state as programs do that never leave half a file.
void replace(const Scratch& scratch, std::string_view text) {
  write_text(scratch / "fresh", text);
  std::filesystem::rename(scratch / "fresh", scratch / "state");
}

void keep_newest(CheckpointFiles& files) {
  const auto file = files.newest();
  REQUIRE(file);
  REQUIRE(files.keep(*file));
}

const auto kNever = [](const SeenFile&) { return false; };
const auto kAlways = [](const SeenFile&) { return true; };

}  // namespace

TEST_CASE("checkpoint files: the newest two stay, and older ones go when a newer one is kept") {
  const Scratch scratch;
  CheckpointFiles files((scratch / "state").string(), 2);
  CHECK_FALSE(files.newest());
  for (const auto* text : {"one", "two", "three"}) {
    replace(scratch, text);
    keep_newest(files);
  }
  CHECK(read_text(scratch / "state.1") == "three");
  CHECK(read_text(scratch / "state.2") == "two");
  CHECK_FALSE(std::filesystem::exists(scratch / "state.3"));
  // Once it was seen that the program puts a new file in place of the old one, nothing is copied.
  CHECK(std::filesystem::hard_link_count(scratch / "state") == 2);
}

TEST_CASE(
    "checkpoint files: what a program writes in place is copied, and put back when it was half "
    "written") {
  const Scratch scratch;
  CheckpointFiles files((scratch / "state").string(), 2);
  write_text(scratch / "state", "whole");
  keep_newest(files);
  CHECK(std::filesystem::hard_link_count(scratch / "state") == 1);
  write_text(scratch / "state", "ha");
  CHECK(read_text(scratch / "state.1") == "whole");
  REQUIRE(files.prepare(kNever));
  CHECK(read_text(scratch / "state") == "whole");
  // One that is gone comes back too, and one that proves good stays.
  std::filesystem::remove(scratch / "state");
  REQUIRE(files.prepare(kNever));
  CHECK(read_text(scratch / "state") == "whole");
  write_text(scratch / "state", "newer");
  REQUIRE(files.prepare(kAlways));
  CHECK(read_text(scratch / "state") == "newer");
}

TEST_CASE("checkpoint files: a file from before the first guard is what the user gave") {
  const Scratch scratch;
  write_text(scratch / "state", "given");
  CheckpointFiles files((scratch / "state").string(), 2);
  REQUIRE(files.prepare(kNever));
  CHECK(read_text(scratch / "state") == "given");
}

TEST_CASE("checkpoint files: a bad one is set aside for the one before, and all come back") {
  const Scratch scratch;
  CheckpointFiles files((scratch / "state").string(), 3);
  for (const auto* text : {"one", "two", "three"}) {
    replace(scratch, text);
    keep_newest(files);
  }
  const auto first = files.set_aside(false);
  REQUIRE(first);
  CHECK(first->left == 2);
  CHECK(read_text(scratch / "state") == "two");
  CHECK(read_text(scratch / "state.bad") == "three");
  REQUIRE(files.prepare(kNever));
  CHECK(read_text(scratch / "state") == "two");
  files.put_back();
  CHECK(read_text(scratch / "state") == "three");
  CHECK(read_text(scratch / "state.1") == "three");
  CHECK(read_text(scratch / "state.2") == "two");
  CHECK(read_text(scratch / "state.3") == "one");
}

TEST_CASE("checkpoint files: the last one is set aside only where the job may start from nothing") {
  const Scratch scratch;
  CheckpointFiles files((scratch / "state").string(), 2);
  write_text(scratch / "state", "only");
  keep_newest(files);
  CHECK(files.set_aside(false)->left == 0);
  CHECK(read_text(scratch / "state") == "only");
  CHECK(files.set_aside(true)->file == (scratch / "state").string());
  CHECK_FALSE(files.newest());
  REQUIRE(files.prepare(kNever));
  CHECK_FALSE(files.newest());
  CHECK(files.set_aside(true)->file.empty());
}

TEST_CASE("checkpoint files: of a pattern the newest counts, and what was set aside does not") {
  const Scratch scratch;
  write_text(scratch / "c-1.h5", "one");
  write_text(scratch / "c-2.h5", "two");
  const auto now = std::filesystem::last_write_time(scratch / "c-2.h5");
  std::filesystem::last_write_time(scratch / "c-1.h5", now - std::chrono::seconds(5));
  CheckpointFiles files((scratch / "c-*").string(), 2);
  keep_newest(files);
  CHECK(files.newest()->path == (scratch / "c-2.h5").string());
  CHECK(files.set_aside(false)->left == 1);
  CHECK(files.newest()->path == (scratch / "c-1.h5").string());
}

TEST_CASE("checkpoint files: a journal's entry remembers which file it was") {
  const Scratch scratch;
  write_text(scratch / "state", "text");
  const auto file = look_at(scratch / "state");
  REQUIRE(file);
  CHECK(seen_file(to_value(*file)) == *file);
  CHECK_FALSE(seen_file(Value::object({{"file", "x"}})));
  CHECK_FALSE(look_at(scratch.path()));
}
