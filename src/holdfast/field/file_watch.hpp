#pragma once

#include "holdfast/base/descriptor.hpp"
#include "holdfast/field/process.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace holdfast::field {

/// Watches what this machine does to the names in some folders. What other machines do on a shared file system is not seen.
class FileWatch {
 public:
  FileWatch();

  /// Watches these folders too. Those that do not exist yet can be named again later.
  void add(const std::vector<std::string>& folders);

  struct Seen {
    std::string folder;
    std::string name;
    bool has_moved_in = false;  ///< false: it was created or written
  };
  /// Returns what was seen since the last call.
  /// @param has_missed  set to true if something was lost
  [[nodiscard]] std::vector<Seen> read(bool& has_missed);

 private:
  Descriptor events_;
  std::map<int, std::string> folders_;
};

/// Returns true if one of these processes has a file open for writing: this one, or one in this folder.
[[nodiscard]] bool is_open_for_writing(const std::string& path,
                                       std::span<const ProcessId> processes);

}  // namespace holdfast::field
