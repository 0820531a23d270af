#include "holdfast/arbiter/run_program.hpp"

#include "holdfast/arbiter/server.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/contract/field.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

// The build defines this; the default is for tools that read only this file.
#ifndef HOLDFAST_PRELOAD_FROM_BIN
#define HOLDFAST_PRELOAD_FROM_BIN "../lib/holdfast/libholdfast_io_preload.so"
#endif

extern char** environ;

namespace holdfast::arbiter {
namespace {

namespace fs = std::filesystem;

constexpr int kNotExecutable = 126;
constexpr int kNotFound = 127;
constexpr std::size_t kLongestPaths = 16384;
constexpr std::size_t kLongestSocket = 108;

struct RunOptions {
  std::string paths;
  bool reads = false;
  double gap = 0.25;
  double small = 1048576;
  std::string socket;
  std::string label;
};

constexpr auto kRun = std::to_array<Field<RunOptions>>({
    {.name = "paths",
     .summary = "folders whose files are written at the granted rate, separated by colons",
     .member = member<&RunOptions::paths>,
     .is_required = true,
     .value_name = "DIR[:DIR]"},
    {.name = "reads",
     .summary = "also read files in these folders at the granted rate",
     .member = member<&RunOptions::reads>},
    {.name = "gap",
     .summary = "an operation ends when nothing has been written for this time",
     .member = member<&RunOptions::gap>,
     .unit = Unit::seconds,
     .range = between(0.01, 60)},
    {.name = "small",
     .summary = "a program that writes less than this within a second is not delayed, and asks for "
                "nothing",
     .member = member<&RunOptions::small>,
     .unit = Unit::bytes,
     .range = at_least(0)},
    {.name = "socket",
     .summary = "socket of the arbiter (default: HOLDFAST_IO_SOCKET, else /run/holdfast/io.sock)",
     .member = member<&RunOptions::socket>,
     .value_name = "PATH"},
    {.name = "label",
     .summary = "name of the application, where no batch system gives one (default: "
                "HOLDFAST_IO_LABEL, else PROGRAM-PID)",
     .member = member<&RunOptions::label>,
     .value_name = "NAME"},
});

/// The environment of a program: ours, with changes.
class Environment {
 public:
  Environment() {
    for (char** entry = environ; *entry != nullptr; ++entry) entries_.emplace_back(*entry);
  }
  [[nodiscard]] std::string get(std::string_view name) const {
    const auto found = find(name);
    return found == entries_.end() ? std::string() : found->substr(name.size() + 1);
  }
  void set(std::string_view name, std::string_view value) {
    std::erase_if(entries_, [&](const std::string& entry) { return is_of(entry, name); });
    entries_.push_back(fmt::format("{}={}", name, value));
  }
  [[nodiscard]] std::vector<char*> pointers() {
    std::vector<char*> out;
    out.reserve(entries_.size() + 1);
    for (std::string& entry : entries_) out.push_back(entry.data());
    out.push_back(nullptr);
    return out;
  }

 private:
  static bool is_of(const std::string& entry, std::string_view name) {
    return entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=';
  }
  [[nodiscard]] std::vector<std::string>::const_iterator find(std::string_view name) const {
    return std::find_if(entries_.begin(), entries_.end(),
                        [&](const std::string& entry) { return is_of(entry, name); });
  }
  std::vector<std::string> entries_;
};

/// Returns the path of the shim, which is beside the other modules of this program, both in a build and after installation.
Result<std::string> find_shim() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path place = (program.parent_path() / HOLDFAST_PRELOAD_FROM_BIN).lexically_normal();
  if (error || !fs::exists(place, error)) {
    return fail(ErrorCode::io_failure, place.string(),
                "is not there, and programs cannot be run without it: this installation has no "
                "part for unmodified programs");
  }
  std::string out = place.string();
  // These characters separate the names in LD_PRELOAD.
  if (out.find_first_of(": ") != std::string::npos) {
    return fail(ErrorCode::io_failure, out,
                "found a space or a colon, expected a place that LD_PRELOAD can name");
  }
  return out;
}

/// Returns the real paths, because the shim compares them with those of the kernel.
Result<std::string> real_paths(std::string_view text) {
  std::string out;
  for (std::string_view rest = text;;) {
    const std::string one(rest.substr(0, rest.find(':')));
    std::error_code error;
    const fs::path place = fs::canonical(one, error);
    if (error || !fs::is_directory(place, error)) {
      return fail(ErrorCode::usage, "/paths",
                  fmt::format("found {}, expected a folder that is there", in_quotes(one)));
    }
    if (place.string().find(':') != std::string::npos) {
      return fail(
          ErrorCode::usage, "/paths",
          fmt::format("found {}, expected a folder whose real path has no colon", in_quotes(one)));
    }
    out += (out.empty() ? "" : ":") + place.string();
    if (rest.size() == one.size()) break;
    rest.remove_prefix(one.size() + 1);
  }
  if (out.size() >= kLongestPaths) {
    return fail(ErrorCode::usage, "/paths",
                fmt::format("found {} bytes of real paths, expected less than {}", out.size(),
                            kLongestPaths));
  }
  return out;
}

int become(const std::vector<std::string>& words, Environment& environment, const Voice& voice) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvpe(arguments.front(), arguments.data(), environment.pointers().data());
  const int code = errno;
  voice.warn(
      fmt::format("{}: cannot be run: {}", words.front(), std::generic_category().message(code)));
  return code == ENOENT || code == ENOTDIR ? kNotFound : kNotExecutable;
}

}  // namespace

std::span<const Parameter> run_parameters() {
  return fields_of<kRun>().parameters();
}

Result<int> run_program(const Request& request) {
  if (request.words.empty()) {
    return fail(ErrorCode::usage, "command", "found none, expected the program to run, behind --");
  }
  if (request.options.find("paths") == nullptr) {
    return fail(ErrorCode::usage, "/paths", "is missing, expected folders, as in /scratch:/work");
  }
  RunOptions options;
  ObjectReader read(request.options, "");
  fields_of<kRun>().read(read, options);
  HOLDFAST_CHECK(read.finish());
  Environment environment;
  const auto first_of = [&](const std::string& given, std::string_view variable,
                            std::string_view usual) {
    const std::string known = given.empty() ? environment.get(variable) : given;
    return known.empty() ? std::string(usual) : known;
  };
  const std::string own = fs::path(request.words.front()).filename().string();
  const std::string socket = arbiter_socket(options.socket);
  const std::string label =
      first_of(options.label, "HOLDFAST_IO_LABEL", fmt::format("{}-{}", own, ::getpid()));
  HOLDFAST_TRY(paths, real_paths(options.paths));
  if (socket.size() >= kLongestSocket) {
    return fail(ErrorCode::usage, "/socket",
                fmt::format("found a path of {} bytes, expected fewer than {}", socket.size(),
                            kLongestSocket));
  }
  HOLDFAST_TRY(shim, find_shim());
  const std::string others = environment.get("LD_PRELOAD");
  environment.set("LD_PRELOAD", others.empty() ? shim : fmt::format("{}:{}", shim, others));
  environment.set("HOLDFAST_IO_PATHS", paths);
  // The path must be absolute, because a program may change its folder before it writes.
  std::error_code error;
  const fs::path place = fs::absolute(socket, error);
  const bool fits = !error && place.string().size() < kLongestSocket;
  environment.set("HOLDFAST_IO_SOCKET", fits ? place.string() : socket);
  environment.set("HOLDFAST_IO_LABEL", label);
  environment.set("HOLDFAST_IO_READS", options.reads ? "1" : "0");
  environment.set("HOLDFAST_IO_GAP", fmt::format("{}", options.gap));
  environment.set("HOLDFAST_IO_SMALL", fmt::format("{}", options.small));
  if (request.is_verbose) environment.set("HOLDFAST_IO_VERBOSE", "1");
  return become(request.words, environment, request.voice);
}

std::string arbiter_socket(const std::string& given) {
  const std::string known = given.empty() ? Environment().get("HOLDFAST_IO_SOCKET") : given;
  return known.empty() ? std::string(kUsualSocket) : known;
}

}  // namespace holdfast::arbiter
