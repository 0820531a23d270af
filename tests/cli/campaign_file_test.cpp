#include "holdfast/answers/campaign/campaign_file.hpp"

#include "holdfast/locations.hpp"

#include <doctest/doctest.h>

#include "cli/toy_domain.hpp"
#include "support/scratch.hpp"
#include "support/variable.hpp"
#include <filesystem>
#include <fstream>
#include <string>

using namespace holdfast;
using namespace holdfast::cli;

namespace {

std::string jobs_of(const Result<Campaign>& campaign) {
  REQUIRE(campaign);
  return *campaign->fixed.find("jobs")->string();
}

}  // namespace

TEST_CASE("campaigns: $HOLDFAST_DATA stands for the folder that the variable names") {
  const Scratch scratch;
  const auto file = scratch / "c.toml";
  std::ofstream(file) << "[campaign]\nname = 'x'\ndomain = 'toy'\nscenarios = 1\n"
                         "strategies = ['steady']\n[parameters]\n"
                         "jobs = '$HOLDFAST_DATA/batch/a.swf'\n";
  const Domain* const known[] = {&toy_domain()};
  {
    const Variable variable("HOLDFAST_DATA", "/some/where");
    const auto campaign = read_campaign_file(file, known, usual_places().data);
    CHECK(jobs_of(campaign) == "/some/where/batch/a.swf");
    // The copy that results keep says what was read.
    CHECK(campaign->text.find("/some/where/batch") != std::string::npos);
  }
  {
    const Variable variable("HOLDFAST_DATA", "/it's");
    const auto campaign = read_campaign_file(file, known, usual_places().data);
    REQUIRE_FALSE(campaign);
    CHECK(campaign.error().where == "$HOLDFAST_DATA");
  }
}

TEST_CASE("places: where the current directory is gone, the folder of real data keeps its name") {
  const Scratch scratch;
  const Variable variable("HOLDFAST_DATA", "data");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::create_directory(scratch / "gone");
  std::filesystem::current_path(scratch / "gone");
  std::filesystem::remove(scratch / "gone");
  std::string named;
  CHECK_NOTHROW(named = usual_places().data.string());
  std::filesystem::current_path(before);
  CHECK(named == "data");
}
