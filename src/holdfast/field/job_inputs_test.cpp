#include "holdfast/field/job_inputs.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::field;

namespace {

namespace fs = std::filesystem;

/// A folder of its own, removed at the end.
struct InputFolder {
  InputFolder() { REQUIRE(::mkdtemp(name.data()) != nullptr); }
  InputFolder(const InputFolder&) = delete;
  InputFolder& operator=(const InputFolder&) = delete;
  ~InputFolder() { fs::remove_all(name); }
  [[nodiscard]] std::string path(const std::string& of) const { return name + "/" + of; }
  std::string write(const std::string& of, const std::string& text) const {
    fs::create_directories(fs::path(path(of)).parent_path());
    std::ofstream(path(of)) << text;
    return path(of);
  }
  std::string name = "/tmp/holdfast-inputs-XXXXXX";
};

void set_other_time(const std::string& path) {
  fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(5));
}

}  // namespace

TEST_CASE("job inputs: contents decide where only the time differs") {
  const InputFolder folder;
  const std::vector<std::string> paths = {folder.write("a", "one"), folder.path("d")};
  folder.write("d/b", "two");
  Value before = look_at_inputs(paths).value();
  add_digests(before);
  Value now = look_at_inputs(paths).value();
  CHECK(are_same_inputs(before, now));
  CHECK_FALSE(have_digests(now));  // not even read
  set_other_time(paths[0]);
  set_other_time(folder.path("d/b"));
  now = look_at_inputs(paths).value();
  CHECK(are_same_inputs(before, now));
  CHECK(have_digests(now));
  folder.write("d/b", "TWO");
  set_other_time(folder.path("d/b"));
  now = look_at_inputs(paths).value();
  CHECK_FALSE(are_same_inputs(before, now));
  now = look_at_inputs(std::vector{paths[0]}).value();
  CHECK_FALSE(are_same_inputs(before, now));
  const auto missing = look_at_inputs(std::vector{folder.path("none")});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().where == "/input");
}
