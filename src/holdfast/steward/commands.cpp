#include "holdfast/steward/commands.hpp"

#include "holdfast/steward/options.hpp"
#include "holdfast/steward/pack/verb.hpp"
#include "holdfast/steward/server.hpp"
#include "holdfast/steward/status.hpp"
#include "holdfast/steward/submit/verb.hpp"

#include <array>

namespace holdfast::steward {
namespace {

Result<Answer> run_serve(const Request& request) {
  HOLDFAST_TRY(options, read_options(request.options));
  if (!options.status.empty()) return status_of(options.status);
  HOLDFAST_CHECK(serve(options, request));
  return Answer{.is_silent = true};
}

}  // namespace

std::span<const Verb> verbs() {
  static const auto kVerbs = std::to_array<Verb>({
      {.name = "serve",
       .summary = "place the jobs of a Slurm that runs, and switch nodes as the capacity allows",
       .example = "holdfast capacity serve --partition batch --capacity nodes-on.txt",
       .family = "capacity",
       .group = "On a running Slurm",
       .options = serve_parameters(),
       .takes_instance = false,
       .takes_seed = false,
       .gives = Gives::nothing,
       .only_answers = false,
       .run = run_serve},
      submit::submit_verb(),
      pack::run_verb(),
  });
  return kVerbs;
}

}  // namespace holdfast::steward
