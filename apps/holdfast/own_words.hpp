#pragma once

#include <CLI/CLI.hpp>

#include <span>
#include <string>
#include <vector>

namespace holdfast::cli {

class Console;

/// Returns a command line in the words of its command: verbs and options that only have another name there (--ckpt for
/// --checkpoint), a size and a bandwidth as one duration (--checkpoint 1TB@10GB/s), and nothing that changes nothing (--gpus
/// beside --processors). The console remembers what was taken for what. All other words stay as they are.
[[nodiscard]] std::vector<std::string> in_own_words(const CLI::App& root,
                                                    std::span<const std::string> arguments,
                                                    Console& console);

/// Returns the names of the options of a command, without dashes and without hidden ones.
[[nodiscard]] std::vector<std::string> options_of(const CLI::App& command);

/// Returns the names of the verbs of a command.
[[nodiscard]] std::vector<std::string> verbs_of(const CLI::App& command);

}  // namespace holdfast::cli
