#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/field/checkpoint_disk.hpp"
#include "holdfast/field/generations.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::field {

/// The files and folders in which a job's checkpoints lie and are kept (README of this folder). A path is one file or folder
/// that the program writes again and again, or a link or a small file that names the newest one: copies are kept as PATH.1 (the
/// newest), PATH.2 and so on. With a pattern each match is a checkpoint; nothing is written into the folder that holds them.
class CheckpointFiles {
 public:
  struct Settings {
    std::string path;       ///< a path or a pattern, as given
    std::size_t keep = 2;   ///< number of checkpoints to keep
    std::string directory;  ///< the guard's own folder
    double settle = 0.5;    ///< files that changed within this many seconds belong together
    bool proves = false;    ///< a marker proves that its folder is complete (--done marker)
    bool verifies = false;  ///< the user gave a check
  };
  /// @param disk  must outlive this object
  CheckpointFiles(Settings settings, Disk& disk);

  [[nodiscard]] bool is_pattern() const;
  /// Returns the name of a file in a folder, in a pattern like FOLDER-*/NAME; empty: there is none.
  [[nodiscard]] std::string inner_name() const {
    return inner_.empty() ? inner_ : inner_.substr(1);
  }
  [[nodiscard]] Marker marker() const {
    if (settings_.proves) return is_pattern() ? Marker::proves : Marker::closes;
    return inner_.empty() ? Marker::none : Marker::needed;
  }
  /// Returns the checkpoints that lie where the program writes them, oldest change first. Of a pattern with a folder and a name
  /// in it these are the folders.
  [[nodiscard]] std::vector<SeenFile> files() const;
  /// Returns the name by which a program is told of a checkpoint.
  [[nodiscard]] std::string name_of(const std::string& path) const;
  /// Returns the path of the checkpoint that this name in a folder is; empty if it is none.
  [[nodiscard]] std::string checkpoint_named(const std::string& folder,
                                             const std::string& name) const;
  /// Returns the folders in which checkpoints appear.
  [[nodiscard]] std::vector<std::string> folders() const;
  /// Returns the file whose lock keeps other guards from these checkpoints.
  [[nodiscard]] std::string lock_file() const;

  [[nodiscard]] std::optional<SeenFile> look(const std::string& path) const {
    return disk_->look(path);
  }
  /// Runs the user's check, and returns its exit status.
  [[nodiscard]] int verify(const SeenFile& file) const { return disk_->verify(name_of(file.path)); }

  /// Returns why a checkpoint that was never accepted is complete although its writer has ended, as far as names and times tell.
  [[nodiscard]] std::optional<Evidence> judge(const SeenFile& file, const Generations& known,
                                              const Candidates& seen) const;

  /// The result of keep() and prepare().
  struct Outcome {
    std::vector<Entry> entries = {};     ///< what happened
    std::vector<std::string> said = {};  ///< what a user should know
    std::string from = {};        ///< the checkpoint to start from; empty: from the beginning
    std::int64_t generation = 0;  ///< its number
    bool is_lost = false;         ///< the program wrote over it before it was kept
  };
  /// Removes what newer checkpoints have replaced, but nothing in another folder from which the job's was copied.
  /// @param known  what is in the journal: before a newer checkpoint is there, no older one goes
  void let_go(const Generations& known) const;
  /// Returns entries with the digests of what is kept without one; that takes as long as to read it.
  [[nodiscard]] Outcome digests(const Generations& known) const;
  /// Keeps accepted generations, beside the older ones.
  [[nodiscard]] Outcome keep(Generations known, std::span<const std::int64_t> numbers,
                             std::int64_t launch) const;

  struct Start {
    bool is_first = false;     ///< the first start of the job: what lies there is the user's
    bool began_empty = false;  ///< the job began without a checkpoint
    std::int64_t launch = 1;   ///< number of this launch
    const Candidates* seen = nullptr;  ///< what the last run wrote
    const Generations* known = nullptr;
  };
  /// Prepares a start: what is complete is accepted, what is not is moved aside, and the newest good one is given back.
  [[nodiscard]] Outcome prepare(Generations known, const Candidates& seen,
                                const Start& start) const;

  /// The result of set_aside().
  struct Aside {
    std::vector<Entry> entries;
    std::string file;      ///< the bad checkpoint; empty: there was none
    std::size_t left = 0;  ///< number of good ones that remain
  };
  /// Moves a generation away as bad, with its copies, if there is another good one or `may_be_last`.
  [[nodiscard]] Aside set_aside(const Generations& known, std::int64_t number, std::int64_t launch,
                                bool may_be_last);
  /// Moves everything away, so that another job can begin, to where what is set aside lies, in a folder with this name.
  /// @returns the new names; io_failure names what cannot be moved
  [[nodiscard]] Result<std::vector<std::string>> set_all_aside(const std::string& label);
  /// Undoes set_aside().
  [[nodiscard]] std::vector<Entry> put_back(const Generations& known);
  /// What was set aside stays aside: a newer one was kept.
  void forget_moves() { moved_.clear(); }
  /// Removes what only a job that goes on needs: second names of what still lies in its own place, and what was never complete but
  /// for the newest.
  /// @returns the folders in which something lies that was set aside
  [[nodiscard]] std::vector<std::string> finish(const Generations& known) const;
  /// Removes what an interrupted copy left.
  void clean() const;

 private:
  static constexpr std::string_view kFresh = ".new.tmp";
  static constexpr std::string_view kOldest = ".old.tmp";

  struct Copy {
    std::string name;
    SeenFile file;
    const Generation* generation = nullptr;  ///< null: not ours, or no longer what was kept
  };
  [[nodiscard]] std::string beside(std::string_view ending) const {
    return path_ + std::string(ending);
  }
  [[nodiscard]] std::vector<Copy> copies(const Generations& known) const;
  [[nodiscard]] std::filesystem::path holder() const;
  [[nodiscard]] std::string id() const;
  [[nodiscard]] std::vector<std::filesystem::path> kept_folders() const;
  [[nodiscard]] std::vector<std::filesystem::path> aside_folders() const;
  [[nodiscard]] std::vector<std::string> links() const;
  [[nodiscard]] std::vector<Copy> seconds(const Generations& known) const;
  [[nodiscard]] bool are_of_one_save(const SeenFile& a, const SeenFile& b) const;
  [[nodiscard]] int put(const SeenFile& file, const std::filesystem::path& folder,
                        bool is_link) const;
  [[nodiscard]] std::string contents_of(const SeenFile& file) const;
  [[nodiscard]] std::string digest_of(const SeenFile& file) const;
  [[nodiscard]] const Generation* equal_to(const SeenFile& file, const Generations& known) const;
  void find_again(Generations& known, Outcome& out) const;
  [[nodiscard]] std::optional<Evidence> judge_well(const SeenFile& file, const Generations& known,
                                                   const Candidates& seen) const;
  void keep_path(const Generations& known, const Generation& one, std::int64_t launch,
                 Outcome& out) const;
  void keep_match(const Generation& one, Outcome& out) const;
  [[nodiscard]] std::vector<Copy> ours(const Generations& known) const;
  void remove_rejects(std::span<const std::string> rejects) const;
  void rotate(const Generations& known, std::int64_t launch, Outcome& out) const;
  bool keep_first(Generations& known, std::int64_t number, const Start& start, Outcome& out) const;
  void accept(Generations& known, const SeenFile& file, Evidence evidence, const Start& start,
              Outcome& out) const;
  void choose_path(const Generations& known, const Start& start, Outcome& out) const;
  void choose_match(const Generations& known, const Start& start, Outcome& out) const;
  [[nodiscard]] bool give_back(const Copy& copy, const Start& start, Outcome& out) const;
  [[nodiscard]] bool restore(const std::string& from, const std::string& to, const Start& start,
                             Outcome& out) const;
  [[nodiscard]] std::optional<std::string> move_aside(const std::string& path,
                                                      std::string_view launch) const;
  bool set_doubtful_aside(const std::string& path, const Start& start, Outcome& out) const;

  Settings settings_;
  Disk* disk_;
  std::string path_;     ///< without a slash at its end
  std::string holder_;   ///< the part of it before the first wildcard
  std::string pattern_;  ///< of the checkpoints; empty: the path has no wildcards
  std::string inner_;    ///< what follows in the pattern behind the last folder with a wildcard
  struct Move {
    std::int64_t generation;
    std::string from;
    std::string to;
  };
  std::vector<Move> moved_;
};

}  // namespace holdfast::field
