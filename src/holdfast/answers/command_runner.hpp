#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace holdfast {

/// A command that stands in a file, a check vector or a reproduction. It says its answer and runs nothing that writes files.
struct StoredCommand {
  std::vector<std::string> arguments;
  std::string input = {};                       ///< on standard input
  std::filesystem::path input_directory = ".";  ///< where relative paths inside the input start
  std::string only_file = {};                   ///< the one file that it may write, if there is one
};

struct CommandEnd {
  int status = 0;
  std::string out;  ///< what it said on standard output
  std::string err;  ///< and on standard error
};

/// Runs a command as a user would, in memory. The program gives one to whoever has commands to run.
using CommandRunner = std::function<CommandEnd(const StoredCommand&)>;

}  // namespace holdfast
