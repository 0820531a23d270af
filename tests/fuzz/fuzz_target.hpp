#pragma once

#include <cstdint>
#include <span>
#include <string_view>

/// What a program of several libFuzzer targets is made of (fuzz_target.cpp):
///
///   PROGRAM --list                     the targets, one a line
///   PROGRAM --target=NAME FOLDER ...   libFuzzer's own options and folders follow (it skips what begins with --)
namespace holdfast::fuzz {

struct Target {
  std::string_view name;
  void (*feed)(std::string_view bytes);
};

/// Of this program; each program defines it.
std::span<const Target> targets();

/// Ends the program, as a finding, unless it holds.
void promise(bool holds, const char* sentence);

}  // namespace holdfast::fuzz
