#include "holdfast/campaign/shard.hpp"

#include "holdfast/campaign/design.hpp"
#include "holdfast/campaign/fake_domain.hpp"
#include "holdfast/campaign/results.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "support/scratch.hpp"
#include <string>

using namespace holdfast;

namespace {

Campaign sharded_campaign(int scenarios = 100) {
  auto parsed = parse_campaign("[campaign]\nname = 'walks'\ndomain = 'walk'\nscenarios = " +
                                   std::to_string(scenarios) + "\n[parameters]\nsteps = [2, 3]\n",
                               "walk.toml", ".", fake::known());
  REQUIRE(parsed);
  return std::move(*parsed);
}

/// Scenarios [begin, end) of one point and strategy.
Batch scenarios(std::uint64_t begin, std::uint64_t end) {
  Batch out;
  for (std::uint64_t scenario = begin; scenario < end; ++scenario) {
    Outcome outcome;
    outcome.metrics = {static_cast<double>(scenario), 1, 2};
    out.add({1, 0, 0, scenario}, outcome, 0);
  }
  return out;
}

/// Scenarios that a shard holds, which here are those from 0 on.
std::uint64_t held(const std::filesystem::path& path, const Design& design) {
  std::uint64_t next = 0;
  REQUIRE(read_shard(path, design, [&](const Batch& batch) -> Status {
    for (const CellKey& key : batch.keys) CHECK(key.scenario == next++);
    return {};
  }));
  return next;
}

}  // namespace

TEST_CASE("shard: what was appended is read, before and after it is closed, and continued") {
  const Scratch scratch;
  const Campaign file = sharded_campaign();
  const auto design = Design::make(file);
  const auto path = scratch / "7";
  {
    auto shard = ShardWriter::open(path, *design);
    REQUIRE(shard);
    CHECK(held(path, *design) == 0);
    REQUIRE(shard->append(scenarios(0, 3)));
    REQUIRE(shard->append(scenarios(3, 5)));
    CHECK(held(path, *design) == 5);
    CHECK(count_cells(path) == 5);
    CHECK(is_being_written(path));
    CHECK(ShardWriter::open(path, *design).error().message ==
          "another process writes this shard; wait until it ends");
  }
  CHECK_FALSE(is_being_written(path));
  REQUIRE(ShardWriter::open(path, *design)->append(scenarios(5, 6)));
  CHECK(held(path, *design) == 6);
}

TEST_CASE(
    "shard: cut or damaged anywhere, the whole blocks before are kept and the next one follows "
    "them") {
  const Scratch scratch;
  const Campaign file = sharded_campaign();
  const auto design = Design::make(file);
  const auto path = scratch / "0";
  std::vector<std::size_t> ends;  // [n]: end of the file with n blocks
  {
    auto shard = ShardWriter::open(path, *design);
    REQUIRE(shard);
    ends.push_back(read_text(path).size());
    for (std::uint64_t block = 0; block < 3; ++block) {
      REQUIRE(shard->append(scenarios(2 * block, 2 * block + 2)));
      ends.push_back(read_text(path).size());
    }
  }
  const std::string whole = read_text(path);
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    CAPTURE(size);
    std::uint64_t blocks = 0;
    while (blocks < 3 && size >= ends[blocks + 1]) ++blocks;
    write_text(path, whole.substr(0, size));
    CHECK(held(path, *design) == 2 * blocks);
    REQUIRE(ShardWriter::open(path, *design)->append(scenarios(2 * blocks, 2 * blocks + 1)));
    CHECK(held(path, *design) == 2 * blocks + 1);
  }
  for (std::size_t at = ends[1]; at < whole.size(); at += 7) {
    CAPTURE(at);
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    write_text(path, damaged);
    // A damaged count affects only the progress that is shown.
    const bool in_count = (at - ends[1]) % (ends[2] - ends[1]) / 8 == 2;
    if (!in_count) CHECK(held(path, *design) == (at < ends[2] ? 2 : 4));
  }
}

TEST_CASE("shard: cells of another campaign are refused") {
  const Scratch scratch;
  const Campaign file = sharded_campaign();
  const auto design = Design::make(file);
  REQUIRE(ShardWriter::open(scratch / "0", *design)->append(scenarios(0, 3)));
  const Campaign changed = sharded_campaign(99);
  const auto other = Design::make(changed);
  const auto refused = read_shard(scratch / "0", *other, [](const Batch&) { return Status{}; });
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::bad_format);
  CHECK_FALSE(ShardWriter::open(scratch / "0", *other));
}

TEST_CASE(
    "shard: where nothing can be written, the message says what to do and what is there stays") {
  const Scratch scratch;
  const Campaign file = sharded_campaign();
  const auto design = Design::make(file);
  auto shard = ShardWriter::open(scratch / "0", *design);
  REQUIRE(shard);
  REQUIRE(shard->append(scenarios(0, 3)));
  // As a full disk: files cannot grow any more.
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  auto* handler = ::signal(SIGXFSZ, SIG_IGN);
  const rlimit full = {read_text(scratch / "0").size() + 20, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &full);
  const Status status = shard->append(scenarios(3, 6));
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  REQUIRE_FALSE(status);
  CHECK(status.error().code == ErrorCode::io_failure);
  CHECK(status.error().message.ends_with(
      "free some space, and start the campaign again on the same directory: "
      "what was finished is kept"));
  CHECK(held(scratch / "0", *design) == 3);
  REQUIRE(shard->append(scenarios(3, 6)));
  CHECK(held(scratch / "0", *design) == 6);
  CHECK(ShardWriter::open(scratch / "no", *design));
  CHECK_FALSE(ShardWriter::open(scratch.path() / "no such" / "0", *design));
}

TEST_CASE("shard: a pipe in its place is refused, and nothing waits for a writer") {
  const Scratch scratch;
  const Campaign file = sharded_campaign();
  const auto design = Design::make(file);
  const auto path = scratch / "7";
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  CHECK(count_cells(path) == 0);
  CHECK_FALSE(is_being_written(path));
  const Status read = read_shard(path, *design, [](const Batch&) { return Status(); });
  REQUIRE_FALSE(read);
  CHECK(read.error().message.starts_with("found something else than a file; remove it"));
  CHECK(ShardWriter::open(path, *design)
            .error()
            .message.starts_with("found something else than a file"));
}
