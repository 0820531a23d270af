#include "holdfast/domains/io/workload_io.hpp"

#include "holdfast/base/file.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <string_view>

using namespace holdfast;
using namespace holdfast::io;

namespace {

Result<WorkloadParameters> read_workload_with(std::string_view classes) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / "holdfast-io-classes-test.csv";
  REQUIRE(write_file(path, classes));
  auto out = read_workload(Value::object({{"classes", Value(path.string())}}), "/");
  std::filesystem::remove(path);
  return out;
}

}  // namespace

TEST_CASE("io workload: a file of classes may be one of the domain machine, with units") {
  const auto found = read_workload_with(
      "name,cores,walltime,input_GB,checkpoint,recovery,running,share\n"
      "a,16,2h,1,512GiB,1TB,2,1\n");
  if (!found) FAIL(found.error().text());
  REQUIRE(found->classes.size() == 1);
  const ApplicationClass& one = found->classes.front();
  CHECK(one.name == "a");
  CHECK(one.walltime == 7200);
  CHECK(one.input == 0x1p30);
  CHECK(one.output == 0);
  CHECK(one.checkpoint == 0x1p39);
}

TEST_CASE("io workload: what is wrong with a file of classes is said at its place") {
  const auto error_of = [](std::string_view rows) {
    const auto found = read_workload_with(
        std::string("name,cores,walltime_h,input_GB,output_GB,checkpoint_GB,share\n").append(rows));
    REQUIRE_FALSE(found);
    const std::string text = found.error().text();
    const std::size_t name = text.find("test.csv");
    return name == std::string::npos ? text : text.substr(name);
  };
  CHECK(error_of("A,0,1,0,0,0,1\n").starts_with("test.csv:2: cores: found the string \"0\""));
  CHECK(error_of("A,16,1,-1,0,0,1\n").starts_with("test.csv:2: input_GB: found the string \"-1"));
  CHECK(error_of("A,16,1,1,0,0,\n") == "test.csv:2: share: is missing");
  CHECK(error_of("") == "/classes: found no class, expected at least one");
}
