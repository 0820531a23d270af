#pragma once

#include "holdfast/field/generations.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::field {

/// Looks at a file or a folder, or at what a link or a small file that names its neighbour points to.
/// @param marker  name of a file in the folder that shows that it is complete; empty: there is none
/// @returns nothing if it does not exist or is neither a file nor a folder
[[nodiscard]] std::optional<SeenFile> look_at(const std::string& path,
                                              std::string_view marker = {});

/// Returns true for a small file that names its neighbour.
[[nodiscard]] bool is_text_pointer(const SeenFile& file);
/// Returns the folder that holds a file: "." for a mere name.
[[nodiscard]] std::string folder_of(const std::string& path);
/// Returns what an error code means.
[[nodiscard]] std::string trouble_of(int code);

/// The operations on files and folders by which checkpoints are kept and given back; a test has its own (generations_test).
/// Those that return a number return 0, or an error code: ESTALE if the source changed meanwhile.
class Disk {
 public:
  virtual ~Disk() = default;
  [[nodiscard]] virtual std::optional<SeenFile> look(const std::string& path) = 0;
  /// Returns what a pattern of the shell matches.
  [[nodiscard]] virtual std::vector<std::string> matches(const std::string& pattern) = 0;
  /// Copies what a path names to a new name, with its times, and flushes the copy.
  [[nodiscard]] virtual int copy(const std::string& from, const std::string& to) = 0;
  /// Gives a file, or each file of a folder, a second name.
  [[nodiscard]] virtual int link(const std::string& from, const std::string& to) = 0;
  /// Makes or replaces a symbolic link with this text.
  [[nodiscard]] virtual int point(const std::string& text, const std::string& path) = 0;
  /// Renames; the folder of the new name is made if it is missing.
  [[nodiscard]] virtual int move(const std::string& from, const std::string& to) = 0;
  /// Removes a file, or a folder with all that is in it.
  virtual void remove(const std::string& path) = 0;
  /// Returns when the files, and the folders that hold them, are on the disk.
  virtual void flush(const std::string& path) = 0;
  /// Returns a digest of the contents; empty if they cannot be read. Holes count as zeros.
  [[nodiscard]] virtual std::string digest(const std::string& path) = 0;
  /// Runs the user's check, and returns its exit status.
  [[nodiscard]] virtual int verify(const std::string& path) = 0;
};

/// The disk of this machine.
class RealDisk final : public Disk {
 public:
  /// @param marker  as for look_at()
  /// @param verify  shell command that checks $HOLDFAST_CHECKPOINT; empty: none
  RealDisk(std::string marker, std::string verify)
      : marker_(std::move(marker)), verify_(std::move(verify)) {}
  void set_marker(std::string name) { marker_ = std::move(name); }
  std::optional<SeenFile> look(const std::string& path) override { return look_at(path, marker_); }
  std::vector<std::string> matches(const std::string& pattern) override;
  int copy(const std::string& from, const std::string& to) override;
  int link(const std::string& from, const std::string& to) override;
  int point(const std::string& text, const std::string& path) override;
  int move(const std::string& from, const std::string& to) override;
  void remove(const std::string& path) override;
  void flush(const std::string& path) override;
  std::string digest(const std::string& path) override;
  int verify(const std::string& path) override;

 private:
  std::string marker_;
  std::string verify_;
};

}  // namespace holdfast::field
