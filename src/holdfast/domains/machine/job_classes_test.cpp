#include "holdfast/domains/machine/job_classes.hpp"

#include "holdfast/base/file.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <string_view>

using namespace holdfast;
using namespace holdfast::machine;

namespace {

constexpr double kGibi = 1024.0 * 1024 * 1024;

// Classes of a text, as if it were a file.
Result<std::vector<JobClass>> read_text(std::string_view text) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / "holdfast-job-classes-test.csv";
  REQUIRE(write_file(path, text));
  auto out = read_job_classes(Value(path.string()), "/classes", "/", 16);
  std::filesystem::remove(path);
  return out;
}

std::string complaint_of(const Result<std::vector<JobClass>>& found) {
  REQUIRE_FALSE(found);
  const std::string text = found.error().text();
  const std::size_t name = text.find("test.csv");
  return name == std::string::npos ? text : text.substr(name);
}

}  // namespace

TEST_CASE("classes: those of the domain io are read as they are") {
  const auto found =
      read_job_classes(Value("examples/data/io-trilab.csv"), "/classes", HOLDFAST_SOURCE_DIR, 16);
  if (!found) FAIL(found.error().text());
  REQUIRE(found->size() == 6);
  const JobClass& vpic = (*found)[3];
  CHECK(vpic.name == "VPIC");
  CHECK(vpic.nodes == 1875);
  CHECK(vpic.walltime == doctest::Approx(157.2 * 3600).epsilon(1e-15));
  CHECK(vpic.input == 3000 * kGibi);
  CHECK(vpic.output == 162000 * kGibi);
  CHECK(vpic.checkpoint == 11250 * kGibi);
  CHECK_FALSE(vpic.recovery);
  CHECK(vpic.share == 0.03);
}

TEST_CASE("classes: the example holds multiples of the memory") {
  const auto found = read_job_classes(Value("examples/data/machine-cielo.csv"), "/classes",
                                      HOLDFAST_SOURCE_DIR, 16);
  if (!found) FAIL(found.error().text());
  REQUIRE(found->size() == 4);
  const double input[] = {.03, .05, .7, .1};
  const double output[] = {1.05, 2.2, .43, 2.7};
  const double checkpoint[] = {1.6, 1.85, 3.5, .85};
  for (std::size_t i = 0; i < 4; ++i) {
    const JobClass& one = (*found)[i];
    const double memory = static_cast<double>(one.nodes) * 32e9;
    CHECK(one.input == doctest::Approx(input[i] * memory).epsilon(1e-14));
    CHECK(one.output == doctest::Approx(output[i] * memory).epsilon(1e-14));
    CHECK(one.checkpoint == doctest::Approx(checkpoint[i] * memory).epsilon(1e-14));
  }
}

TEST_CASE("classes: units of a file, and cores that do not fill their last node") {
  const auto found = read_text(
      "# a centre\nname,cores,walltime,checkpoint,recovery,running\n"
      "a,17,1-12:00:00,2TB,1TB,2.5\nb,16,3h,512GiB,,1\n");
  if (!found) FAIL(found.error().text());
  CHECK((*found)[0].nodes == 2);
  CHECK((*found)[0].walltime == 36 * 3600);
  CHECK((*found)[0].checkpoint == 2e12);
  CHECK((*found)[0].recovery == 1e12);
  CHECK((*found)[0].running == 2.5);
  CHECK((*found)[1].nodes == 1);
  CHECK((*found)[1].checkpoint == 512 * kGibi);
  CHECK_FALSE((*found)[1].recovery);

  const auto again = read_job_classes(classes_value(*found), "/classes", ".", 1);
  if (!again) FAIL(again.error().text());
  CHECK(classes_value(*again) == classes_value(*found));
}

TEST_CASE("classes: what is wrong, and where") {
  struct Row {
    std::string_view text, complaint;
  };
  for (const Row& row : {
           Row{"name,nodes,walltme,checkpoint\n",
               "test.csv:1: unknown column 'walltme'; did you mean"},
           Row{"name,nodes,input,input_GB,checkpoint\n",
               "test.csv:1: found both 'input' and 'input_GB', expected one of them"},
           Row{"name,nodes,cores,checkpoint\na,1,16,1GB\n",
               "test.csv:2: cores: found both 'nodes' and 'cores', expected one of them"},
           Row{"name,nodes,checkpoint\na,0,1GB\n",
               "test.csv:2: nodes: found the string \"0\", expected"},
           Row{"name,nodes,checkpoint\na,1,1G\n", "test.csv:2: checkpoint: found '1G'"},
           Row{"name,nodes,checkpoint\na,1,\n", "test.csv:2: checkpoint: is missing"},
           Row{"name,nodes\na,1\n", "test.csv:2: checkpoint: is missing"},
           Row{"name,nodes,checkpoint\na,1,-1\n",
               "test.csv:2: checkpoint: found the string \"-1\""},
           Row{"name,nodes,checkpoint\na,1,1\na,2,1\n",
               "test.csv:3: name: found a second class 'a', expected names that differ"},
           Row{"name,nodes,checkpoint\n", "/classes: found no class, expected at least one"},
       }) {
    CAPTURE(row.text);
    const std::string found = complaint_of(read_text(row.text));
    CAPTURE(found);
    CHECK(found.starts_with(row.complaint));
  }
  CHECK(complaint_of(read_job_classes(Value(3), "/classes", ".", 1))
            .starts_with("/classes: found 3, expected the path of a file or a list of classes"));
}
