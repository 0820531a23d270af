#include "holdfast/field/checkpoint_files.hpp"

#include "holdfast/base/digest.hpp"
#include "holdfast/base/units.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <set>
#include <system_error>

namespace holdfast::field {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWild = "*?[";

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

std::string CheckpointFiles::lock_file() const {
  if (path_.empty()) return {};
  std::error_code code;
  const fs::path whole = fs::absolute(path_, code).lexically_normal();
  if (!is_pattern()) {
    return (whole.parent_path() / fmt::format(".{}.guard", whole.filename().string())).string();
  }
  const fs::path holder = fs::absolute(holder_.empty() ? "." : holder_, code).lexically_normal();
  const fs::path above = (holder.has_filename() ? holder : holder.parent_path()).parent_path();
  return (above / fmt::format(".{}.guard", sha256_hex(whole.string()).substr(0, 16))).string();
}

// --- keeping ---

// Returns the copies of a path, newest first.
std::vector<CheckpointFiles::Copy> CheckpointFiles::copies(const Generations& known) const {
  std::vector<Copy> out;
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

// Returns the second names that are kept of matches, in the guard's own folder.
std::vector<std::string> CheckpointFiles::links() const {
  return disk_->matches(escaped(settings_.directory) + "/kept/*/*");
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
    const auto one = std::ranges::find(known.all(), number, &Generation::number);
    if (one == known.all().end()) continue;
    if (is_pattern()) {
      keep_match(*one, out);
    } else {
      keep_path(known, *one, launch, out);
    }
    if (out.is_lost) {
      out.entries.emplace_back(Lost{number});
      return out;
    }
  }
  // Of what was set aside and never accepted, the newest stays.
  for (std::size_t i = 0; i + 1 < known.rejects().size(); ++i) disk_->remove(known.rejects()[i]);
  return out;
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
  const std::string digest = is_linked ? std::string() : disk_->digest(fresh);
  rotate(known, launch, out);
  if (const int moved = disk_->move(fresh, first); moved != 0) {
    out.said.push_back(
        fmt::format("{}: cannot keep this checkpoint: {}", first, trouble_of(moved)));
    return;
  }
  disk_->remove(beside(kOldest));
  out.entries.emplace_back(
      Kept{.generation = one.number, .place = first, .digest = digest, .file = *copy});
}

// Makes room for a new copy. The oldest goes when the new one has its place.
void CheckpointFiles::rotate(const Generations& known, std::int64_t launch, Outcome& out) const {
  std::vector<Copy> ours;
  for (Copy& copy : copies(known)) {
    if (copy.generation != nullptr) {
      ours.push_back(std::move(copy));
    } else if (const auto to = move_aside(copy.name, launch)) {
      out.entries.emplace_back(SetAside{.generation = -1, .file = copy.name, .to = *to});
      out.said.push_back(
          fmt::format("{} is no checkpoint that was kept, or was written into since: moved to {}",
                      copy.name, *to));
    }
  }
  const std::string oldest = beside(kOldest);
  for (; ours.size() >= settings_.keep && !ours.empty(); ours.pop_back()) {
    if (ours.back().name == oldest) continue;
    disk_->remove(oldest);
    static_cast<void>(disk_->move(ours.back().name, oldest));
  }
  for (std::size_t which = ours.size(); which > 0; --which) {
    const std::string to = beside(fmt::format(".{}", which + 1));
    if (ours[which - 1].name != to) static_cast<void>(disk_->move(ours[which - 1].name, to));
  }
}

// A match has its own name and stays there. A second name keeps what is in it if the program removes it.
void CheckpointFiles::keep_match(const Generation& one, Outcome& out) const {
  disk_->flush(one.file.path);
  const std::string folder = fmt::format("{}/kept/", settings_.directory);
  const std::string name = fs::path(one.file.path).filename().string();
  const std::string place = fmt::format("{}{}/{}", folder, one.number, name);
  const std::string fresh = folder + "new.tmp";
  disk_->remove(fresh);
  const bool is_linked = disk_->link(one.file.path, fresh) == 0;
  const auto now = disk_->look(one.file.path);
  const auto copy = disk_->look(is_linked ? fresh : one.file.path);
  if (!copy || !same(*copy, one.file)) {
    disk_->remove(fresh);
    out.is_lost = !now || !same(*now, one.file);
    return;
  }
  if (is_linked && disk_->move(fresh, place) == 0) {
    for (const std::string& other : links()) {
      if (other != place) disk_->remove(folder_of(other));
    }
  }
  out.entries.emplace_back(
      Kept{.generation = one.number, .place = is_linked ? place : one.file.path, .file = *copy});
}

void CheckpointFiles::clean() const {
  if (!path_.empty() && !is_pattern()) disk_->remove(beside(kFresh));
}

// --- moving aside ---

// Moves a checkpoint out of the sight of programs that choose their newest themselves: into the guard's folder or, on another file
// system, into a folder beside the one that holds it.
std::optional<std::string> CheckpointFiles::move_aside(const std::string& path,
                                                       std::int64_t launch) const {
  std::error_code code;
  const fs::path holder = fs::path(folder_of(fs::absolute(path, code).lexically_normal().string()));
  const std::string name = fs::path(path).filename().string();
  for (const std::string& folder :
       {settings_.directory + "/aside", (holder.parent_path() / ".guard-aside").string()}) {
    std::string to = fmt::format("{}/{}/{}", folder, launch, name);
    for (int again = 2; disk_->look(to); ++again)
      to = fmt::format("{}/{}/{}-{}", folder, launch, again, name);
    if (disk_->move(path, to) == 0) return to;
  }
  return std::nullopt;
}

bool CheckpointFiles::set_doubtful_aside(const std::string& path, const Start& start,
                                         Outcome& out) const {
  const auto file = disk_->look(path);
  const auto to = move_aside(path, start.launch);
  const std::int64_t writer = start.seen != nullptr && start.seen->has_changed(path) ? 0 : -1;
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
  const auto one = std::ranges::find(known.all(), number, &Generation::number);
  if (one == known.all().end()) return out;
  std::vector<std::string> bad;
  std::set<std::int64_t> others;
  const auto sort = [&](const std::string& name, const SeenFile& file) {
    const Generation* found = known.find(file);
    if (found == nullptr) return;
    if (found->number == number || same(found->file, one->file)) {
      bad.push_back(name);
    } else {
      others.insert(found->number);
    }
  };
  for (const SeenFile& file : files()) sort(file.path, file);
  if (!is_pattern()) {
    for (const Copy& copy : copies(known)) sort(copy.name, copy.file);
  } else {
    for (const std::string& link : links()) {
      if (const auto file = disk_->look(link)) sort(link, *file);
    }
  }
  out.file = name_of(one->file.path);
  out.left = others.size();
  if (others.empty() && !may_be_last) return out;
  for (const std::string& name : bad) {
    const auto to = move_aside(name, launch);
    if (!to) continue;
    moved_.push_back({.generation = number, .from = name, .to = *to});
    out.entries.emplace_back(SetAside{.generation = number, .file = name, .to = *to});
  }
  return out;
}

std::vector<Entry> CheckpointFiles::put_back(const Generations& known) {
  std::vector<Entry> out;
  for (auto move = moved_.rbegin(); move != moved_.rend(); ++move) {
    // An older one that took its place is still among the copies.
    if (const auto there = disk_->look(move->from)) {
      const auto kept = is_pattern() ? std::vector<Copy>() : copies(known);
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
