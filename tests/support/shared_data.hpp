#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace holdfast::test {

/// A file of the collection of real data, which is no part of the project: $HOLDFAST_DATA, else
/// ../shared/data beside the project's root. Says so and returns nothing where it is not there; the
/// test then returns.
inline std::optional<std::filesystem::path> shared_data(const std::string& name) {
  const char* folder = std::getenv("HOLDFAST_DATA");
  const auto path = std::filesystem::path(folder != nullptr ? folder : "../shared/data") / name;
  if (std::filesystem::exists(path)) return path;
  MESSAGE("skipped: no ", path.string(), " (HOLDFAST_DATA names the folder)");
  return std::nullopt;
}

}  // namespace holdfast::test
