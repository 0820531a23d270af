// What a start begins from.
#include "holdfast/field/checkpoint_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace holdfast::field {

bool CheckpointFiles::accept(Generations& known, const SeenFile& file, Evidence evidence,
                             const Start& start, Outcome& out) const {
  const Accepted accepted{.generation = known.next(), .evidence = evidence, .file = file};
  known.take(accepted);
  out.entries.emplace_back(accepted);
  const std::int64_t number = accepted.generation;
  if (is_pattern() && start.is_first) return true;  // only the newest of these is kept
  Outcome kept = keep(known, {&number, 1}, start.launch);
  for (const Entry& entry : kept.entries) known.take(entry);
  std::ranges::move(kept.entries, std::back_inserter(out.entries));
  std::ranges::move(kept.said, std::back_inserter(out.said));
  return !kept.is_lost;
}

// What lies there when a job begins is the user's.
void CheckpointFiles::begin(Generations& known, const Start& start, Outcome& out) const {
  for (const SeenFile& file : files()) {
    if (marker() != Marker::none && file.marked == 0) continue;
    static_cast<void>(accept(known, file, Evidence::given, start, out));
  }
  if (!is_pattern() || known.empty()) return;
  const std::int64_t newest = known.next() - 1;
  std::ranges::move(keep(known, {&newest, 1}, start.launch).entries,
                    std::back_inserter(out.entries));
}

CheckpointFiles::Outcome CheckpointFiles::prepare(Generations known, const Candidates& seen,
                                                  const Start& how) const {
  Start start = how;
  start.seen = &seen;
  Outcome out;
  clean();
  if (start.is_first) begin(known, start, out);
  for (const SeenFile& file : files()) {
    if (start.is_first || known.find(file) != nullptr) continue;
    if (const auto evidence = judge_well(file, known, seen))
      static_cast<void>(accept(known, file, *evidence, start, out));
  }
  if (is_pattern()) {
    choose_match(known, start, out);
  } else {
    choose_path(known, start, out);
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
  if (evidence || is_text_pointer(file)) return evidence;
  std::string digest;
  for (const Generation& one : known.all()) {
    if (one.state >= Generation::State::bad || one.file.size != file.size || one.digest.empty())
      continue;
    if (digest.empty()) digest = disk_->digest(file.path);
    if (digest == one.digest) return Evidence::equal;
  }
  if (is_pattern()) return std::nullopt;
  for (const Copy& copy : copies(known)) {  // a link has no digest
    if (copy.generation == nullptr || copy.file.size != file.size) continue;
    if (digest.empty()) digest = disk_->digest(file.path);
    if (!digest.empty() && disk_->digest(copy.name) == digest) return Evidence::equal;
  }
  return std::nullopt;
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
  for (const Copy& copy : copies(known)) {
    if (copy.generation == nullptr) continue;
    if (!give_back(copy, start, out)) break;
    out.from = path_;
    out.generation = copy.generation->number;
    return;
  }
  if (!live) return;
  if (start.began_empty && set_doubtful_aside(contents_of(*live), start, out)) return;
  out.from = path_;  // there is nothing better
}

// Gives a copy back under the name of what the program left, which is moved aside.
bool CheckpointFiles::give_back(const Copy& copy, const Start& start, Outcome& out) const {
  const SeenFile& model = copy.generation->file;
  const bool is_link = !model.target.empty() && !is_text_pointer(model);
  const std::string place = is_link ? contents_of(model) : path_;
  const std::string fresh = place + std::string(kFresh);
  const auto live = disk_->look(path_);
  if (const auto there = disk_->look(place); !is_link || !there || !same(*there, model)) {
    disk_->remove(fresh);
    if (const int code = disk_->copy(copy.name, fresh); code != 0) {
      disk_->remove(fresh);
      out.said.push_back(
          fmt::format("{}: cannot be given back from {}: {}", path_, copy.name, trouble_of(code)));
      return false;
    }
    if (live && !set_doubtful_aside(contents_of(*live), start, out)) return false;
    if (is_link && there && disk_->look(place)) set_doubtful_aside(place, start, out);
    if (disk_->move(fresh, place) != 0) return false;
  } else if (live && contents_of(*live) != place) {
    set_doubtful_aside(contents_of(*live), start, out);
  }
  return !is_link || disk_->point(model.target, path_) == 0;
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
    if (one == nullptr) doubtful.push_back(file);
  }
  for (const std::string& link : links()) {  // the program removed it, or wrote over it
    const auto file = disk_->look(link);
    const Generation* one = file ? known.find(*file) : nullptr;
    if (!better(one)) continue;
    const std::string fresh = settings_.directory + "/kept/new.tmp";
    disk_->remove(fresh);
    if (disk_->copy(link, fresh) != 0) continue;
    if (disk_->look(one->file.path)) set_doubtful_aside(one->file.path, start, out);
    if (disk_->move(fresh, one->file.path) != 0) continue;
    std::erase_if(doubtful, [&](const SeenFile& other) { return other.path == one->file.path; });
    best = one;
    path = one->file.path;
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
