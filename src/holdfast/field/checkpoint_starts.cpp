// What a start begins from, and how contents tell checkpoints.
#include "holdfast/field/checkpoint_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <utility>

namespace holdfast::field {

// Keeps a generation before the program can write over it. Returns false if it is too late.
bool CheckpointFiles::keep_first(Generations& known, std::int64_t number, const Start& start,
                                 Outcome& out) const {
  Outcome kept = keep(known, {&number, 1}, start.launch);
  for (const Entry& entry : kept.entries) known.take(entry);
  std::ranges::move(kept.entries, std::back_inserter(out.entries));
  std::ranges::move(kept.said, std::back_inserter(out.said));
  return !kept.is_lost;
}

void CheckpointFiles::accept(Generations& known, const SeenFile& file, Evidence evidence,
                             const Start& start, Outcome& out) const {
  const Accepted accepted{.generation = known.next(), .evidence = evidence, .file = file};
  known.take(accepted);
  out.entries.emplace_back(accepted);
  // Of what lies there when a job begins with a pattern only the newest is kept.
  if (!is_pattern() || !start.is_first) keep_first(known, accepted.generation, start, out);
}

CheckpointFiles::Outcome CheckpointFiles::prepare(Generations known, const Candidates& seen,
                                                  const Start& how) const {
  Start start = how;
  start.seen = &seen;
  start.known = &known;
  Outcome out;
  clean();
  find_again(known, out);
  std::vector<std::pair<SeenFile, std::optional<Evidence>>> left;
  for (const SeenFile& file : files()) {
    if (known.find(file) != nullptr || (is_pattern() && known.is_forgotten(file))) continue;
    if (!start.is_first) {
      left.emplace_back(file, judge_well(file, known, seen));
    } else if (marker() == Marker::none || file.marked != 0) {  // it is the user's
      accept(known, file, Evidence::given, start, out);
    }
  }
  for (const auto& [file, evidence] : left) {
    // Of a save by several processes all files are complete, or none is.
    const bool is_torn = std::ranges::any_of(left, [&](const auto& other) {
      return !other.second && are_of_one_save(file, other.first);
    });
    if (!is_torn) accept(known, file, *evidence, start, out);
  }
  if (is_pattern()) {
    choose_match(known, start, out);
  } else {
    choose_path(known, start, out);
  }
  const Generation* one = known.numbered(out.generation);
  for (std::size_t i = 0; one != nullptr && i < known.all().size(); ++i) {
    const Generation& other = known.all()[i];
    const bool is_used = &other == one || (is_pattern() && are_of_one_save(other.file, one->file));
    if (is_used && other.state == Generation::State::accepted)
      keep_first(known, other.number, start, out);
  }
  return out;
}

// Decides whether a checkpoint that was never accepted is complete, after its writer has ended.
std::optional<Evidence> CheckpointFiles::judge(const SeenFile& file, const Generations& known,
                                               const Candidates& seen) const {
  if (settings_.proves)
    return seen.is_marked(file, known) ? std::optional(Evidence::marked) : std::nullopt;
  if (known.is_hollow(file) || (!inner_.empty() && file.marked == 0)) return std::nullopt;
  // A name that took the place of an accepted file has another inode than that.
  const Generation* before = known.at(file.path);
  const bool is_other = before == nullptr || before->file.inode != file.inode;
  const bool has_moved = known.is_replaced() && is_other && file.target.empty();
  return has_moved ? std::optional(Evidence::replaced) : std::nullopt;
}

// Decides the same at a start, when there is time to read.
std::optional<Evidence> CheckpointFiles::judge_well(const SeenFile& file, const Generations& known,
                                                    const Candidates& seen) const {
  if (settings_.verifies) {
    const bool is_good = disk_->verify(name_of(file.path)) == 0;
    return is_good ? std::optional(Evidence::verified) : std::nullopt;
  }
  const auto evidence = judge(file, known, seen);
  if (evidence || known.is_hollow(file) || equal_to(file, known) == nullptr) return evidence;
  return Evidence::equal;
}

// Returns the digest of what a checkpoint is or names.
std::string CheckpointFiles::digest_of(const SeenFile& file) const {
  return disk_->digest(is_text_pointer(file) ? folder_of(file.path) + "/" + file.target
                                             : file.path);
}

CheckpointFiles::Outcome CheckpointFiles::digests(const Generations& known) const {
  Outcome out;
  for (const auto& all : {ours(known), seconds(known)}) {
    for (const Copy& copy : all) {
      const Generation& one = *copy.generation;
      if (one.state != Generation::State::kept || !one.digest.empty()) continue;
      const std::string digest = digest_of(copy.file);
      const auto now = disk_->look(copy.name);
      if (digest.empty() || !now || !same(*now, copy.file)) continue;
      out.entries.emplace_back(
          Kept{.generation = one.number, .place = copy.name, .digest = digest, .file = *now});
    }
  }
  return out;
}

// Returns a good generation with these contents; null if there is none.
const Generation* CheckpointFiles::equal_to(const SeenFile& file, const Generations& known) const {
  std::string digest;
  const auto is_it = [&](const Generation& one, const std::string& other) {
    const bool may_be = one.state < Generation::State::bad && one.file.size == file.size &&
                        one.file.is_folder == file.is_folder && !other.empty();
    if (may_be && digest.empty()) digest = digest_of(file);
    return may_be && digest == other;
  };
  for (const Generation& one : known.all()) {
    if (is_it(one, one.digest)) return &one;
  }
  for (const auto& all : {ours(known), seconds(known)}) {  // of the newest there may be none yet
    for (const Copy& copy : all) {
      if (copy.generation->digest.empty() && copy.file.size == file.size &&
          is_it(*copy.generation, digest_of(copy.file)))
        return copy.generation;
    }
  }
  return nullptr;
}

// Tells copies by their contents: in a folder that was copied elsewhere their times may be others.
void CheckpointFiles::find_again(Generations& known, Outcome& out) const {
  auto names = links();
  for (const Copy& copy : copies(known)) names.push_back(copy.name);
  for (const std::string& name : names) {
    const auto file = disk_->look(name);
    const bool is_new = file && known.find(*file) == nullptr;
    const Generation* one = is_new ? equal_to(*file, known) : nullptr;
    if (one == nullptr) continue;
    const Kept kept{.generation = one->number, .place = name, .digest = one->digest, .file = *file};
    known.take(kept);
    out.entries.emplace_back(kept);
  }
}

void CheckpointFiles::choose_path(const Generations& known, const Start& start,
                                  Outcome& out) const {
  const auto live = disk_->look(path_);
  if (live) {
    if (const Generation* one = known.find(*live)) {
      out.from = path_;
      out.generation = one->number;
      return;
    }
  }
  for (const auto& all : {copies(known), seconds(known)}) {
    for (const Copy& copy : all) {
      if (copy.generation == nullptr || !give_back(copy, start, out)) continue;
      out.from = path_;
      out.generation = copy.generation->number;
      return;
    }
  }
  if (live && (!start.began_empty || !set_doubtful_aside(contents_of(*live), start, out))) {
    out.from = path_;  // there is nothing better
  } else if (start.began_empty && !start.is_first) {
    static_cast<void>(move_aside(path_, std::to_string(start.launch)));  // a link to nothing
  }
}

// Gives a copy back under the name of what the program left, which is moved aside.
bool CheckpointFiles::give_back(const Copy& copy, const Start& start, Outcome& out) const {
  const SeenFile& model = copy.generation->file;
  if (is_text_pointer(model)) {
    const auto neighbour_of = [&](const std::string& path) {
      return (std::filesystem::path(path).parent_path() / model.target).string();
    };
    return restore(neighbour_of(copy.name), neighbour_of(path_), start, out) &&
           restore(copy.name, path_, start, out);
  }
  const bool is_link = !model.target.empty();
  const std::string place = contents_of(model);
  const auto live = disk_->look(path_);
  if (is_link && live && contents_of(*live) != place)
    set_doubtful_aside(contents_of(*live), start, out);
  return restore(copy.name, place, start, out) &&
         (!is_link || disk_->point(model.target, path_) == 0);
}

// Copies to a name where what the program left may lie, which is moved aside.
bool CheckpointFiles::restore(const std::string& from, const std::string& to, const Start& start,
                              Outcome& out) const {
  const auto model = disk_->look(from);
  const auto there = disk_->look(to);
  if (from == to || (model && there && same(*model, *there))) return true;
  // A folder of matches holds nothing else, not even for a moment.
  std::string fresh =
      is_pattern() ? folder_of(folder_of(from)) + "/new.tmp" : to + std::string(kFresh);
  disk_->remove(fresh);
  int code = disk_->copy(from, fresh);
  if (code == 0 && there && !set_doubtful_aside(to, start, out)) code = EACCES;
  if (code == 0) code = disk_->move(fresh, to);
  if (code != 0) {
    disk_->remove(fresh);
    out.said.push_back(
        fmt::format("{}: cannot be given back from {}: {}", to, from, trouble_of(code)));
  }
  return code == 0;
}

void CheckpointFiles::choose_match(const Generations& known, const Start& start,
                                   Outcome& out) const {
  const Generation* best = nullptr;
  std::string path;
  std::vector<SeenFile> doubtful;
  const auto better = [&](const Generation* one) {
    return one != nullptr && (best == nullptr || one->number > best->number);
  };
  for (const SeenFile& file : files()) {
    const Generation* one = known.find(file);
    if (better(one)) {
      best = one;
      path = file.path;
    }
    if (one == nullptr && !known.is_forgotten(file)) doubtful.push_back(file);
  }
  for (const Copy& copy : seconds(known)) {  // the program removed it, or wrote over it
    const std::string& old = copy.generation->file.path;
    const bool is_best = better(copy.generation);
    if (!is_best && (best == nullptr || !are_of_one_save(copy.generation->file, best->file)))
      continue;
    if (!restore(copy.name, old, start, out)) continue;
    std::erase_if(doubtful, [&](const SeenFile& other) { return other.path == old; });
    if (!is_best) continue;
    best = copy.generation;
    path = old;
  }
  if (best != nullptr) {
    out.from = name_of(path);
    out.generation = best->number;
  }
  if (start.is_first || doubtful.empty()) return;
  if (best == nullptr && !start.began_empty) {
    out.from = name_of(doubtful.back().path);  // there is nothing better
    return;
  }
  for (const SeenFile& file : doubtful) set_doubtful_aside(file.path, start, out);
}

}  // namespace holdfast::field
