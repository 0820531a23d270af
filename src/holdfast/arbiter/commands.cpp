#include "holdfast/arbiter/commands.hpp"

#include "holdfast/arbiter/calibrate.hpp"
#include "holdfast/arbiter/compare.hpp"
#include "holdfast/arbiter/run_program.hpp"
#include "holdfast/arbiter/serve_config.hpp"
#include "holdfast/arbiter/serve_options.hpp"
#include "holdfast/arbiter/server.hpp"
#include "holdfast/arbiter/top.hpp"

#include <array>
#include <utility>

namespace holdfast::arbiter {
namespace {

Result<int> serve(const Request& request) {
  HOLDFAST_TRY(options, options_of(request.options));
  return Server(options, request.voice).run();
}

Result<int> compare_record(const Request& request) {
  HOLDFAST_TRY(options, read_compare_options(request.options));
  HOLDFAST_TRY(record, io::load_record(options.file));
  HOLDFAST_TRY(answer, compare(record, options));
  const int status = answer.is_no ? exit_code(ErrorCode::infeasible) : 0;
  request.show(std::move(answer));
  return status;
}

Result<int> calibrate_folder(const Request& request) {
  HOLDFAST_TRY(options, read_calibrate_options(request.options));
  HOLDFAST_TRY(answer, calibrate(options));
  request.show(std::move(answer));
  return 0;
}

Result<int> top(const Request& request) {
  return run_top(request.options, request.print);
}

}  // namespace

std::span<const Command> commands() {
  static const auto kCommands = std::to_array<Command>({
      {.name = "serve",
       .summary = "grant bandwidth to the programs of this machine",
       .example = "holdfast io serve --bandwidth 2GB/s --socket /tmp/io.sock --policy fair-share",
       .options = serve_parameters(),
       .run = serve},
      {.name = "compare",
       .summary = "compare what a server granted with what the simulator predicts",
       .example = "holdfast io compare run.jsonl --strategy fair-share,fcfs",
       .options = compare_parameters(),
       .positionals = compare_arguments(),
       .answers = true,
       .run = compare_record},
      {.name = "calibrate",
       .summary = "measure the bandwidth of a file system, for --bandwidth of the server",
       .example = "holdfast io calibrate --directory /tmp --time 0.2s --size 8MiB",
       .options = calibrate_parameters(),
       .answers = true,
       .run = calibrate_folder},
      {.name = "run",
       .summary = "run an unmodified program at the rate that the arbiter grants",
       .example = "holdfast io run --paths /tmp -- dd if=/dev/zero of=/tmp/zeros bs=1M count=8",
       .options = run_parameters(),
       .takes_words = true,
       .run = run_program},
      {.name = "top",
       .summary = "show who waits, who writes, and whose yield is worst",
       .example = "holdfast io top --socket /tmp/io.sock --once",
       .options = top_parameters(),
       .run = top},
  });
  return kCommands;
}

}  // namespace holdfast::arbiter
