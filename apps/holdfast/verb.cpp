#include "holdfast/answer_options.hpp"
#include "holdfast/base/local_date.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/console.hpp"
#include "holdfast/contract/ask.hpp"
#include "holdfast/domain_command.hpp"
#include "holdfast/instance_options.hpp"
#include "holdfast/seed_option.hpp"
#include "holdfast/strategy_options.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

namespace holdfast::cli {
namespace {

/// One verb of a domain's table as a command: options from the table, one call, and the printed answer.
class VerbCommand {
 public:
  VerbCommand(const Domain& domain, const Verb& verb)
      : domain_(&domain),
        verb_(&verb),
        instance_(domain),
        strategies_(domain),
        answer_(fmt::format("{} {}", domain.name, verb.name),
                {.is_instance = verb.writes_instance,
                 .has_schedule = verb.has_schedule,
                 .takes_format = !has_own_format(verb)}) {}

  void add(CLI::App& command) {
    own_.add_positionals(command, verb_->positionals);
    own_.add(command, verb_->options, "Options");
    if (verb_->takes_seed) seed_.add(command);
    answer_.add(command);
    if (verb_->takes_instance) {
      instance_.add(command, verb_->positionals.empty(), verb_->unused);
    }
    if (verb_->takes_strategy) strategies_.add(command);
  }

  Status run(Console& console) {
    HOLDFAST_CHECK(answer_.begin(console));
    if (strategies_.wants_list()) {
      print_strategies(*domain_, answer_.format(), console);
      return {};
    }
    HOLDFAST_TRY(request, make_request(console));
    auto answer = ask(*domain_, *verb_, request);
    if (answer) return answer_.deliver(std::move(*answer), console);
    return fail(verb_->takes_instance ? instance_.placed(answer.error(), request.parameters)
                                      : answer.error());
  }

  /// Returns true if the error may be due to a missing document, so that a second line should say what to do.
  [[nodiscard]] bool lacks_instance(const Error& error) const {
    return verb_->takes_instance && instance_.is_lacking(error);
  }

 private:
  Result<Request> make_request(Console& console) {
    Request request;
    if (verb_->takes_instance) {
      HOLDFAST_TRY(input, instance_.read(console));
      request.parameters = std::move(input.document);
      request.directory = std::move(input.directory);
    }
    HOLDFAST_TRY(options, own_.values());
    request.options = std::move(options);
    if (verb_->takes_strategy) {
      HOLDFAST_TRY(strategy, strategies_.read_one());
      request.strategy = std::move(strategy);
    }
    HOLDFAST_TRY(seed, seed_.read());
    request.seed = seed;
    request.today = local_date();
    request.stop = Stop(console.interrupted());
    return request;
  }

  // Returns true if --format is the format of the input. The form of the answer then follows --json and the ending of --output.
  static bool has_own_format(const Verb& verb) {
    return std::ranges::find(verb.options, "format", &Parameter::name) != verb.options.end();
  }

  const Domain* domain_;
  const Verb* verb_;
  InstanceOptions instance_;
  StrategyOptions strategies_;
  SeedOption seed_;
  OptionSet own_;
  AnswerOptions answer_;
};

}  // namespace

void add_verb(CLI::App& command, Console& console, const Domain& domain, const Verb& verb) {
  CLI::App* own = command.add_subcommand(std::string(verb.name), std::string(verb.summary));
  if (!verb.example.empty()) own->footer(fmt::format("example: {}", verb.example));
  auto given = std::make_shared<VerbCommand>(domain, verb);
  given->add(*own);
  own->callback([given, own, &console] {
    const Status status = given->run(console);
    if (status) return;
    console.refuse(status.error());
    if (given->lacks_instance(status.error())) console.note(instance_remedy(*own));
  });
}

}  // namespace holdfast::cli
