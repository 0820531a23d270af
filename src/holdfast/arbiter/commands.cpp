#include "holdfast/arbiter/commands.hpp"

#include "holdfast/arbiter/serve_options.hpp"
#include "holdfast/arbiter/server.hpp"

#include <array>

namespace holdfast::arbiter {
namespace {

Result<int> serve(const Request& request) {
  HOLDFAST_TRY(options, read_serve_options(request.options));
  return Server(options, request.voice).run();
}

}  // namespace

std::span<const Command> commands() {
  static const auto kCommands = std::to_array<Command>({
      {.name = "serve",
       .summary = "grant bandwidth to the programs of this machine",
       .example = "holdfast io serve --bandwidth 2GB/s --socket /tmp/io.sock --policy fair-share",
       .options = serve_parameters(),
       .run = serve},
  });
  return kCommands;
}

}  // namespace holdfast::arbiter
