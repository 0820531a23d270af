// Programs that write checkpoints in every known way, a guard that looks and keeps, and kills between any two steps: all
// interleavings, on a small file system in memory.
#include "holdfast/field/checkpoint_files.hpp"
#include "holdfast/field/testing_memory.hpp"
#include "holdfast/field/testing_ways.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
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
  bool is_dead = false;  ///< the program was killed, and the guard does not know it yet
};

constexpr int kSaves = 2;
constexpr int kGuard = 9;  ///< the owner of what the guard makes

/// Gives equal values the same number, so that sets of states are small and are compared fast.
template <class T>
class Numbers {
 public:
  int number(const T& value) {
    return all_.emplace(value, static_cast<int>(all_.size())).first->second;
  }

 private:
  std::map<T, int> all_;
};

class Explorer {
 public:
  /// @param is_quick  true: others act before changes only, and not before looks
  Explorer(Way way, int kills, bool is_quick)
      : way_(std::move(way)), kills_(kills), is_quick_(is_quick) {}

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
    if (seen_.insert(key_of(world)).second) open_.push_back(world);
  }

  /// What distinguishes two states.
  using Key = std::vector<int>;
  Key key_of(const World& world) {
    Key out = {files_.number(world.files),
               known_.number(world.known),
               candidates_.number(world.candidates),
               world.saves,
               world.kills,
               world.launches,
               (world.runs ? 1 : 0) + (world.is_dead ? 2 : 0)};
    for (const std::size_t place : world.places) out.push_back(static_cast<int>(place));
    return out;
  }
  // Leaves of the events what a guard will read of them: of each checkpoint those that differ from the one before.
  void forget_noise(FileSystem& files) const {
    auto& events = files.events;
    std::erase_if(events, [&](const auto& one) {
      return names_.checkpoint_named(parent_of(one.first), last_of(one.first)).empty();
    });
    std::ranges::stable_sort(events, {}, &std::pair<std::string, bool>::first);
    events.erase(std::unique(events.begin(), events.end()), events.end());
  }

  // Returns true if process `which` can do a step.
  bool can_step(const World& world, std::size_t which) const {
    const auto& steps = way_.processes[which];
    if (!world.runs || world.is_dead || world.places[which] == steps.size()) return false;
    if (steps[world.places[which]]) return true;
    for (std::size_t other = 0; other < way_.processes.size(); ++other) {
      if (other != which && world.places[other] < way_.processes[other].size()) return false;
    }
    return true;
  }
  void step(World& world, std::size_t which) const {
    constexpr int kTick = 1000;
    const auto tick = 100 * world.saves + static_cast<int>(world.places[which]);
    world.files.moment = {.clock = kTick * tick, .owner = static_cast<int>(which)};
    const Step& one = way_.processes[which][world.places[which]++];
    if (one) one(world.files, world.saves);
    forget_noise(world.files);
  }
  bool can_save(const World& world) const {
    for (std::size_t which = 0; which < world.places.size(); ++which) {
      if (world.places[which] < way_.processes[which].size()) return false;
    }
    return world.runs && !world.is_dead && world.saves < kSaves &&
           (!way_.is_noticed || is_noticed(world));
  }
  bool is_noticed(const World& world) const {
    const auto changed = world.candidates.changed();
    return world.files.named(way_.path).empty() || world.known.at(way_.path) != nullptr ||
           std::ranges::any_of(changed, [](const SeenFile& file) { return !file.target.empty(); });
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
    if (world.is_dead) {
      World next = world;
      next.runs = next.is_dead = false;
      launch(next);  // the guard notices that it has ended
    } else if (world.kills < kills_) {
      World next = world;
      die(next);
      add(next);
    }
    if (world.kills < kills_) {
      World next = world;
      kill(next);
      launch(next);
    }
  }

  // The program is killed; what it had open is closed, and the guard may look and keep before it learns of that.
  static void die(World& world) {
    ++world.kills;
    world.is_dead = true;
    for (auto& [inode, file] : world.files.files) file.is_open = false;
  }
  // Everything is killed, and with the guard what it had seen.
  void kill(World& world) const {
    die(world);
    world.runs = world.is_dead = false;
    world.candidates = Candidates(0, marker());
    world.files.events.clear();
  }

  Finding see(World& world, const Sight& sight) const {
    Finding out = world.candidates.take(sight, world.known, [&](const SeenFile& file) {
      const bool is_open = std::ranges::any_of(world.files.below(world.files.real(file.path)),
                                               [&](const std::string& name) {
                                                 return world.files.file(name)->is_open;
                                               }) ||
                           (!file.target.empty() && world.files.file(file.target) != nullptr &&
                            world.files.file(file.target)->is_open);
      return is_open ? Hold::open : world.is_dead ? Hold::ended : Hold::none;
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
    if (finding.whole.empty()) {
      add(world);
    } else {
      keep(world, finding);
    }
  }

  // Writes entries into the journal.
  static void take(World& world, MemoryDisk& disk, std::span<const Entry> entries) {
    for (const Entry& entry : entries) {
      world.known.take(entry);
      disk.pause();
    }
  }

  // Keeps, while the program goes on or everything is killed between any two operations.
  void keep(const World& before, const Finding& finding) {
    interleave(before, [&](World& world, MemoryDisk& disk) {
      const CheckpointFiles files(settings(), disk);
      std::vector<std::int64_t> numbers;
      for (const SeenFile& file : finding.whole) {
        // Others were at work before the second of them only after the first was accepted.
        must(is_whole(before.files, file.path), "half of " + file.path + " was accepted", world);
        numbers.push_back(world.known.next());
        const Accepted entry{
            .generation = numbers.back(), .evidence = finding.evidence, .file = file};
        see(world, Took{file});
        take(world, disk, std::vector<Entry>{entry});
      }
      files.let_go(world.known);
      const auto outcome = files.keep(world.known, numbers, world.launches);
      take(world, disk, outcome.entries);
      if (!outcome.is_lost) files.let_go(world.known);
      take(world, disk, files.digests(world.known).entries);
      disk.hook = [](const std::string&, bool) {};
      for (const SeenFile& file : finding.whole) {
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
      files.let_go(world.known);
      const auto outcome =
          files.prepare(world.known, world.candidates,
                        {.is_first = is_first, .began_empty = true, .launch = world.launches + 1});
      for (const Entry& entry : outcome.entries) {
        const auto* accepted = std::get_if<Accepted>(&entry);
        must(accepted == nullptr || is_whole(world.files, accepted->file.path),
             "half of something was accepted after an end", world);
      }
      take(world, disk, outcome.entries);
      must(outcome.from.empty() || is_whole(world.files, outcome.from),
           "a start from half of " + outcome.from, world);
      const bool is_lost =
          outcome.from.empty() && std::ranges::any_of(world.known.all(), [](const Generation& one) {
            return one.state == Generation::State::kept;
          });
      must(!is_lost || way_.breaks_links, "a start from the beginning, although one is kept",
           world);
      must(outcome.generation == 0 ||
               world.known.numbered(outcome.generation)->state == Generation::State::kept,
           "a start from one that is not kept", world);
      must(!outcome.from.empty() || !world.files.pointed.contains(way_.path),
           "a start from the beginning, beside a link to nothing", world);
      ++world.launches;
      world.runs = true;
      world.places.clear();
      for (const auto& steps : way_.processes) world.places.push_back(steps.size());
      world.files.events.clear();
      see(world, Launched{look_quietly(world)});
      files.let_go(world.known);  // while the program works
      add(world);
    });
  }
  [[nodiscard]] std::vector<SeenFile> look_quietly(World& world) const {
    MemoryDisk disk(world.files, way_.marker);
    return CheckpointFiles(settings(), disk).files();
  }

  /// Does `work` once for each order in which others do something before its operations on the disk.
  void interleave(const World& before, const std::function<void(World&, MemoryDisk&)>& work) {
    std::vector<std::vector<int>> open = {{}};
    std::set<std::pair<Key, std::string>> visited;
    while (!open.empty()) {
      const std::vector<int> choices = std::move(open.back());
      open.pop_back();
      World world = before;
      world.files.moment.owner = kGuard;
      MemoryDisk disk(world.files, way_.marker);
      std::size_t next = 0;
      std::vector<int> made;
      disk.hook = [&](const std::string& seen, bool matters) {
        if (!matters && is_quick_) return;
        for (;;) {
          int choice = 0;
          if (next < choices.size()) {
            choice = choices[next];
          } else {
            check(world);
            if (!visited.emplace(key_of(world), seen).second) throw Explored();
            for (const int other : others(world, matters)) {
              auto another = made;
              another.push_back(other);
              open.push_back(std::move(another));
            }
          }
          ++next;
          made.push_back(choice);
          if (choice == 0) return;
          const int processes = static_cast<int>(way_.processes.size());
          if (choice <= processes) step(world, static_cast<std::size_t>(choice - 1));
          if (choice == processes + 1) begin_save(world);
          if (choice == processes + 2) throw Killed();
          if (choice == processes + 3) die(world);
          world.files.moment.owner = kGuard;
        }
      };
      try {
        work(world, disk);
      } catch (const Explored&) {
      } catch (const Killed&) {
        kill(world);
        waiting_.push_back(world);
      }
    }
    while (!waiting_.empty()) {
      const World world = std::move(waiting_.back());
      waiting_.pop_back();
      if (killed_.insert(key_of(world)).second) launch(world);
    }
  }
  /// Returns what others can do now. A kill before a mere look is one before the next change.
  [[nodiscard]] std::vector<int> others(const World& world, bool matters) const {
    const int processes = static_cast<int>(way_.processes.size());
    std::vector<int> out;
    for (int other = 1; other <= processes; ++other) {
      if (can_step(world, static_cast<std::size_t>(other - 1))) out.push_back(other);
    }
    if (can_save(world)) out.push_back(processes + 1);
    if (matters && world.kills < kills_) {
      out.push_back(processes + 2);
      if (world.runs && !world.is_dead) out.push_back(processes + 3);
    }
    return out;
  }

  bool is_whole(const FileSystem& files, const std::string& path) const {
    std::set<std::string> numbers;
    const auto read = [&](const std::string& name) {
      const std::string& text = files.file(name)->text;
      numbers.insert(text.substr(0, text.find('(')));
      return is_whole_text(text);
    };
    const std::string real = files.real(path);
    if (const std::string named = files.named(real); !named.empty()) return read(named);
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
  bool is_quick_;
  FileSystem nothing_;
  MemoryDisk none_{nothing_, way_.marker};
  CheckpointFiles names_{settings(), none_};
  Numbers<FileSystem> files_;
  Numbers<Generations> known_;
  Numbers<Candidates> candidates_;
  std::set<Key> seen_;
  std::set<Key> killed_;
  std::vector<World> waiting_;
  std::deque<World> open_;
};

/// Explores all ways of writing, and returns how many states there are.
std::size_t explore_all(int kills, bool is_quick) {
  std::size_t states = 0;
  for (const Way& way : all_ways()) {
    CAPTURE(way.name);
    try {
      states += Explorer(way, kills, is_quick).explore();
    } catch (const Wrong& wrong) {
      FAIL_CHECK(wrong.what);
    }
  }
  return states;
}

}  // namespace

TEST_CASE("ways of writing: no interleaving loses a checkpoint or starts from half of one") {
  CHECK(explore_all(1, true) > 30'000);
}

TEST_CASE("ways of writing: neither does any with two kills" * doctest::test_suite("slow")) {
  CHECK(explore_all(2, false) > 100'000);
}
