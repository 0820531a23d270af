#include "holdfast/answers/files/browser.hpp"

#include <doctest/doctest.h>

#include "support/scratch.hpp"
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

using namespace holdfast;

namespace {

namespace fs = std::filesystem;

fs::path script(const Scratch& scratch, const std::string& body) {
  const fs::path file = scratch / "browser";
  write_text(file, "#!/bin/sh\n" + body + "\n");
  fs::permissions(file, fs::perms::owner_all);
  return file;
}

}  // namespace

TEST_CASE("report --open: what BROWSER names gets the page, by its whole path") {
  const Scratch scratch;
  const fs::path seen = scratch / "seen";
  const fs::path browser = script(scratch, "printf %s \"$1\" > '" + seen.string() + "'");
  const auto status = open_in_browser("some page.html", browser.string() + ":another");
  REQUIRE_MESSAGE(status, status.error().text());
  // A browser that needs longer is not waited for.
  for (int i = 0; i < 100 && read_text(seen).empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  CHECK(read_text(seen) == fs::absolute("some page.html").string());
}

TEST_CASE("report --open: a browser that fails or is not there is an error that names the page") {
  const Scratch scratch;
  const fs::path browser = script(scratch, "exit 3");
  const auto absent = open_in_browser("page.html", (scratch / "none").string());
  REQUIRE_FALSE(absent);
  CHECK(absent.error().code == ErrorCode::io_failure);
  CHECK(absent.error().text().find("cannot be started") != std::string::npos);
  CHECK(absent.error().text().find("page.html") != std::string::npos);
  const auto failing = open_in_browser("page.html", browser.string(), std::chrono::minutes{1});
  REQUIRE_FALSE(failing);
  CHECK(failing.error().text().find("ended without showing it") != std::string::npos);
}
