#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/kernel/lifetime.hpp"
#include "holdfast/traces/formats.hpp"
#include "holdfast/traces/lifetimes.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace holdfast::cli {

class Console;

/// FILE, --format and --system: what every verb of `holdfast trace` takes. The constructor makes the options.
class TraceFileOption {
 public:
  explicit TraceFileOption(CLI::App& command);

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const std::optional<std::string>& system() const { return system_; }
  /// As given; empty: by what the file looks like.
  [[nodiscard]] const std::string& format() const { return format_; }
  /// Opens and recognises the file. Errors about the options name them and are those of a wrong command line.
  [[nodiscard]] Result<OpenTrace> open(Console& console) const;
  /// Reads a log that was opened.
  [[nodiscard]] Result<FailureLog> read_log(OpenTrace trace) const;

 private:
  std::string file_;
  std::string format_;
  std::optional<std::string> system_;
};

/// How a log becomes lifetimes: --merge, --since, --unit, --from, --to.
class LifetimeOptions {
 public:
  explicit LifetimeOptions(CLI::App& command);
  [[nodiscard]] Result<LifetimeQuery> read() const;
  /// The first that was given, with its dashes; empty: none.
  [[nodiscard]] std::string given() const;
  /// All that were given, as words of a command line: "--merge", "20min".
  [[nodiscard]] std::vector<std::string> words() const;

 private:
  /// Every option beside its text.
  [[nodiscard]] std::array<std::pair<const char*, const std::string*>, 5> options() const;

  std::string merge_;
  std::string since_;
  std::string unit_;
  std::string from_;
  std::string to_;
};

/// An error about a field as one about the option of that name: "/merge" or "merge" becomes "--merge", exit status 2.
[[nodiscard]] Error as_option_error(Error error);

}  // namespace holdfast::cli
