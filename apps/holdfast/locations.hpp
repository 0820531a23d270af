#pragma once

#include <filesystem>
#include <string>
#include <vector>

/// Files that holdfast brings along: found beside the program (PREFIX/share/holdfast for PREFIX/bin/holdfast), wherever
/// it was installed, else in the source tree that it was built from.
namespace holdfast::cli {

/// Every domain's vectors/*.json, in the order of their names.
[[nodiscard]] std::vector<std::filesystem::path> vector_files();

/// The folder that holds one folder per reproduced table or figure; empty where there is none.
[[nodiscard]] std::filesystem::path reproduce_directory();

/// The folder of real data, which is no part of the project: what HOLDFAST_DATA names, else `../shared/data` beside the
/// source tree; empty where it names nothing and there is none.
[[nodiscard]] std::filesystem::path data_directory();
/// The folder of the examples; empty where there is none.
[[nodiscard]] std::filesystem::path examples_directory();

/// This program, as another machine that sees the same files would start it.
[[nodiscard]] std::string program_path();

}  // namespace holdfast::cli
