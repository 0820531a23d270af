#include "holdfast/arbiter/run_program.hpp"

#include "holdfast/arbiter/server.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/system.hpp"
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

int become(const std::vector<std::string>& words, const std::vector<std::string>& environment,
           const Voice& voice) {
  ::execvpe(words.front().c_str(), pointers_to(words).data(), pointers_to(environment).data());
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
  std::vector<std::string> environment = environment_without({});
  const auto first_of = [&](const std::string& given, std::string_view variable,
                            std::string_view usual) {
    const std::string_view known = given.empty() ? value_in(environment, variable) : given;
    return std::string(known.empty() ? usual : known);
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
  const auto set = [&](std::string_view name, std::string_view value) {
    set_value_in(environment, name, value);
  };
  const std::string others(value_in(environment, "LD_PRELOAD"));
  set("LD_PRELOAD", others.empty() ? shim : fmt::format("{}:{}", shim, others));
  set("HOLDFAST_IO_PATHS", paths);
  // The path must be absolute, because a program may change its folder before it writes.
  std::error_code error;
  const fs::path place = fs::absolute(socket, error);
  const bool fits = !error && place.string().size() < kLongestSocket;
  set("HOLDFAST_IO_SOCKET", fits ? place.string() : socket);
  set("HOLDFAST_IO_LABEL", label);
  set("HOLDFAST_IO_READS", options.reads ? "1" : "0");
  set("HOLDFAST_IO_GAP", fmt::format("{}", options.gap));
  set("HOLDFAST_IO_SMALL", fmt::format("{}", options.small));
  if (request.is_verbose) set("HOLDFAST_IO_VERBOSE", "1");
  return become(request.words, environment, request.voice);
}

std::string arbiter_socket(const std::string& given) {
  const std::vector<std::string> environment = environment_without({});
  const std::string_view known =
      given.empty() ? value_in(environment, "HOLDFAST_IO_SOCKET") : given;
  return std::string(known.empty() ? kUsualSocket : known);
}

}  // namespace holdfast::arbiter
