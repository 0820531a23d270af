#pragma once

#include "holdfast/base/value.hpp"

#include <compare>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace holdfast::field {

/// A checkpoint as it was when it was looked at: a file, a folder with all that is in it, or what a pointer names.
struct SeenFile {
  std::string path;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;  ///< bytes, of all files
  /// Time of the last change of any file, in nanoseconds on the clock of the file system.
  std::int64_t changed = 0;
  bool is_folder = false;
  std::string target =
      {};  ///< what a pointer says: the text of a link, or of a small file that names its neighbour
  std::uint64_t print =
      0;  ///< of a folder or a pointer: a hash of all names, sizes and times of change
  std::uint64_t touched = 0;  ///< a hash of the inodes and the times at which these changed
  std::int64_t empty = 0;     ///< number of files of 0 bytes
  std::int64_t marked = 0;  ///< time of the marker in the folder; 0: there is none, or it is empty
  friend auto operator<=>(const SeenFile&, const SeenFile&) = default;
};

/// Returns true if sizes, times and names tell of the same contents. Copies and links that keep the times are the same.
[[nodiscard]] bool same(const SeenFile& a, const SeenFile& b);

/// Why a checkpoint counts as complete (README of this folder).
enum class Evidence : std::uint8_t {
  given,
  told,
  verified,
  marked,
  moved,
  settled,
  replaced,
  equal,
  old
};

/// A checkpoint that was accepted.
struct Generation {
  std::int64_t number = 0;
  SeenFile file;
  Evidence evidence = Evidence::settled;
  enum class State : std::uint8_t {
    accepted,
    kept,  ///< it exists on the disk, under a name that the program does not write if it writes one name again and again
    bad,   ///< starts from it failed
    gone,  ///< written over before it was kept
  };
  State state = State::accepted;
  std::optional<SeenFile> copy = {};  ///< the copy, if its times are not those of the file
  std::string digest = {};
  friend auto operator<=>(const Generation&, const Generation&) = default;
};

// What a journal remembers of checkpoints. Nothing else is remembered.
struct Accepted {  ///< this generation is complete
  std::int64_t generation = 0;
  Evidence evidence = Evidence::settled;
  SeenFile file = {};
};
struct Kept {  ///< it is on the disk, and older ones may go
  std::int64_t generation = 0;
  std::string place = {};  ///< the name of its copy or link
  std::string digest = {};
  double seconds = 0;
  SeenFile file = {};  ///< the copy
};
struct Lost {  ///< the program wrote over it before it was kept
  std::int64_t generation = 0;
};
struct
    Learned {  ///< how the program writes: "replaced", by rename; or "written", in any other way, which is never forgotten
  std::string way;
};
/// Something was moved away. Generation 0: the job wrote it, and it was never accepted; -1: who wrote it is not known.
struct SetAside {
  std::int64_t generation = 0;
  std::string file = {};
  std::string to = {};
};
struct PutBack {  ///< moved back
  std::int64_t generation = 0;
  std::string file;
};
struct Noticed {  ///< the program was seen to write it
  std::string file = {};
  std::uint64_t inode = 0;
  std::int64_t changed = 0;  ///< its last change then
  friend auto operator<=>(const Noticed&, const Noticed&) = default;
};
using Entry = std::variant<Accepted, Kept, Lost, Learned, SetAside, PutBack, Noticed>;

/// Returns an entry as a line of a journal, with its `kind`.
[[nodiscard]] Value to_value(const Entry& entry);
/// Returns the entry of such a line; nothing if it is of another kind.
[[nodiscard]] std::optional<Entry> entry_of(const Value& line);
/// Returns a file as the members of an entry.
[[nodiscard]] Value to_value(const SeenFile& file);
/// Returns the file of such an entry; nothing if the entry has none.
[[nodiscard]] std::optional<SeenFile> seen_file(const Value& entry);

/// The generations of a job, oldest first: the state that results from the entries. Of many, the newest are remembered, more than a
/// guard keeps.
class Generations {
 public:
  void take(const Entry& entry);
  /// Takes the file of a `checkpoint` of a journal that knew no generations: a generation of an unknown way.
  void take_old(const SeenFile& file);

  /// Returns entries from which the same state results.
  [[nodiscard]] std::vector<Entry> entries() const;

  [[nodiscard]] std::int64_t next() const { return all_.empty() ? 1 : all_.back().number + 1; }
  [[nodiscard]] const std::deque<Generation>& all() const { return all_; }
  [[nodiscard]] bool empty() const { return all_.empty(); }
  /// Returns the generation of this number; null if there is none.
  [[nodiscard]] const Generation* numbered(std::int64_t number) const;
  /// Returns true if a file is no younger than what is forgotten: whether it was accepted is not known any more.
  [[nodiscard]] bool is_forgotten(const SeenFile& file) const {
    return !all_.empty() && all_.front().number > 1 && file.changed <= all_.front().file.changed;
  }
  /// Returns the newest generation that is good; null if there is none.
  [[nodiscard]] const Generation* newest() const;
  /// Returns the newest good generation with the contents of this file, whatever its name; null if there is none.
  [[nodiscard]] const Generation* find(const SeenFile& file) const;
  /// Returns the newest generation of this path, good or bad; null if there is none.
  [[nodiscard]] const Generation* at(std::string_view path) const;
  /// Returns true if the program was seen to replace its file by rename, and never to write in another way.
  [[nodiscard]] bool is_replaced() const { return was_renamed_ && !was_written_; }
  [[nodiscard]] bool was_renamed() const { return was_renamed_; }
  [[nodiscard]] bool was_written() const { return was_written_; }
  /// Returns true if there is nothing in it, or if it names nothing, or a file in it is empty, although earlier generations were not
  /// so.
  [[nodiscard]] bool is_hollow(const SeenFile& file) const;
  /// Returns true if the program was seen to write this file, about when it last changed. Others may have written it since.
  [[nodiscard]] bool was_noticed(const SeenFile& file) const;
  /// Returns what the job wrote and was set aside without being accepted, oldest first.
  [[nodiscard]] std::span<const std::string> rejects() const { return rejects_; }
  /// Returns those of them that may go: a newer one was set aside, and then a checkpoint was kept.
  [[nodiscard]] std::span<const std::string> spent() const { return rejects().first(spent_); }
  friend auto operator<=>(const Generations&, const Generations&) = default;

 private:
  void add(Generation one);
  Generation* number(std::int64_t number) { return const_cast<Generation*>(numbered(number)); }

  std::deque<Generation> all_;
  std::vector<Noticed> noticed_;  ///< since they were last accepted
  std::vector<std::string> rejects_;
  std::size_t spent_ = 0;
  bool was_renamed_ = false;
  bool was_written_ = false;
};

// What is seen while a program runs.
struct Launched {  ///< the program was launched, and found these
  std::vector<SeenFile> files;
};
struct MovedIn {  ///< this name came by rename
  std::string path;
};
struct Written {  ///< this name was created or written
  std::string path;
};
struct Looked {  ///< these are there now
  double now = 0;
  std::vector<SeenFile> files;
};
struct Took {  ///< this one was accepted, or is given up
  SeenFile file;
};
using Sight = std::variant<Launched, MovedIn, Written, Looked, Took>;

/// What follows from a sight.
struct Finding {
  bool has_begun = false;       ///< a checkpoint changes
  std::vector<SeenFile> whole;  ///< complete ones, oldest first
  Evidence evidence = Evidence::settled;
  double since = 0;  ///< date of the last change of the newest of them
  std::optional<Learned> learned;
  std::string held;  ///< unchanged for a minute, and still open for writing
};

/// What processes of the job have to do with a file that has not changed for a while.
enum class Hold : std::uint8_t {
  none,
  open,  ///< one has it open for writing
  ended,  ///< none has, but one that ran when it changed has ended: perhaps it was killed while it wrote
};
using HoldOf = std::function<Hold(const SeenFile&)>;

/// What a file with a certain name in a folder means.
enum class Marker : std::uint8_t {
  none,
  needed,  ///< without it, or while it is empty, the folder is not complete
  proves,  ///< once it is written, the folder is complete
  closes,  ///< the same of a folder that is written again in place: nothing in it may be younger
};

/// The checkpoints that a running program writes, and which of them are complete. It neither looks nor acts: the same sights
/// always give the same findings.
class Candidates {
 public:
  /// @param settle  seconds for which a complete checkpoint does not change
  Candidates(double settle, Marker marker) : settle_(settle), marker_(marker) {}

  /// @param hold_of  tells whether the job still writes any of its files
  [[nodiscard]] Finding take(const Sight& sight, const Generations& known, const HoldOf& hold_of);
  /// Returns those that changed since the launch and were not accepted, oldest change first.
  [[nodiscard]] std::vector<SeenFile> changed() const;
  /// Returns true if it was seen to change, or to appear, since the launch.
  [[nodiscard]] bool has_changed(const std::string& path) const;
  /// Returns true if a marker, by itself, shows that a folder is complete whose writer has ended.
  [[nodiscard]] bool is_marked(const SeenFile& file, const Generations& known) const;
  friend auto operator<=>(const Candidates&, const Candidates&) = default;

 private:
  struct Candidate {
    SeenFile file;
    double since = 0;
    int looks = 0;  ///< at which it was so, at most 2
    bool is_new = false;
    bool is_moved = false;
    bool was_pointer = false;  ///< it named something
    friend auto operator<=>(const Candidate&, const Candidate&) = default;
  };
  Candidate* find(const std::string& path);
  [[nodiscard]] bool is_promising(const Candidate& candidate, const Generations& known) const;
  void note(const Looked& sight, const Generations& known, Finding& finding);
  void judge(const Looked& sight, const Generations& known, const HoldOf& hold_of,
             Finding& finding);

  double settle_;
  Marker marker_;
  std::vector<Candidate> all_;
  std::vector<std::string> moved_;  ///< names that came by rename since the last look
};

}  // namespace holdfast::field
