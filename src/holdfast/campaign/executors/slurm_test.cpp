// The executor with programs that answer as sbatch and scancel do, or fail to; tests/cluster runs it with Slurm itself.
#include "holdfast/campaign/executors/slurm.hpp"

#include "holdfast/campaign/fake_domain.hpp"
#include "holdfast/campaign/run.hpp"
#include "holdfast/campaign/tasks.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "support/scratch.hpp"
#include <cstdlib>
#include <string>

using namespace holdfast;

namespace {

namespace fs = std::filesystem;

/// Programs in a folder that comes first in the path.
class Engine {
 public:
  Engine() : path_(std::getenv("PATH")) {
    ::setenv("PATH", (scratch_.path().string() + ":" + path_).c_str(), 1);
    put("squeue", "exit 1");
    put("scancel", "echo scancel \"$@\" >> " + log());
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  ~Engine() { ::setenv("PATH", path_.c_str(), 1); }

  void put(const std::string& name, const std::string& script) const {
    write_text(scratch_ / name, "#!/bin/sh\n" + script + "\n");
    ::chmod((scratch_ / name).c_str(), 0755);
  }
  [[nodiscard]] std::string log() const { return (scratch_ / "log").string(); }
  [[nodiscard]] std::string said() const { return read_text(log()); }

 private:
  Scratch scratch_;
  std::string path_;
};

Result<RunReport> submit(const fs::path& results, const std::vector<std::string>& options = {}) {
  auto campaign = parse_campaign(
      "[campaign]\nname = 'walks'\ndomain = 'walk'\nscenarios = 10\n[parameters]\nsteps = [2, 3]\n",
      "walk.toml", ".", fake::known());
  REQUIRE(campaign);
  RunOptions how;
  how.executor = "slurm";
  how.setup.program = {"/bin/true"};
  how.setup.tasks = 2;
  how.setup.batch_options = options;
  return run_campaign(*campaign, results, how);
}

/// An sbatch that records its arguments, one a line, and gives job numbers from 71 on.
const std::string kCounts =
    "printf '%s\\n' \"$@\" >> LOG; n=$(cat LOG.n 2>/dev/null || echo 70); n=$((n + 1)); "
    "echo $n > LOG.n; echo $n";

std::string with(std::string script, const std::string& log) {
  for (std::size_t at = 0; (at = script.find("LOG", at)) != std::string::npos; at += log.size()) {
    script.replace(at, 3, log);
  }
  return script;
}

}  // namespace

TEST_CASE("slurm: file name patterns of sbatch contain no path, whatever characters the path has") {
  const Engine engine;
  const Scratch scratch;
  engine.put("sbatch", with(kCounts, engine.log()));
  const fs::path results = scratch / "50 %j of \\ 'it'";
  const auto report = submit(results);
  REQUIRE(report);
  CHECK(report->submitted.at(0) == "job 71: 2 tasks");
  const std::string said = engine.said();
  CHECK(said.find("--chdir=" + results.string() + "\n") != std::string::npos);
  CHECK(said.find("\n--output=merge.log\n") != std::string::npos);
  const std::string folder = task_folders(results).at(0).filename().string();
  CHECK(said.find("\n--output=" + folder + "/%a.log\n") != std::string::npos);
}

TEST_CASE("slurm: if the second job is refused, the first is cancelled and its folder kept") {
  const Engine engine;
  const Scratch scratch;
  engine.put(
      "sbatch",
      with("if [ -e LOG.n ]; then echo 'sbatch: error: QOS limit' >&2; exit 1; fi; " + kCounts,
           engine.log()));
  const auto refused = submit(scratch / "out");
  REQUIRE_FALSE(refused);
  CHECK(exit_code(refused.error().code) == 4);
  CHECK(refused.error().message.find("QOS limit") != std::string::npos);
  CHECK(refused.error().message.ends_with("(job 71, its tasks, was cancelled)"));
  CHECK(engine.said().ends_with("scancel 71\n"));
  CHECK(task_folders(scratch / "out").size() == 1);

  engine.put("scancel", "exit 1");
  fs::remove(engine.log() + ".n");
  const auto again = submit(scratch / "again");
  REQUIRE_FALSE(again);
  CHECK(again.error().message.ends_with(
      "(job 71, its tasks, could not be cancelled and goes on: 'scancel 71' first)"));
}

TEST_CASE("slurm: if the first job is refused, or has no number, the run fails") {
  const Engine engine;
  const Scratch scratch;
  engine.put("sbatch", "echo 'sbatch: error: no such partition' >&2; exit 1");
  CHECK_FALSE(submit(scratch / "out"));
  CHECK(task_folders(scratch / "out").empty());
  engine.put("sbatch", "echo Submitted batch job");
  const auto odd = submit(scratch / "out");
  REQUIRE_FALSE(odd);
  CHECK(odd.error().message.starts_with("found an answer that is no number of a job"));
}

TEST_CASE("slurm: --sbatch takes options, but no script and no option that the executor sets") {
  const Engine engine;
  const Scratch scratch;
  engine.put("sbatch", with(kCounts, engine.log()));
  for (const char* good : {"--qos=low", "-p", "-plong", "--time=3", "--dead=7", "--account=x",
                           "--wait", "--verbose", "-A", "-D/tmp", "--exclude=a1"}) {
    CAPTURE(good);
    CHECK(check_batch_option(good));
  }
  for (const char* bad :
       {"evil.sh", "/bin/sh", "", "-", "--", "low", "--array=0-3", "--arr=1", "-a0", "-d1",
        "--dependency=singleton", "--wrap=reboot", "--wr=x", "--test-only", "-h", "--version"}) {
    CAPTURE(bad);
    const auto refused = submit(scratch / "out", {"--qos=low", bad});
    REQUIRE_FALSE(refused);
    CHECK(exit_code(refused.error().code) == 2);
    CHECK(refused.error().where == "/sbatch");
  }
  const Status loud = check_batch_option("\x1b[31mred.sh");
  REQUIRE_FALSE(loud);
  CHECK(loud.error().message.starts_with("found '\\x1b[31mred.sh', expected an option"));
  CHECK_FALSE(fs::exists(scratch / "out"));
}
