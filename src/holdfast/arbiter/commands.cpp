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

Result<Answer> serve(const Request& request) {
  HOLDFAST_TRY(options, options_of(request.options));
  HOLDFAST_TRY(status, Server(options, request.voice).run());
  return Answer{.status = status};
}

Result<Answer> compare_record(const Request& request) {
  HOLDFAST_TRY(options, read_compare_options(request.options));
  HOLDFAST_TRY(record, io::load_record(options.file));
  return compare(record, options);
}

Result<Answer> calibrate_folder(const Request& request) {
  HOLDFAST_TRY(options, read_calibrate_options(request.options));
  return calibrate(options);
}

Result<Answer> run(const Request& request) {
  HOLDFAST_TRY(status, run_program(request));
  return Answer{.status = status};
}

Result<Answer> top(const Request& request) {
  HOLDFAST_TRY(status, run_top(request.options, request.voice.print));
  return Answer{.status = status};
}

// A verb of this table, which takes neither instance nor seed.
Verb verb(Verb row) {
  row.family = "io";
  row.group = "Arbiter";
  row.takes_instance = false;
  row.takes_seed = false;
  return row;
}

constexpr auto kOutcome =
    std::to_array<ResultField>({{"strategy?", "strategy in canonical form", Holds::text},
                                {"minimum_yield", "least yield of an application"},
                                {"efficiency", "efficiency of all"},
                                {"yields.*", "yield of that application"}});

constexpr auto kCompareResults = std::to_array<ResultField>(
    {{"window[]", "begin and end of the compared part of the record", Unit::seconds},
     {"policy", "policy of the server", Holds::text},
     {"bandwidth", "bandwidth that it granted", Unit::bytes_per_second},
     {"tolerance", "difference that is accepted"},
     {"largest_difference", "largest relative difference of a yield"},
     {"measured", "what the applications reached", kOutcome},
     {"remarks[]", "what else should be known", Holds::text},
     {"predicted[]", "what the simulator predicts for each strategy", kOutcome}});

constexpr auto kCalibrateResults = std::to_array<ResultField>(
    {{"directory", "folder on the file system that was measured", Holds::text},
     {"direct", "whether it takes direct writes", Holds::flag},
     {"bandwidth", "bandwidth to grant", Unit::bytes_per_second},
     {"measured[].writers", "number of writers", Holds::integer},
     {"measured[].bandwidth", "bandwidth that they reached together", Unit::bytes_per_second}});

}  // namespace

std::span<const Verb> verbs() {
  static const auto kVerbs = std::to_array<Verb>({
      verb({.name = "serve",
            .summary = "grant bandwidth to the programs of this machine",
            .example =
                "holdfast io serve --bandwidth 2GB/s --socket /tmp/io.sock --policy fair-share",
            .options = serve_parameters(),
            .gives = Gives::nothing,
            .run = serve}),
      verb({.name = "compare",
            .summary = "compare what a server granted with what the simulator predicts",
            .example = "holdfast io compare run.jsonl --strategy fair-share,fcfs",
            .options = compare_parameters(),
            .positionals = compare_arguments(),
            .results = kCompareResults,
            .run = compare_record}),
      verb({.name = "calibrate",
            .summary = "measure the bandwidth of a file system, for --bandwidth of the server",
            .example = "holdfast io calibrate --directory /tmp --time 0.2s --size 8MiB",
            .options = calibrate_parameters(),
            .results = kCalibrateResults,
            .run = calibrate_folder}),
      verb(
          {.name = "run",
           .summary = "run an unmodified program at the rate that the arbiter grants",
           .example = "holdfast io run --paths /tmp -- dd if=/dev/zero of=/tmp/zeros bs=1M count=8",
           .options = run_parameters(),
           .takes_words = true,
           .gives = Gives::nothing,
           .run = run}),
      verb({.name = "top",
            .summary = "show who waits, who writes, and whose yield is worst",
            .example = "holdfast io top --socket /tmp/io.sock --once",
            .options = top_parameters(),
            .gives = Gives::nothing,
            .run = top}),
  });
  return kVerbs;
}

}  // namespace holdfast::arbiter
