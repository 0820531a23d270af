#pragma once

#include "holdfast/field/checkpoint_disk.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <cerrno>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// A small file system in memory, for tests.
namespace holdfast::field::memory {

/// A file in memory. The checkpoint N is "N(N)" when it is whole; half of it is "N(".
struct File {
  std::string text;
  std::int64_t changed = 0;
  std::int64_t touched = 0;
  bool is_open = false;
  friend auto operator<=>(const File&, const File&) = default;
};

inline std::string parent_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

inline std::string last_of(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

/// When something is done, and by whom: set before each step. It is no part of a state, because the order of independent steps
/// must leave no trace.
struct Moment {
  std::int64_t clock = 0;
  int owner = 0;  ///< each has inodes of its own
  friend std::strong_ordering operator<=>(const Moment&, const Moment&) {
    return std::strong_ordering::equal;
  }
  friend bool operator==(const Moment&, const Moment&) { return true; }
};

struct FileSystem {
  std::map<std::string, int> names;            ///< inodes of files
  std::map<std::string, std::string> pointed;  ///< symbolic links
  std::map<int, File> files;
  std::vector<std::pair<std::string, bool>> events;  ///< name, and whether it came by rename
  Moment moment;
  friend auto operator<=>(const FileSystem&, const FileSystem&) = default;

  [[nodiscard]] static std::string beside(const std::string& path, const std::string& name) {
    return parent_of(path) == "." ? name : parent_of(path) + "/" + name;
  }
  [[nodiscard]] std::string real(const std::string& path) const {
    const auto link = pointed.find(path);
    return link == pointed.end() ? path : beside(path, link->second);
  }
  /// Returns the neighbour that a small file names; empty if it names none.
  [[nodiscard]] std::string named(const std::string& path) const {
    const File* own = file(path);
    const std::string out = own == nullptr ? std::string() : beside(path, own->text);
    return own != nullptr && names.contains(out) ? out : std::string();
  }
  [[nodiscard]] std::vector<std::string> below(const std::string& path) const {
    std::vector<std::string> out;
    for (const auto& [name, inode] : names) {
      if (name == path || name.starts_with(path + "/")) out.push_back(name);
    }
    return out;
  }
  [[nodiscard]] const File* file(const std::string& path) const {
    const auto name = names.find(real(path));
    return name == names.end() ? nullptr : &files.at(name->second);
  }
  void forget_unnamed() {
    std::erase_if(files, [&](const auto& one) {
      return std::ranges::none_of(names,
                                  [&](const auto& name) { return name.second == one.first; });
    });
  }
  /// Returns a free inode. As on ext4, that of a removed file is taken again.
  [[nodiscard]] int free_inode() const {
    constexpr int kEach = 100;
    int inode = kEach * moment.owner + 1;
    while (files.contains(inode)) ++inode;
    return inode;
  }
  void create(const std::string& path) {
    const auto old = names.find(path);
    const int inode = old == names.end() ? free_inode() : old->second;
    files[inode] = {.text = {}, .changed = moment.clock, .touched = moment.clock, .is_open = true};
    names[path] = inode;
    events.emplace_back(path, false);
  }
  void write(const std::string& path, const std::string& text) {
    const auto name = names.find(path);
    if (name == names.end()) return;
    File& one = files[name->second];
    one.text += text;
    one.changed = one.touched = moment.clock;
    events.emplace_back(path, false);
  }
  void close(const std::string& path) {
    const auto name = names.find(path);
    if (name != names.end()) files[name->second].is_open = false;
  }
  void remove(const std::string& path) {
    for (const std::string& name : below(path)) names.erase(name);
    pointed.erase(path);
    forget_unnamed();
  }
  bool rename(const std::string& from, const std::string& to) {
    const auto moved = below(from);
    if (moved.empty() && !pointed.contains(from)) return false;
    if (const auto link = pointed.find(from); link != pointed.end()) {
      pointed[to] = link->second;
      pointed.erase(from);
    }
    for (const std::string& name : moved) {
      const int inode = names[name];
      names.erase(name);
      names[to + name.substr(from.size())] = inode;
      ++files[inode].touched;
    }
    forget_unnamed();
    events.emplace_back(to, true);
    return true;
  }
};

inline std::uint64_t print_of(const std::string& name, std::uint64_t size, std::int64_t changed) {
  return std::hash<std::string>()(name + "/" + std::to_string(size) + "/" +
                                  std::to_string(changed));
}

inline std::optional<SeenFile> look_at_memory(const FileSystem& system, const std::string& path,
                                              const std::string& marker) {
  const std::string real = system.real(path);
  const auto inner = system.below(real);
  if (inner.empty()) return std::nullopt;
  SeenFile out{.path = path, .is_folder = !system.names.contains(real)};
  if (real != path) out.target = system.pointed.at(path);
  for (const std::string& name : inner) {
    const int inode = system.names.at(name);
    const File& one = system.files.at(inode);
    if (!out.is_folder) out.inode = static_cast<std::uint64_t>(inode);
    out.size += one.text.size();
    out.changed = std::max(out.changed, one.changed);
    out.touched += static_cast<std::uint64_t>(one.touched * 131 + inode);
    out.empty += one.text.empty() ? 1 : 0;
    if (out.is_folder)
      out.print += print_of(name.substr(real.size()), one.text.size(), one.changed);
    if (out.is_folder && name == real + "/" + marker && !one.text.empty()) out.marked = one.changed;
  }
  const std::string named = system.named(path);
  if (real == path && !named.empty()) {
    out.target = system.file(path)->text;
    out.print = print_of(out.target, 0, system.file(named)->changed);
  }
  return out;
}

/// The disk on which the guard works; before each operation others may do something.
class MemoryDisk final : public Disk {
 public:
  MemoryDisk(FileSystem& system, std::string marker)
      : system_(&system), marker_(std::move(marker)) {}
  /// Called before each operation, with what was seen so far, and whether the operation depends on the moment.
  std::function<void(const std::string& seen, bool matters)> hook = [](const std::string&, bool) {};

  std::optional<SeenFile> look(const std::string& path) override {
    hook(seen_ += '.', false);
    auto out = look_at_memory(*system_, path, marker_);
    seen_ += out ? std::to_string(print_of(out->path, out->size + out->print, out->changed)) + ";"
                 : "-;";
    return out;
  }
  std::vector<std::string> matches(const std::string& pattern) override {
    std::set<std::string> all;
    for (const auto& [name, inode] : system_->names) {
      for (std::string path = name; path != "."; path = parent_of(path)) all.insert(path);
    }
    for (const auto& [name, target] : system_->pointed) all.insert(name);
    std::vector<std::string> out;
    for (const std::string& path : all) {
      if (::fnmatch(pattern.c_str(), path.c_str(), FNM_PATHNAME) == 0) out.push_back(path);
    }
    return out;
  }
  int copy(const std::string& from, const std::string& to) override {
    hook(seen_ += '.', true);
    const auto before = look_at_memory(*system_, from, marker_);
    if (!before) return ENOENT;
    const std::string source = system_->real(from);
    std::map<std::string, std::pair<int, File>> copied;
    for (const std::string& name : system_->below(source)) {
      copied[to + name.substr(source.size())] = {system_->names[name],
                                                 system_->files[system_->names[name]]};
    }
    // The second half of each file is read later.
    hook(seen_ += '.', true);
    bool is_torn = false;
    for (auto& [name, one] : copied) {
      const auto now = system_->files.find(one.first);
      // What was removed meanwhile is still open here, and whole.
      if (now != system_->files.end() && now->second.changed != one.second.changed) is_torn = true;
      const std::size_t half = one.second.text.size() / 2;
      if (now != system_->files.end())
        one.second.text = one.second.text.substr(0, half) +
                          now->second.text.substr(std::min(half, now->second.text.size()));
    }
    for (auto& [name, one] : copied) {
      const int inode = system_->free_inode();
      one.second.is_open = false;
      system_->files[inode] = one.second;
      system_->names[name] = inode;
    }
    seen_ += is_torn ? "torn;" : "copied;";
    return is_torn ? ESTALE : 0;
  }
  int link(const std::string& from, const std::string& to) override {
    hook(seen_ += '.', true);
    for (const std::string& name : system_->below(from)) {
      system_->names[to + name.substr(from.size())] = system_->names[name];
      ++system_->files[system_->names[name]].touched;
    }
    return system_->below(to).empty() ? ENOENT : 0;
  }
  int point(const std::string& text, const std::string& path) override {
    hook(seen_ += '.', true);
    system_->pointed[path] = text;
    return 0;
  }
  int move(const std::string& from, const std::string& to) override {
    hook(seen_ += '.', true);
    if (!system_->rename(from, to)) return ENOENT;
    system_->events.pop_back();
    return 0;
  }
  void remove(const std::string& path) override {
    hook(seen_ += '.', true);
    system_->remove(path);
  }
  void flush(const std::string&) override {}
  std::string digest(const std::string& path) override {
    std::string out;
    for (const std::string& name : system_->below(system_->real(path)))
      out += system_->file(name)->text + ";";
    return out;
  }
  int verify(const std::string&) override { return 1; }
  /// Lets others do something.
  void pause() { hook(seen_ += '.', true); }

 private:
  FileSystem* system_;
  std::string marker_;
  std::string seen_;
};

}  // namespace holdfast::field::memory
