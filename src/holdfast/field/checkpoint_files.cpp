#include "holdfast/field/checkpoint_files.hpp"

#include "holdfast/base/digest.hpp"
#include "holdfast/base/units.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <set>
#include <system_error>

namespace holdfast::field {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWild = "*?[";
/// The folder for what the guard's own folder cannot take, beside the one that holds the checkpoints.
constexpr std::string_view kAside = ".guard-aside";

/// Names that a pattern may match by chance: those of unfinished files, and of what earlier versions of the guard moved aside.
bool is_passing(std::string_view path) {
  return path.ends_with(".tmp") || path.ends_with(".bad");
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (kWild.find(letter) != std::string_view::npos) out += '\\';
    out += letter;
  }
  return out;
}

}  // namespace

CheckpointFiles::CheckpointFiles(Settings settings, Disk& disk)
    : settings_(std::move(settings)), disk_(&disk), path_(settings_.path) {
  while (path_.size() > 1 && path_.ends_with('/')) path_.pop_back();
  // Wildcards in the name of a folder that exists are letters. The checkpoint is what the last part with a wildcard matches.
  for (const fs::path& part : fs::path(path_)) {
    const std::string name = part.string();
    const bool is_wild = name.find_first_of(kWild) != std::string::npos;
    const std::string slash = holder_.empty() || holder_.ends_with('/') ? "" : "/";
    if (pattern_.empty() && (!is_wild || disk_->look(holder_ + slash + name))) {
      holder_ += slash + name;
    } else if (is_wild) {
      pattern_ =
          pattern_.empty() ? escaped(holder_) + slash + name : pattern_ + inner_ + "/" + name;
      inner_.clear();
    } else {
      inner_ += "/" + name;
    }
  }
}

bool CheckpointFiles::is_pattern() const {
  return !pattern_.empty() && !disk_->look(path_);
}

std::vector<SeenFile> CheckpointFiles::files() const {
  std::vector<SeenFile> out;
  if (!is_pattern()) {
    if (path_.empty()) return out;
    if (auto file = disk_->look(path_)) out.push_back(std::move(*file));
    return out;
  }
  for (const std::string& match : disk_->matches(pattern_)) {
    std::error_code code;
    const bool is_guards = fs::absolute(match, code).lexically_normal() == settings_.directory;
    if (is_passing(match) || is_guards) continue;
    auto file = disk_->look(match);
    if (file && (file->is_folder || (inner_.empty() && !settings_.path.ends_with('/'))))
      out.push_back(std::move(*file));
  }
  std::ranges::stable_sort(out, {}, &SeenFile::changed);
  return out;
}

std::string CheckpointFiles::name_of(const std::string& path) const {
  return path.empty() || !is_pattern() ? path : path + inner_;
}

std::string CheckpointFiles::checkpoint_named(const std::string& folder,
                                              const std::string& name) const {
  const std::string path =
      folder == "." && !path_.starts_with("./") ? name : (fs::path(folder) / name).string();
  const bool is_one = is_pattern() ? !is_passing(path) && ::fnmatch(pattern_.c_str(), path.c_str(),
                                                                    FNM_PATHNAME) == 0
                                   : path == path_;
  return is_one ? path : std::string();
}

std::vector<std::string> CheckpointFiles::folders() const {
  if (path_.empty()) return {};
  return is_pattern() ? disk_->matches(folder_of(pattern_)) : std::vector{folder_of(path_)};
}

// Returns the absolute name of the folder that holds the checkpoints.
fs::path CheckpointFiles::holder() const {
  std::error_code code;
  const std::string folder = is_pattern() ? holder_ : folder_of(path_);
  const fs::path out = fs::absolute(folder.empty() ? "." : folder, code).lexically_normal();
  return out.has_filename() ? out : out.parent_path();
}

std::string CheckpointFiles::lock_file() const {
  if (path_.empty()) return {};
  if (!is_pattern())
    return holder() / fmt::format(".{}.guard", fs::path(path_).filename().string());
  return holder().parent_path() / fmt::format(".{}.guard", id());
}

// Returns a name that only guards of the same pattern share.
std::string CheckpointFiles::id() const {
  std::error_code code;
  return sha256_hex(fs::absolute(path_, code).lexically_normal().string()).substr(0, 16);
}

// Returns the folders for second names: in the guard's own folder, or on the file system of the checkpoints.
std::vector<fs::path> CheckpointFiles::kept_folders() const {
  return {fs::path(settings_.directory) / "kept", holder().parent_path() / kAside / id() / "kept"};
}

// Returns the folders for what is moved away, in the same order.
std::vector<fs::path> CheckpointFiles::aside_folders() const {
  return {fs::path(settings_.directory) / "aside", holder().parent_path() / kAside};
}

// --- keeping ---

// Returns the copies of a path, newest first.
std::vector<CheckpointFiles::Copy> CheckpointFiles::copies(const Generations& known) const {
  std::vector<Copy> out;
  if (is_pattern()) return out;
  const auto old = std::ranges::find(known.all(), Evidence::old, &Generation::evidence);
  const auto add = [&](std::string name) {
    auto file = disk_->look(name);
    if (!file) return false;
    const Generation* one = known.find(*file);
    // A guard of an earlier version did not keep the times of what it copied.
    if (one == nullptr && old != known.all().end()) one = &*old;
    out.push_back({.name = std::move(name), .file = std::move(*file), .generation = one});
    return true;
  };
  for (std::size_t which = 1; add(beside(fmt::format(".{}", which))) || which <= settings_.keep;
       ++which) {
  }
  add(beside(kOldest));
  return out;
}

// Returns the second names that are kept of matches, and of small files that name their neighbours.
std::vector<std::string> CheckpointFiles::links() const {
  std::vector<std::string> out;
  for (const fs::path& folder : kept_folders()) {
    for (std::string& link : disk_->matches(escaped(folder.string()) + "/[0-9]*/*"))
      out.push_back(std::move(link));
  }
  return out;
}

// Returns what has a second name and is in the journal.
std::vector<CheckpointFiles::Copy> CheckpointFiles::seconds(const Generations& known) const {
  std::vector<Copy> out;
  for (const std::string& link : links()) {
    auto file = disk_->look(link);
    const Generation* one = file ? known.find(*file) : nullptr;
    if (one != nullptr) out.push_back({.name = link, .file = std::move(*file), .generation = one});
  }
  std::ranges::sort(out, std::greater<>(),
                    [](const Copy& copy) { return copy.generation->number; });
  return out;
}

// Returns true for matches that belong together, as those of several processes.
bool CheckpointFiles::are_of_one_save(const SeenFile& a, const SeenFile& b) const {
  constexpr double kNanoseconds = 1e-9;
  return std::abs(static_cast<double>(a.changed - b.changed)) * kNanoseconds <= settings_.settle;
}

// Returns the path of what a link names, or the path itself.
std::string CheckpointFiles::contents_of(const SeenFile& file) const {
  if (file.target.empty() || is_text_pointer(file)) return file.path;
  return (fs::path(file.path).parent_path() / file.target).string();
}

CheckpointFiles::Outcome CheckpointFiles::keep(Generations known,
                                               std::span<const std::int64_t> numbers,
                                               std::int64_t launch) const {
  Outcome out;
  for (const std::int64_t number : numbers) {
    const Generation* one = known.numbered(number);
    if (one == nullptr) continue;
    if (is_pattern() || is_text_pointer(one->file)) keep_match(*one, out);
    if (!is_pattern() && !out.is_lost) keep_path(known, *one, launch, out);
    if (out.is_lost) {
      out.entries.emplace_back(Lost{number});
      return out;
    }
  }
  return out;
}

void CheckpointFiles::remove_rejects(std::span<const std::string> rejects) const {
  const auto ours = aside_folders();
  for (const std::string& reject : rejects) {
    const bool is_ours = std::ranges::any_of(
        ours, [&](const fs::path& folder) { return reject.starts_with(folder.string() + "/"); });
    if (is_ours) disk_->remove(reject);
  }
}

void CheckpointFiles::let_go(const Generations& known) const {
  remove_rejects(known.spent());
  const auto kept = ours(known);
  for (std::size_t i = settings_.keep; i < kept.size(); ++i) disk_->remove(kept[i].name);
  const Generation* newest = nullptr;
  std::vector<std::pair<const Generation*, std::string>> all;
  for (const std::string& link : links()) {
    const std::string folder = folder_of(link);
    const Generation* one = known.numbered(std::atoll(fs::path(folder).filename().c_str()));
    if (one == nullptr) continue;
    all.emplace_back(one, folder);
    const bool is_kept = one->state == Generation::State::kept;
    if (is_kept && (newest == nullptr || newest->number < one->number)) newest = one;
  }
  for (const auto& [one, folder] : all) {
    const bool is_older = newest != nullptr && one->number < newest->number;
    if (is_older && !are_of_one_save(one->file, newest->file)) disk_->remove(folder);
  }
}

void CheckpointFiles::keep_path(const Generations& known, const Generation& one,
                                std::int64_t launch, Outcome& out) const {
  const std::string first = beside(".1");
  const bool may_link = known.is_replaced() && !one.file.is_folder && one.file.target.empty();
  const auto file = disk_->look(first);
  // A link to the file into which the program writes, left by others, is no copy of it.
  const bool is_apart = file && (may_link || file->inode != one.file.inode);
  if (is_apart && known.find(*file) == &one) {
    out.entries.emplace_back(
        Kept{.generation = one.number, .place = first, .digest = one.digest, .file = *file});
    return;
  }
  const std::string fresh = beside(kFresh);
  disk_->remove(fresh);
  disk_->flush(one.file.path);
  const bool is_linked = may_link && disk_->link(path_, fresh) == 0;
  const int code = is_linked ? 0 : disk_->copy(contents_of(one.file), fresh);
  const auto copy = disk_->look(fresh);
  // The times of a copy differ where the file system cannot keep them; then the source must be as it was.
  const auto now = disk_->look(path_);
  const bool is_it = copy && (same(*copy, one.file) || (now && same(*now, one.file)));
  if (code != 0 || !is_it) {
    disk_->remove(fresh);
    out.is_lost = code == ESTALE || (code == 0 && !is_it) || (code == ENOENT && !now);
    if (out.is_lost) return;
    std::string why = fmt::format("{}: cannot keep this checkpoint: {}", fresh, trouble_of(code));
    if (code == ENOSPC && !known.rejects().empty()) {
      why += fmt::format("; unfinished ones lie in {}", folder_of(known.rejects().back()));
    }
    out.said.push_back(std::move(why));
    return;
  }
  rotate(known, launch, out);
  if (const int moved = disk_->move(fresh, first); moved != 0) {
    out.said.push_back(
        fmt::format("{}: cannot keep this checkpoint: {}", first, trouble_of(moved)));
    return;
  }
  out.entries.emplace_back(
      Kept{.generation = one.number, .place = first, .digest = one.digest, .file = *copy});
}

// Returns the copies of a path that are in the journal, newest first.
std::vector<CheckpointFiles::Copy> CheckpointFiles::ours(const Generations& known) const {
  auto out = copies(known);
  std::erase_if(out, [](const Copy& copy) { return copy.generation == nullptr; });
  return out;
}

// Makes room for a new copy. The oldest has a passing name until the new one is in the journal.
void CheckpointFiles::rotate(const Generations& known, std::int64_t launch, Outcome& out) const {
  for (const Copy& copy : copies(known)) {
    if (copy.generation != nullptr) continue;
    const auto to = move_aside(copy.name, std::to_string(launch));
    if (!to) continue;
    out.entries.emplace_back(SetAside{.generation = -1, .file = copy.name, .to = *to});
    out.said.push_back(
        fmt::format("{} is no checkpoint that was kept, or was written into since: moved to {}",
                    copy.name, *to));
  }
  const auto kept = ours(known);
  for (std::size_t which = kept.size(); which > 0; --which) {
    const std::string to =
        beside(which >= settings_.keep ? std::string(kOldest) : fmt::format(".{}", which + 1));
    if (kept[which - 1].name != to) static_cast<void>(disk_->move(kept[which - 1].name, to));
  }
}

// Gives what is in a checkpoint a second name: a link or, where none can be made, a copy of the same name.
int CheckpointFiles::put(const SeenFile& file, const fs::path& folder, bool is_link) const {
  const fs::path path = file.path;
  const auto add = [&](const fs::path& from, const fs::path& to, bool links) {
    return links ? disk_->link(from, to) : disk_->copy(from, to);
  };
  if (!is_text_pointer(file)) return add(path, folder / path.filename(), is_link);
  const int code = add(path, folder / path.filename(), false);  // it may be written in place
  return code != 0 ? code : add(path.parent_path() / file.target, folder / file.target, is_link);
}

// A match has its own name and stays there. A second name keeps what is in it if the program removes it.
void CheckpointFiles::keep_match(const Generation& one, Outcome& out) const {
  disk_->flush(one.file.path);
  if (is_text_pointer(one.file))
    disk_->flush(fs::path(one.file.path).parent_path() / one.file.target);
  Kept kept{.generation = one.number, .place = one.file.path, .file = one.file};
  const fs::path name = fs::path(one.file.path).filename();
  int code = 0;
  for (const bool is_link : {true, false}) {
    for (const fs::path& folder : kept_folders()) {
      const fs::path fresh = folder / "new.tmp";
      const fs::path place = folder / std::to_string(one.number);
      disk_->remove(fresh);
      code = put(one.file, fresh, is_link);
      const auto copy = disk_->look(fresh / name);
      const auto now = disk_->look(one.file.path);
      out.is_lost = code == ESTALE || !now || !same(*now, one.file);
      const bool is_it = code == 0 && copy && (same(*copy, one.file) || !is_link);
      disk_->remove(place);  // a guard that was killed did not tell the journal of it
      if (!out.is_lost && is_it && disk_->move(fresh, place) == 0) {
        kept.place = place / name;
        kept.file = *copy;
        out.entries.emplace_back(std::move(kept));
        return;
      }
      disk_->remove(fresh);
      if (out.is_lost) return;
    }
  }
  out.said.push_back(fmt::format("{}: cannot keep this checkpoint under a second name: {}",
                                 one.file.path, trouble_of(code)));
  out.entries.emplace_back(std::move(kept));
}

std::vector<std::string> CheckpointFiles::finish(const Generations& known) const {
  let_go(known);
  const auto rejects = known.rejects();
  remove_rejects(rejects.first(rejects.empty() ? 0 : rejects.size() - 1));
  const auto there = files();
  for (const Copy& copy : seconds(known)) {
    const bool is_spare = std::ranges::any_of(there, [&](const SeenFile& file) {
      return file.path == copy.generation->file.path && known.find(file) == copy.generation;
    });
    if (is_spare) disk_->remove(folder_of(copy.name));
  }
  std::vector<std::string> left;
  std::error_code code;
  const auto remove_empty = [&](const fs::path& folder) {
    return fs::is_directory(folder, code) && fs::remove(folder, code);
  };
  for (const fs::path& folder : kept_folders()) remove_empty(folder);
  for (const fs::path& top : aside_folders()) {
    for (const std::string& launch : disk_->matches(escaped(top.string()) + "/*")) {
      const std::string name = fs::path(launch).filename().string();
      const bool is_launch = name.find_first_not_of("0123456789") == std::string::npos;
      if (!remove_empty(launch) && is_launch) left.push_back(launch);
    }
    remove_empty(top);
  }
  return left;
}

void CheckpointFiles::clean() const {
  if (!path_.empty() && !is_pattern()) disk_->remove(beside(kFresh));
}

// --- moving aside ---

// Moves a checkpoint out of the sight of programs that choose their newest themselves: into the guard's folder or, on another file
// system, into a folder beside the one that holds it.
std::optional<std::string> CheckpointFiles::move_aside(const std::string& path,
                                                       std::string_view launch) const {
  const std::string name = fs::path(path).filename().string();
  for (const fs::path& folder : aside_folders()) {
    fs::path to = folder / launch / name;
    for (int again = 2; disk_->look(to); ++again)
      to = folder / launch / fmt::format("{}-{}", again, name);
    if (disk_->move(path, to) == 0) return to;
  }
  return std::nullopt;
}

bool CheckpointFiles::set_doubtful_aside(const std::string& path, const Start& start,
                                         Outcome& out) const {
  const auto file = disk_->look(path);
  const auto to = move_aside(path, std::to_string(start.launch));
  const bool is_seen = (start.seen != nullptr && start.seen->has_changed(path)) ||
                       (start.known != nullptr && file && start.known->was_noticed(*file));
  const std::int64_t writer = is_seen ? 0 : -1;
  if (to) out.entries.emplace_back(SetAside{.generation = writer, .file = path, .to = *to});
  out.said.push_back(
      to ? fmt::format("{} ({} bytes) was not complete when the program ended: moved to {}", path,
                       file ? file->size : 0, *to)
         : fmt::format("{} was not complete when the program ended, and cannot be moved aside",
                       path));
  return to.has_value();
}

CheckpointFiles::Aside CheckpointFiles::set_aside(const Generations& known, std::int64_t number,
                                                  std::int64_t launch, bool may_be_last) {
  Aside out;
  const Generation* one = known.numbered(number);
  if (one == nullptr) return out;
  std::vector<std::string> bad;
  std::set<std::int64_t> others;
  const auto sort = [&](const std::string& name, const SeenFile& file) {
    const Generation* found = known.find(file);
    if (found == nullptr) return;
    if (found->number == number || same(found->file, one->file) ||
        (is_pattern() && are_of_one_save(found->file, one->file))) {
      bad.push_back(name);
    } else {
      others.insert(found->number);
    }
  };
  for (const SeenFile& file : files()) sort(file.path, file);
  for (const Copy& copy : copies(known)) sort(copy.name, copy.file);
  for (const Copy& copy : seconds(known)) sort(copy.name, copy.file);
  out.file = name_of(one->file.path);
  out.left = others.size();
  if (others.empty() && !may_be_last) return out;
  for (const std::string& name : bad) {
    const auto to = move_aside(name, std::to_string(launch));
    if (!to) continue;
    moved_.push_back({.generation = number, .from = name, .to = *to});
    out.entries.emplace_back(SetAside{.generation = number, .file = name, .to = *to});
  }
  return out;
}

Result<std::vector<std::string>> CheckpointFiles::set_all_aside(const std::string& label) {
  std::vector<std::string> all;
  for (const SeenFile& file : files()) {
    all.push_back(file.path);
    if (!file.target.empty()) all.push_back(fs::path(file.path).parent_path() / file.target);
  }
  for (const Copy& copy : copies({})) all.push_back(copy.name);
  for (const fs::path& folder : kept_folders()) {
    if (disk_->look(folder)) all.push_back(folder);
  }
  for (std::string& path : all) {
    auto to = move_aside(path, label);
    if (!to)
      return fail(ErrorCode::io_failure, path,
                  "a checkpoint of other inputs cannot be moved aside");
    path = std::move(*to);
  }
  return all;
}

std::vector<Entry> CheckpointFiles::put_back(const Generations& known) {
  std::vector<Entry> out;
  for (auto move = moved_.rbegin(); move != moved_.rend(); ++move) {
    // An older one that took its place is still among the copies.
    if (const auto there = disk_->look(move->from)) {
      const auto kept = copies(known);
      const bool has_copy = std::ranges::any_of(kept, [&](const Copy& copy) {
        return copy.name != move->from && same(copy.file, *there);
      });
      if (!has_copy) continue;
      disk_->remove(move->from);
    }
    if (disk_->move(move->to, move->from) == 0)
      out.emplace_back(PutBack{.generation = move->generation, .file = move->from});
  }
  moved_.clear();
  return out;
}

}  // namespace holdfast::field
