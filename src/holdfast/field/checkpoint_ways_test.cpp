// Programs that write checkpoints in every known way, a guard that looks and keeps, and kills between any two steps: all
// interleavings, on a small file system in memory.
#include "holdfast/field/checkpoint_files.hpp"
#include "holdfast/field/testing_memory.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cerrno>
#include <compare>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace holdfast;
using namespace holdfast::field;
using namespace holdfast::field::memory;

namespace {

struct Killed {};    ///< everything was killed, in the middle of what the guard did
struct Explored {};  ///< this state was seen before
/// What must never be, was.
struct Wrong {
  std::string what;
};

using Step = std::function<void(FileSystem&, int)>;

/// A program that saves by doing these steps; each process of it does its own, in any order among them.
struct Way {
  std::string name;
  std::string path;
  std::string marker = {};
  std::vector<std::vector<Step>> processes = {};
  bool breaks_links =
      false;  ///< it replaces its file, and then writes into it: a second name is no copy
};

std::string half(int number) {
  return fmt::format("{}(", number);
}
std::string rest(int number) {
  return fmt::format("{})", number);
}
bool is_whole_text(const std::string& text) {
  const auto open = text.find('(');
  return open != std::string::npos &&
         text == text.substr(0, open) + "(" + text.substr(0, open) + ")";
}

using Name = std::function<std::string(int)>;

std::vector<Step> writes(const Name& name) {
  return {[=](FileSystem& fs, int n) { fs.create(name(n)); },
          [=](FileSystem& fs, int n) { fs.write(name(n), half(n)); },
          [=](FileSystem& fs, int n) { fs.write(name(n), rest(n)); },
          [=](FileSystem& fs, int n) { fs.close(name(n)); }};
}

std::vector<Step> operator+(std::vector<Step> a, const std::vector<Step>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const Name kName = [](int) { return std::string("s"); };
const Name kTemporary = [](int) { return std::string("t"); };
const Name kNumbered = [](int n) { return fmt::format("c-{}", n); };
const Name kIn(const std::string& folder, const std::string& inner) {
  return [=](int n) { return fmt::format("out/{}-{}/{}", folder, n, inner); };
}

std::vector<Way> all_ways() {
  const auto rename = [](const Name& from, const Name& to) {
    return Step([=](FileSystem& fs, int n) { fs.rename(from(n), to(n)); });
  };
  const auto marks = [](const Name& name) {
    return std::vector<Step>{[=](FileSystem& fs, int n) { fs.create(name(n)); },
                             [=](FileSystem& fs, int n) {
                               fs.write(name(n), half(n) + rest(n));
                               fs.close(name(n));
                             }};
  };
  const Step removes_older = [](FileSystem& fs, int n) { fs.remove(fmt::format("c-{}", n - 1)); };
  const Step points = [](FileSystem& fs, int n) {
    fs.pointed["s"] = kNumbered(n);
    fs.events.emplace_back("s", true);
  };
  const auto folder = [](int n) { return fmt::format("out/c-{}", n); };
  const auto barrier = Step();  // until the other processes have ended
  return {
      {.name = "replaced by rename",
       .path = "s",
       .processes = {writes(kTemporary) + std::vector<Step>{rename(kTemporary, kName)}}},
      {.name = "written in place", .path = "s", .processes = {writes(kName)}},
      {.name = "old one renamed away",
       .path = "s",
       .processes = {std::vector<Step>{rename(kName, [](int) { return std::string("s.bak"); })} +
                     writes(kName)}},
      {.name = "deleted and created",
       .path = "s",
       .processes = {std::vector<Step>{[](FileSystem& fs, int) { fs.remove("s"); }} +
                     writes(kName)}},
      {.name = "replaced, but now and then in place",
       .path = "s",
       .processes = {std::vector<Step>{
           [](FileSystem& fs, int n) { fs.create(n % 2 == 1 ? "t" : "s"); },
           [](FileSystem& fs, int n) { fs.write(n % 2 == 1 ? "t" : "s", half(n)); },
           [](FileSystem& fs, int n) { fs.write(n % 2 == 1 ? "t" : "s", rest(n)); },
           [](FileSystem& fs, int n) {
             fs.close(n % 2 == 1 ? "t" : "s");
             if (n % 2 == 1) fs.rename("t", "s");
           }}},
       .breaks_links = true},
      {.name = "numbered files", .path = "c-*", .processes = {writes(kNumbered)}},
      {.name = "numbered files, the older one removed",
       .path = "c-*",
       .processes = {std::vector<Step>{removes_older} + writes(kNumbered)}},
      {.name = "a link to the newest",
       .path = "s",
       .processes = {writes(kNumbered) + std::vector<Step>{points, removes_older}}},
      {.name = "a text that names the newest",
       .path = "s",
       .processes = {writes(kNumbered) +
                     std::vector<Step>{[](FileSystem& fs, int) { fs.create("s"); },
                                       [](FileSystem& fs, int n) {
                                         fs.write("s", kNumbered(n));
                                         fs.close("s");
                                       }}}},
      {.name = "folders with a marker",
       .path = "out/c-*",
       .marker = "done",
       .processes = {writes(kIn("c", "a")) + marks(kIn("c", "done"))}},
      {.name = "folders by two processes, a marker behind a barrier",
       .path = "out/c-*",
       .marker = "done",
       .processes = {writes(kIn("c", "a")) + std::vector<Step>{barrier} + marks(kIn("c", "done")),
                     writes(kIn("c", "b"))}},
      {.name = "folders that are renamed into place",
       .path = "out/c-*",
       .processes = {writes(kIn("t", "a")) + writes(kIn("t", "b")) +
                     std::vector<Step>{
                         rename([](int n) { return fmt::format("out/t-{}", n); }, folder)}}},
      {.name = "folders, the older one removed first",
       .path = "out/c-*",
       .marker = "done",
       .processes = {std::vector<Step>{
                         [](FileSystem& fs, int n) { fs.remove(fmt::format("out/c-{}/a", n - 1)); },
                         [](FileSystem& fs, int n) { fs.remove(fmt::format("out/c-{}", n - 1)); }} +
                     writes(kIn("c", "a")) + marks(kIn("c", "done"))}},
      {.name = "a folder that is rewritten in place",
       .path = "d",
       .marker = "done",
       .processes = {writes([](int) { return std::string("d/a"); }) +
                     marks([](int) { return std::string("d/done"); })}},
  };
}

/// The whole of it: program, guard, files.
struct World {
  FileSystem files;
  Generations known;
  Candidates candidates{0, Marker::none};
  std::vector<std::size_t> places;  ///< how far each process is with its save
  int saves = 0;                    ///< saves that were begun
  int kills = 0;
  int launches = 0;
  bool runs = false;
  friend auto operator<=>(const World&, const World&) = default;
};

constexpr int kSaves = 2;

class Explorer {
 public:
  Explorer(Way way, int kills) : way_(std::move(way)), kills_(kills) {}

  /// Explores everything, and returns the number of different states.
  std::size_t explore() {
    World world;
    world.candidates = Candidates(0, marker());
    // A file that the user has beside the checkpoints.
    if (way_.path == "s") {
      world.files.create("s.1");
      world.files.write("s.1", "user");
      world.files.close("s.1");
      world.files.events.clear();
    }
    launch(world);
    while (!open_.empty()) {
      const World next = std::move(open_.front());
      open_.pop_front();
      expand(next);
    }
    return seen_.size();
  }

 private:
  CheckpointFiles::Settings settings() const {
    return {.path = way_.path,
            .keep = 2,
            .directory = "run",
            .settle = 0,
            .proves = !way_.marker.empty()};
  }
  Marker marker() const {
    if (way_.marker.empty()) return Marker::none;
    return way_.path == "d" ? Marker::closes : Marker::proves;
  }

  void add(const World& world) {
    check(world);
    if (seen_.insert(world).second) open_.push_back(world);
  }

  // Returns true if process `which` can do a step.
  bool can_step(const World& world, std::size_t which) const {
    const auto& steps = way_.processes[which];
    if (!world.runs || world.places[which] == steps.size()) return false;
    if (steps[world.places[which]]) return true;
    for (std::size_t other = 0; other < way_.processes.size(); ++other) {
      if (other != which && world.places[other] < way_.processes[other].size()) return false;
    }
    return true;
  }
  void step(World& world, std::size_t which) const {
    constexpr int kTick = 1000;
    world.files.clock = kTick * (100 * world.saves + static_cast<int>(world.places[which]));
    const Step& one = way_.processes[which][world.places[which]++];
    if (one) one(world.files, world.saves);
  }
  bool can_save(const World& world) const {
    for (std::size_t which = 0; which < world.places.size(); ++which) {
      if (world.places[which] < way_.processes[which].size()) return false;
    }
    return world.runs && world.saves < kSaves;
  }
  static void begin_save(World& world) {
    ++world.saves;
    std::ranges::fill(world.places, 0);
  }

  void expand(const World& world) {
    for (std::size_t which = 0; which < world.places.size(); ++which) {
      if (!can_step(world, which)) continue;
      World next = world;
      step(next, which);
      add(next);
    }
    if (can_save(world)) {
      World next = world;
      begin_save(next);
      add(next);
    }
    look(world);
    if (world.kills < kills_) {
      World next = world;
      kill(next);
      launch(next);  // the program alone was killed
      next.candidates = Candidates(0, marker());
      next.files.events.clear();
      launch(next);  // all of it was
    }
  }

  static void kill(World& world) {
    ++world.kills;
    world.runs = false;
    for (auto& [inode, file] : world.files.files) file.is_open = false;
  }

  Finding see(World& world, const Sight& sight) const {
    Finding out = world.candidates.take(sight, world.known, [&](const SeenFile& file) {
      return std::ranges::any_of(
                 world.files.below(world.files.real(file.path)),
                 [&](const std::string& name) { return world.files.file(name)->is_open; }) ||
             (!file.target.empty() && world.files.file(file.target) != nullptr &&
              world.files.file(file.target)->is_open);
    });
    if (out.learned) world.known.take(*out.learned);
    return out;
  }
  void read_events(World& world, const CheckpointFiles& files) const {
    for (const auto& [name, has_moved] : std::exchange(world.files.events, {})) {
      const std::string path = files.checkpoint_named(parent_of(name), last_of(name));
      if (path.empty()) continue;
      if (has_moved) {
        see(world, MovedIn{path});
      } else {
        see(world, Written{path});
      }
    }
  }

  void look(const World& before) {
    if (!before.runs) return;
    World world = before;
    MemoryDisk disk(world.files, way_.marker);
    const CheckpointFiles files(settings(), disk);
    read_events(world, files);
    const Finding finding = see(world, Looked{.now = 0, .files = files.files()});
    std::vector<std::int64_t> numbers;
    for (const SeenFile& file : finding.whole) {
      must(is_whole(world.files, file.path), "half of " + file.path + " was accepted", world);
      numbers.push_back(world.known.next());
      world.known.take(
          Accepted{.generation = world.known.next(), .evidence = finding.evidence, .file = file});
      see(world, Took{file});
    }
    if (numbers.empty()) {
      add(world);
    } else {
      keep(world, numbers, finding.whole);
    }
  }

  // Keeps, while the program goes on or everything is killed between any two operations.
  void keep(const World& before, const std::vector<std::int64_t>& numbers,
            const std::vector<SeenFile>& whole) {
    interleave(before, [&](World& world, MemoryDisk& disk) {
      const CheckpointFiles files(settings(), disk);
      const auto outcome = files.keep(world.known, numbers, world.launches);
      for (const Entry& entry : outcome.entries) world.known.take(entry);
      disk.hook = [](const std::string&, bool) {};
      for (const SeenFile& file : whole) {
        const auto now = disk.look(file.path);
        if (!outcome.is_lost && now && same(*now, file)) see(world, Took{*now});
      }
      add(world);
    });
  }

  void launch(const World& before) {
    interleave(before, [&](World& world, MemoryDisk& disk) {
      const CheckpointFiles files(settings(), disk);
      read_events(world, files);
      const bool is_first = world.launches == 0 && world.known.empty();
      const auto outcome =
          files.prepare(world.known, world.candidates,
                        {.is_first = is_first, .began_empty = true, .launch = world.launches + 1});
      for (const Entry& entry : outcome.entries) {
        if (const auto* accepted = std::get_if<Accepted>(&entry)) {
          must(is_whole(world.files, accepted->file.path),
               "half of " + accepted->file.path + " was accepted after an end", world);
        }
        world.known.take(entry);
      }
      disk.hook = [](const std::string&, bool) {};
      must(outcome.from.empty() || is_whole(world.files, outcome.from),
           "a start from half of " + outcome.from, world);
      const bool is_lost =
          outcome.from.empty() && std::ranges::any_of(world.known.all(), [](const Generation& one) {
            return one.state == Generation::State::kept;
          });
      must(!is_lost || way_.breaks_links, "a start from the beginning, although one is kept",
           world);
      ++world.launches;
      world.runs = true;
      world.places.clear();
      for (const auto& steps : way_.processes) world.places.push_back(steps.size());
      world.files.events.clear();
      see(world, Launched{files.files()});
      add(world);
    });
  }

  /// Does `work` once for each order in which others do something before its operations on the disk.
  void interleave(const World& before, const std::function<void(World&, MemoryDisk&)>& work) {
    std::vector<std::vector<int>> open = {{}};
    std::set<std::pair<World, std::string>> visited;
    while (!open.empty()) {
      const std::vector<int> choices = std::move(open.back());
      open.pop_back();
      World world = before;
      MemoryDisk disk(world.files, way_.marker);
      std::size_t next = 0;
      std::vector<int> made;
      const int processes = static_cast<int>(world.places.size());
      disk.hook = [&](const std::string& seen, bool matters) {
        if (!matters && kills_ == 1) return;  // the quick test lets others act before changes only
        for (;;) {
          int choice = 0;
          if (next < choices.size()) {
            choice = choices[next];
          } else {
            check(world);
            if (!visited.emplace(world, seen).second) throw Explored();
            for (int other = 1; other <= processes + 2; ++other) {
              const bool is_step = other <= processes;
              const bool can = is_step ? can_step(world, static_cast<std::size_t>(other - 1))
                               : other == processes + 1 ? can_save(world)
                                                        : world.kills < kills_;
              if (!can) continue;
              auto another = made;
              another.push_back(other);
              open.push_back(std::move(another));
            }
          }
          ++next;
          made.push_back(choice);
          if (choice == 0) return;
          if (choice <= processes) step(world, static_cast<std::size_t>(choice - 1));
          if (choice == processes + 1) begin_save(world);
          if (choice == processes + 2) throw Killed();
        }
      };
      try {
        work(world, disk);
      } catch (const Explored&) {
      } catch (const Killed&) {
        kill(world);
        world.known = before.known;
        world.candidates = Candidates(0, marker());
        world.files.events.clear();
        waiting_.push_back(world);
      }
    }
    while (!waiting_.empty()) {
      const World world = std::move(waiting_.back());
      waiting_.pop_back();
      if (killed_.insert(world).second) launch(world);
    }
  }

  bool is_whole(const FileSystem& files, const std::string& path) const {
    std::set<std::string> numbers;
    const auto read = [&](const std::string& name) {
      const std::string& text = files.file(name)->text;
      numbers.insert(text.substr(0, text.find('(')));
      return is_whole_text(text);
    };
    const std::string real = files.real(path);
    if (const File* pointer = files.file(real);
        pointer != nullptr && files.names.contains(pointer->text))
      return read(pointer->text);
    const auto inner = files.below(real);
    const bool has_all = !inner.empty() && std::ranges::all_of(inner, read) && numbers.size() == 1;
    return has_all && (way_.marker.empty() || files.names.contains(real + "/" + way_.marker)) &&
           inner.size() >= (way_.processes.size() > 1 ? 3 : 1);
  }

  // What must hold between any two steps.
  void check(const World& world) const {
    // The newest that was kept is somewhere, whole.
    const Generation* newest = nullptr;
    for (const Generation& one : world.known.all()) {
      if (one.state == Generation::State::kept) newest = &one;
    }
    const FileSystem& files = world.files;
    if (newest != nullptr) {
      std::set<std::string> places;
      for (const auto& [name, inode] : files.names) {
        for (std::string path = name; path != "."; path = parent_of(path)) places.insert(path);
      }
      for (const auto& [name, target] : files.pointed) places.insert(name);
      const bool is_there = std::ranges::any_of(places, [&](const std::string& place) {
        const auto there = look_at_memory(files, place, way_.marker);
        return there && same(*there, newest->copy.value_or(newest->file)) && is_whole(files, place);
      });
      must(is_there || way_.breaks_links, fmt::format("generation {} is nowhere", newest->number),
           world);
    }
    const auto has_user = [](const auto& one) { return one.second.text == "user"; };
    must(way_.path != "s" || std::ranges::any_of(files.files, has_user),
         "a file of the user was removed", world);
    // Some programs die of names that they do not know.
    for (const auto& [name, inode] : files.names) {
      const bool is_known =
          !name.starts_with("out/") || ::fnmatch("out/[ct]-[0-9]/*", name.c_str(), 0) == 0;
      must(is_known && (way_.path != "c-*" || ::fnmatch("c-[0-9]", name.c_str(), 0) == 0 ||
                        name.starts_with("run/")),
           "found " + name, world);
    }
  }

  static void must(bool holds, const std::string& what, const World& world) {
    if (holds) return;
    std::string out = what + ", with";
    for (const auto& [name, inode] : world.files.names)
      out += fmt::format(" {}={}", name, world.files.files.at(inode).text);
    for (const auto& [name, target] : world.files.pointed)
      out += fmt::format(" {}->{}", name, target);
    for (const Generation& one : world.known.all()) {
      out += fmt::format("; {} {} evidence {} state {} changed {}", one.number, one.file.path,
                         static_cast<int>(one.evidence), static_cast<int>(one.state),
                         one.file.changed);
    }
    throw Wrong{fmt::format("{}; after {} launches, {} saves, {} kills", out, world.launches,
                            world.saves, world.kills)};
  }

  Way way_;
  int kills_;
  std::set<World> seen_;
  std::set<World> killed_;
  std::vector<World> waiting_;
  std::deque<World> open_;
};

/// Explores the ways of writing of so many processes, and returns how many states there are.
std::size_t explore_all(int kills, std::size_t processes) {
  std::size_t states = 0;
  for (const Way& way : all_ways()) {
    if (way.processes.size() != processes) continue;
    CAPTURE(way.name);
    try {
      states += Explorer(way, kills).explore();
    } catch (const Wrong& wrong) {
      FAIL_CHECK(wrong.what);
    }
  }
  return states;
}

}  // namespace

TEST_CASE("ways of writing: no interleaving loses a checkpoint or starts from half of one") {
  CHECK(explore_all(1, 1) > 10'000);
}

// Open: two ways still fail with two kills, where an older copy goes before the entry of the newer one is in the journal (folders,
// the older one removed first; a folder that is rewritten in place). This turns red when they no longer do.
TEST_CASE("ways of writing: neither does any with two kills" * doctest::test_suite("slow") *
          doctest::expected_failures(2)) {
  CHECK(explore_all(2, 1) > 30'000);
}

// Two writers have 200 times as many interleavings as one.
TEST_CASE("ways of writing: neither does any of two writers" * doctest::test_suite("slow")) {
  CHECK(explore_all(1, 2) > 200'000);
}
