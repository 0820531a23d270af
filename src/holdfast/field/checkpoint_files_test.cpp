#include "holdfast/field/checkpoint_files.hpp"

#include <doctest/doctest.h>

#include "support/scratch.hpp"
#include <chrono>
#include <filesystem>
#include <string>
#include <utility>

using namespace holdfast;
using namespace holdfast::field;

namespace {

namespace fs = std::filesystem;

/// The checkpoints of a job in a folder of its own, and what a journal would remember of them.
struct Keeping {
  explicit Keeping(std::string path, std::size_t keep = 2, std::string marker = {})
      : disk(marker, {}),
        files({.path = (scratch / path).string(),
               .keep = keep,
               .directory = (scratch / "run").string(),
               .proves = !marker.empty()},
              disk),
        seen(0, files.marker()) {}

  void take(const std::vector<Entry>& entries) {
    for (const Entry& entry : entries) known.take(*entry_of(to_value(entry)));
  }
  /// Accepts and keeps what lies there now.
  CheckpointFiles::Outcome accept() {
    const std::int64_t number = known.next();
    known.take(Accepted{.generation = number, .file = files.files().back()});
    auto out = files.keep(known, {&number, 1}, launch);
    take(out.entries);
    files.let_go(known);
    return out;
  }
  CheckpointFiles::Outcome start(bool is_first = false) {
    files.let_go(known);
    auto out =
        files.prepare(known, seen, {.is_first = is_first, .began_empty = true, .launch = launch});
    take(out.entries);
    return out;
  }
  /// Writes into the file that is there, a moment later.
  void write(const std::string& name, std::string_view text) {
    fs::create_directories((scratch / name).parent_path());
    write_text(scratch / name, text);
    time += std::chrono::seconds(1);
    fs::last_write_time(scratch / name, time);
  }
  void replace(const std::string& name, std::string_view text) {
    write("fresh", text);
    fs::rename(scratch / "fresh", scratch / name);
    known.take(Learned{"replaced"});
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    return fs::exists(scratch / name) ? read_text(scratch / name) : "none";
  }

  Scratch scratch;
  RealDisk disk;
  CheckpointFiles files;
  Candidates seen;
  Generations known;
  std::int64_t launch = 1;
  fs::file_time_type time = fs::file_time_type::clock::now() - std::chrono::hours(1);
};

}  // namespace

TEST_CASE("checkpoint files: the newest two stay, and older ones go when a newer one is kept") {
  Keeping job("state");
  for (const auto* text : {"one", "two", "three"}) {
    job.replace("state", text);
    job.accept();
  }
  CHECK(job.text("state.1") == "three");
  CHECK(job.text("state.2") == "two");
  CHECK(job.text("state.3") == "none");
  // What was seen to be replaced is linked.
  CHECK(fs::hard_link_count(job.scratch / "state") == 2);
}

TEST_CASE("checkpoint files: what is written in place is copied, and given back when it is half") {
  Keeping job("state");
  job.write("state", "whole");
  job.accept();
  CHECK(fs::hard_link_count(job.scratch / "state") == 1);
  job.write("state", "ha");
  CHECK(job.start().from == (job.scratch / "state").string());
  CHECK(job.text("state") == "whole");
  CHECK(job.text("run/aside/1/state") == "ha");
  // One that is gone comes back too, and one with the contents of a copy is that copy.
  fs::remove(job.scratch / "state");
  job.start();
  CHECK(job.text("state") == "whole");
  job.write("state", "whole");
  job.start();
  CHECK(job.known.newest()->evidence == Evidence::equal);
}

TEST_CASE(
    "checkpoint files: in a folder that was copied without its times contents tell what is kept") {
  Keeping job("state");
  job.write("state", "one");
  job.accept();
  job.take(job.files.digests(job.known).entries);
  CHECK(job.known.newest()->digest.size() == 16);
  CHECK(job.files.digests(job.known).entries.empty());
  job.write("state.1", "one");
  job.write("state", "ha");
  CHECK(job.start().generation == 1);
  CHECK(job.text("state") == "one");
  job.write("state.1", "two");  // that is another one
  job.write("state", "ha");
  CHECK(job.start().from.empty());
  CHECK(job.text("state") == "none");

  Keeping match("c-*");
  match.write("c-1", "one");
  match.accept();
  match.take(match.files.digests(match.known).entries);
  fs::remove(match.scratch / "c-1");
  match.write("run/kept/1/c-1", "one");
  CHECK(match.start().from == (match.scratch / "c-1").string());
  CHECK(match.text("c-1") == "one");
}

TEST_CASE("checkpoint files: nothing is removed in the folder from which a job was copied") {
  Keeping job("state");
  for (const auto* name : {"other/run/aside/1/state", "run/aside/1/state"}) {
    job.write(name, "half");
    job.take({SetAside{.to = (job.scratch / name).string()}});
  }
  job.take({SetAside{.to = (job.scratch / "run/aside/2/state").string()}});
  job.write("state", "one");
  job.accept();
  CHECK(job.text("other/run/aside/1/state") == "half");
  CHECK(job.text("run/aside/1/state") == "none");
}

TEST_CASE("checkpoint files: half of the first one is set aside, and the program starts anew") {
  Keeping job("state");
  job.write("state", "ha");
  CHECK(job.start().from.empty());
  CHECK(job.text("state") == "none");
  CHECK(job.text("run/aside/1/state") == "ha");
}

TEST_CASE("checkpoint files: what lies there at the first start is the user's, and is kept") {
  Keeping job("state");
  job.write("state", "given");
  job.write("state.1", "mine");
  CHECK(job.start(true).from == (job.scratch / "state").string());
  CHECK(job.text("state.1") == "given");
  CHECK(job.text("run/aside/1/state.1") == "mine");  // not one of ours
}

TEST_CASE("checkpoint files: a kept link into which the program writes is none") {
  Keeping job("state");
  job.replace("state", "one");
  job.accept();
  job.replace("state", "two");
  job.accept();
  job.write("state", "broken");  // and with it state.1, which is the same file
  job.known.take(Learned{"written"});
  job.start();
  CHECK(job.text("state") == "one");
  job.write("state", "three");
  CHECK(job.accept().said.size() == 1);
  CHECK(job.text("state.1") == "three");
  CHECK(job.text("state.2") == "one");
}

TEST_CASE("checkpoint files: a bad one is set aside for the one before, and all come back") {
  Keeping job("state", 3);
  for (const auto* text : {"one", "two", "three"}) {
    job.replace("state", text);
    job.accept();
  }
  auto aside = job.files.set_aside(job.known, 3, 1, false);
  job.take(aside.entries);
  CHECK(aside.left == 2);
  CHECK(job.text("state") == "none");
  CHECK(job.text("run/aside/1/state") == "three");
  CHECK(job.start().generation == 2);
  CHECK(job.text("state") == "two");
  aside = job.files.set_aside(job.known, 2, 2, false);
  job.take(aside.entries);
  CHECK(job.start().generation == 1);
  // The last one stays where it is, and so the rows of failing starts end.
  CHECK(job.files.set_aside(job.known, 1, 3, false).left == 0);
  CHECK(job.text("state") == "one");
  job.take(job.files.put_back(job.known));
  CHECK(job.text("state") == "three");
  CHECK(job.text("state.1") == "three");
  CHECK(job.text("state.2") == "two");
  CHECK(job.text("state.3") == "one");
}

TEST_CASE("checkpoint files: the last one is set aside only where the job may start from nothing") {
  Keeping job("state");
  job.write("state", "only");
  job.accept();
  CHECK(job.files.set_aside(job.known, 1, 1, true).file == (job.scratch / "state").string());
  CHECK(job.text("state") == "none");
  CHECK(job.files.set_aside(job.known, 0, 1, true).file.empty());
}

TEST_CASE(
    "checkpoint files: of a pattern the newest good one is given, and the half one moves away") {
  Keeping job("c-*.h5");
  job.write("c-1.h5", "one");
  job.accept();
  job.write("c-2.h5", "ha");
  CHECK(job.start().from == (job.scratch / "c-1.h5").string());
  CHECK(job.text("run/aside/1/c-2.h5") == "ha");
  // The program removes the only one.
  fs::remove(job.scratch / "c-1.h5");
  job.start();
  CHECK(job.text("c-1.h5") == "one");
}

TEST_CASE("checkpoint files: what a guard that was killed saw the program write is the job's") {
  Keeping job("c-*");
  job.write("c-1", "one");
  job.accept();
  for (const auto* name : {"c-2", "c-3", "c-4"}) {
    job.write(name, "half");
    const auto half = job.files.look((job.scratch / name).string());
    const bool is_noticed = name != std::string("c-4");
    if (is_noticed)
      job.take({Noticed{.file = half->path, .inode = half->inode, .changed = half->changed}});
    job.seen = Candidates(0, Marker::none);  // of the next guard
    job.start();
    CHECK(job.known.rejects().size() == (name == std::string("c-2") ? 1 : 2));
    ++job.launch;
  }
}

TEST_CASE("checkpoint files: a job that has finished leaves what it would have without a guard") {
  Keeping job("c-*");
  job.write("c-1", "one");
  job.accept();
  job.write("c-2", "half");
  static_cast<void>(job.seen.take(Looked{.now = 1, .files = job.files.files()}, job.known,
                                  [](const SeenFile&) { return Hold::none; }));
  job.start();
  job.write("c-3", "three");
  job.accept();
  CHECK(fs::exists(job.scratch / "run/aside/1/c-2"));
  CHECK(fs::exists(job.scratch / "run/kept"));
  job.launch = 2;
  job.write("c-4", "half");
  static_cast<void>(job.seen.take(Looked{.now = 2, .files = job.files.files()}, job.known,
                                  [](const SeenFile&) { return Hold::none; }));
  job.start();
  CHECK(job.files.finish(job.known) == std::vector{(job.scratch / "run/aside/2").string()});
  CHECK_FALSE(fs::exists(job.scratch / "run/aside/1"));
  CHECK_FALSE(fs::exists(job.scratch / "run/kept"));
  CHECK(job.text("c-3") == "three");
  // The last one, which the program has removed, and what others may have written, stay.
  job.write("c-5", "five");
  job.accept();
  job.launch = 3;
  job.write("c-6", "somebody's");
  job.seen = Candidates(0, Marker::none);
  job.start();
  fs::remove(job.scratch / "c-5");
  CHECK(job.files.finish(job.known).back() == (job.scratch / "run/aside/3").string());
  CHECK(fs::exists(job.scratch / "run/kept"));
}

TEST_CASE("checkpoint files: what may have been torn by a kill counts only if its job goes on") {
  const Generations none;
  for (const bool has_moved : {false, true}) {
    Candidates seen(1, Marker::none);
    static_cast<void>(seen.take(Launched{}, none, {}));
    if (has_moved) static_cast<void>(seen.take(MovedIn{"s"}, none, {}));
    const auto is_whole = [&](double now, Hold hold) {
      const Looked looked{.now = now, .files = {{.path = "s", .size = 1}}};
      const auto found = seen.take(looked, none, [&](const SeenFile&) { return hold; });
      return !found.whole.empty();
    };
    CHECK_FALSE(is_whole(0, Hold::open));
    CHECK_FALSE(is_whole(2, Hold::open));
    CHECK(is_whole(2.1, Hold::ended) == has_moved);  // a rename is atomic
    CHECK(is_whole(5.9, Hold::ended) == has_moved);
    CHECK(is_whole(6, Hold::ended));
    CHECK(is_whole(6, Hold::none));
  }
}

TEST_CASE("checkpoint files: of a file in a folder the folder is the checkpoint") {
  Keeping job("out/[0-9]*/U");
  job.disk.set_marker(job.files.inner_name());
  for (const auto* name : {"out/1/U", "out/1/p", "out/2/p"}) job.write(name, "text");
  job.start(true);
  job.write("out/2/U", "");
  CHECK(job.start().from == (job.scratch / "out/1/U").string());
  CHECK(fs::exists(job.scratch / "run/aside/1/2/p"));
  CHECK_FALSE(fs::exists(job.scratch / "out/2"));
}

TEST_CASE("checkpoint files: a folder that is rewritten in place is copied whole") {
  Keeping job("last", 1, "done");
  for (const auto* text : {"one", "two"}) {
    for (const auto* name : {"last/a", "last/b", "last/done"}) job.write(name, text);
    job.accept();
  }
  job.write("last/a", "three");  // b and the marker are those of the last save
  job.start();
  for (const auto* name : {"last/a", "last/b", "last.1/a"}) CHECK(job.text(name) == "two");
  CHECK(job.text("run/aside/1/last/a") == "three");
}

TEST_CASE("checkpoint files: of a link the file behind it is kept, and a link is given back") {
  Keeping job("latest");
  job.write("step_1", "one");
  fs::create_symlink("step_1", job.scratch / "latest");
  job.accept();
  CHECK_FALSE(fs::is_symlink(job.scratch / "latest.1"));
  job.write("step_2", "ha");
  fs::remove(job.scratch / "latest");
  fs::create_symlink("step_2", job.scratch / "latest");
  fs::remove(job.scratch / "step_1");
  job.start();
  CHECK(fs::read_symlink(job.scratch / "latest") == "step_1");
  CHECK(job.text("latest") == "one");
  CHECK(job.text("run/aside/1/step_2") == "ha");
}

TEST_CASE("checkpoint files: a small file that names its neighbour stands for it") {
  Keeping job("latest");
  job.write("step_1/model", "one");
  job.write("latest", "step_1\n");
  job.accept();
  job.write("latest", "");
  job.start();
  CHECK(job.text("latest") == "step_1\n");
}

TEST_CASE(
    "checkpoint files: letters that could be wildcards are letters where such a file exists") {
  Keeping job("run[1].ckpt");
  CHECK(job.files.is_pattern());
  job.write("run[1].ckpt", "text");
  CHECK_FALSE(job.files.is_pattern());
  job.accept();
  CHECK(job.text("run[1].ckpt.1") == "text");
}

TEST_CASE("checkpoint files: the folder that a small file names comes back with it") {
  Keeping job("out/latest");
  job.write("out/step_1/model", "one");
  job.write("out/latest", "step_1");
  job.accept();
  fs::remove_all(job.scratch / "out/step_1");  // the program lets the old one go first
  job.write("out/step_2/model", "ha");
  job.write("out/latest", "step_2");
  CHECK(job.start().generation == 1);
  CHECK(job.text("out/latest") == "step_1");
  CHECK(job.text("out/step_1/model") == "one");
}

TEST_CASE("checkpoint files: an older one goes only when the journal has the newer one") {
  Keeping path("state", 1);
  Keeping pattern("c-*");
  for (auto* job : {&path, &pattern}) {
    const bool is_path = job == &path;
    job->write(is_path ? "state" : "c-1", "one");
    job->accept();
    job->write(is_path ? "state" : "c-2", "two");
    Generations later = job->known;
    later.take(Accepted{.generation = 2, .file = job->files.files().back()});
    const std::int64_t number = 2;
    const auto out = job->files.keep(later, {&number, 1}, 1);
    job->files.let_go(job->known);
    CHECK(job->text(is_path ? "state.1" : "run/kept/2/c-2") == "two");
    CHECK(job->text(is_path ? "state.old.tmp" : "run/kept/1/c-1") == "one");
    job->known = later;
    job->take(out.entries);
    job->files.let_go(job->known);
    CHECK(job->text(is_path ? "state.old.tmp" : "run/kept/1/c-1") == "none");
  }
}

TEST_CASE("checkpoint files: files of one save that several processes wrote are good together") {
  Keeping job("c-*");
  for (const auto* name : {"c-1.0", "c-1.1"}) job.write(name, "whole");
  fs::last_write_time(job.scratch / "c-1.0", job.time - std::chrono::milliseconds(1));
  job.start(true);
  job.known.take(Learned{"replaced"});
  job.write("c-2.0", "whole");
  write_text(job.scratch / "c-2.1", "");  // at the same time
  fs::last_write_time(job.scratch / "c-2.1", job.time);
  job.start();
  for (const auto* name : {"run/aside/1/c-2.0", "c-1.0", "c-1.1"}) CHECK(job.text(name) == "whole");
  for (const auto* name : {"c-1.0", "c-1.1"}) CHECK(fs::remove(job.scratch / name));
  job.start();
  for (const auto* name : {"c-1.0", "c-1.1"}) CHECK(job.text(name) == "whole");
  CHECK(job.text("run/aside/1/c-2.1").empty());
}

TEST_CASE("checkpoint files: all of a job is moved away for another one, with its copies") {
  Keeping path("s");
  for (const auto* name : {"s", "s.1", "s.2", "s.log"}) path.write(name, name);
  CHECK(path.files.set_all_aside("inputs-1").value().size() == 3);
  CHECK(path.text("run/aside/inputs-1/s.2") == "s.2");
  CHECK(path.text("s.log") == "s.log");
  CHECK(path.files.set_all_aside("inputs-1").value().empty());
  Keeping pattern("c-*/done");
  for (const auto* name : {"c-1/done", "c-2/done"}) pattern.write(name, name);
  CHECK(pattern.files.set_all_aside("inputs-1").value().size() == 2);
  CHECK(pattern.text("run/aside/inputs-1/c-2/done") == "c-2/done");
}

TEST_CASE("checkpoint files: the lock of a pattern lies beside the folder of the matches") {
  const Keeping path("state");
  CHECK(fs::path(path.files.lock_file()) == path.scratch / ".state.guard");
  const Keeping pattern("out/c-*/done");
  CHECK(fs::path(pattern.files.lock_file()).parent_path() == fs::path(pattern.scratch.path()));
  const Keeping here("c-*");
  CHECK(fs::path(here.files.lock_file()).parent_path() ==
        fs::path(here.scratch.path()).parent_path());
}

TEST_CASE("checkpoint files: the journal of an earlier version remembers a file") {
  Keeping job("state");
  job.write("state", "old");
  write_text(job.scratch / "state.1", "old");  // its times were not kept
  const auto file = look_at((job.scratch / "state").string());
  REQUIRE(file);
  const auto line = Value::object({{"file", file->path},
                                   {"inode", std::to_string(file->inode)},
                                   {"size", static_cast<std::int64_t>(file->size)},
                                   {"changed", std::to_string(file->changed)}});
  job.known.take_old(*seen_file(line));
  CHECK(job.start().generation == 1);
  job.write("state", "ha");
  job.start();
  CHECK(job.text("state") == "old");
  CHECK_FALSE(seen_file(Value::object({{"file", "x"}})));
}

TEST_CASE("checkpoint files: a sparse copy has the digest of its source, and stays sparse") {
  const Scratch scratch;
  RealDisk disk({}, {});
  const std::string from = (scratch / "from").string();
  write_text(from, "begin");
  fs::resize_file(from, 100 << 20);
  const std::string to = (scratch / "to").string();
  REQUIRE(disk.copy(from, to) == 0);
  CHECK(fs::file_size(to) == 100 << 20);
  CHECK(disk.digest(to) == disk.digest(from));
  CHECK(same(*look_at(to), *look_at(from)));
  write_text(to, "other");
  fs::resize_file(to, 100 << 20);
  CHECK(disk.digest(to) != disk.digest(from));
}
