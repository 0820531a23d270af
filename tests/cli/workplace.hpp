#pragma once

#include "holdfast/program.hpp"

#include "cli/session.hpp"
#include "support/scratch.hpp"
#include <filesystem>
#include <string>
#include <string_view>

namespace holdfast::cli {

/// The folder of the sources, wherever it lies.
[[nodiscard]] const std::filesystem::path& sources();

/// An empty directory that is the current one while this lives.
class Workplace {
 public:
  Workplace() : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(own_.path());
  }
  ~Workplace() { std::filesystem::current_path(before_); }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

 private:
  std::filesystem::path before_;
  Scratch own_;
};

/// The text with each place of `what` replaced.
[[nodiscard]] std::string replaced(std::string text, std::string_view what, std::string_view with);

/// What a command says and its exit status; `|` and `&&` connect commands as in a shell. What it says calls the folder of the
/// sources HOLDFAST.
[[nodiscard]] Step run_step(const Step& step, Domains known);

}  // namespace holdfast::cli
