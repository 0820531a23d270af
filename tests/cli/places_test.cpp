#include "holdfast/program.hpp"

#include <doctest/doctest.h>

#include "cli/toy_domain.hpp"
#include "support/scratch.hpp"
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::cli;

namespace {

std::string said(const std::vector<std::string>& arguments, const Places& places) {
  std::ostringstream out, err;
  std::istringstream in;
  Console console(out, err, in);
  console.set_places(places);
  const Domain* const known[] = {&toy_domain()};
  static_cast<void>(run_program(arguments, console, known));
  return out.str() + err.str();
}

}  // namespace

TEST_CASE("places: who embeds the program says where its files lie") {
  const Scratch scratch;
  const auto share = scratch / "share";
  std::filesystem::create_directories(share / "examples");
  std::filesystem::create_directories(share / "domains/toy/vectors");
  std::ofstream(share / "domains/toy/vectors/plan.json")
      << R"({"holdfast": {"kind": "vectors", "version": 1}, "vectors": [)"
      << R"({"why": "no such verb", "command": "toy nothing", "expect": {"error": 2}}]})";
  const Places there{.share = share};
  CHECK(said({"verify"}, there) == "1 passed, 0 failed\n");
  // An example of help is found from where the user is, unless it is here already.
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(share);
  const std::string help = said({"trace", "info", "--help"}, there);
  std::filesystem::current_path(before);
  CHECK(help.find("trace info " + (share / "examples/data/sample-failures.csv").string()) !=
        std::string::npos);
  CHECK(said({"verify"}, Places{}) ==
        "holdfast: found no vectors here, expected the name of a file\n");
}
