#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace holdfast {

/// A command from a file, a check vector or a reproduction. It prints its answer and must not write files.
struct StoredCommand {
  std::vector<std::string> arguments;  ///< the words after "holdfast"
  std::string input = {};              ///< standard input
  /// Folder to which relative paths inside the input refer.
  std::filesystem::path input_directory = ".";
  std::string only_file = {};  ///< the only file that it may write, if any
};

/// The end of a command.
struct CommandEnd {
  int status = 0;   ///< exit status
  std::string out;  ///< standard output
  std::string err;  ///< standard error
};

/// A function that runs a command in memory, as a user would. The program provides it to code that has commands to run.
using CommandRunner = std::function<CommandEnd(const StoredCommand&)>;

}  // namespace holdfast
