#include "holdfast/console.hpp"
#include "holdfast/domain_command.hpp"
#include "holdfast/finite_document.hpp"
#include "holdfast/instance_options.hpp"
#include "holdfast/output_file.hpp"
#include "holdfast/print.hpp"
#include "holdfast/schedule_option.hpp"
#include "holdfast/seed_option.hpp"
#include "holdfast/strategy_options.hpp"
#include "holdfast/talk_options.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>

namespace holdfast::cli {
namespace {

/// One verb of a domain's table as a command: options from the table, one call, print.
class VerbCommand {
 public:
  VerbCommand(const Domain& domain, const Verb& verb)
      : domain_(&domain), verb_(&verb), instance_(domain), strategies_(domain) {}

  void add(CLI::App& command) {
    own_.add_positionals(command, verb_->positionals);
    own_.add(command, verb_->options, "Options");
    add_talk_options(command, talk_);
    seed_.add(command);
    command
        .add_option("--output", output_, "write the document to this file, or into this directory")
        ->type_name("PATH")
        ->take_last()
        ->group("Output");
    command.add_flag("--force", force_, "replace a file that exists")->group("Output");
    if (verb_->takes_instance) {
      instance_.add(command);
      schedule_.add(command);
    }
    if (verb_->takes_strategy) strategies_.add(command);
  }

  Status run(Console& console) {
    talk_.apply(console);
    if (strategies_.wants_list()) {
      print_strategies(*domain_, talk_.json, console);
      return {};
    }
    HOLDFAST_CHECK(schedule_.check(talk_.json, output_));
    HOLDFAST_TRY(request, make_request(console));
    auto answer = verb_->run(request);
    if (!answer) {
      const Error error = verb_->takes_instance
                              ? instance_.placed(answer.error(), request.parameters)
                              : answer.error();
      return fail(error);
    }
    return deliver(std::move(*answer), console);
  }

  /// A document may be missing: worth a second line under an error.
  [[nodiscard]] bool lacks_instance(const Error& error) const {
    return verb_->takes_instance && instance_.is_lacking(error);
  }

 private:
  Result<Request> make_request(Console& console) const {
    Request request;
    if (verb_->takes_instance) {
      HOLDFAST_TRY(input, instance_.read(console));
      request.parameters = std::move(input.document);
      request.directory = std::move(input.directory);
    }
    HOLDFAST_TRY(options, own_.values());
    request.options = std::move(options);
    if (verb_->takes_strategy) {
      HOLDFAST_TRY(strategy, strategies_.read_one(std::string(domain_->recommended)));
      request.strategy = std::move(strategy);
    }
    HOLDFAST_TRY(seed, seed_.read());
    request.seed = seed;
    return request;
  }

  Status deliver(Answer answer, Console& console) {
    if (answer.is_no) console.answer_no();
    HOLDFAST_CHECK(deliver_schedule(answer));
    if (answer.document.string() != nullptr) return deliver_text(answer, console);
    const bool is_document = verb_->name == "generate";
    if (talk_.json || is_document || !output_.empty()) drop_non_finite(answer.document, console);
    if (!output_.empty()) {
      HOLDFAST_CHECK(write_document(answer.document, console));
      if (is_document && !talk_.json) return {};
    }
    print_answer(answer, talk_.json || is_document, console);
    return {};
  }

  // A document that is a text is a file of another format (CSV, WfFormat): it goes out as it is.
  Status deliver_text(const Answer& answer, Console& console) const {
    const std::string& text = *answer.document.string();
    if (talk_.json) {
      return fail(ErrorCode::usage, "--json",
                  "found a request for a text of another format too, expected one of them");
    }
    for (const std::string& warning : answer.warnings) console.warn(warning);
    if (output_.empty()) {
      console.out() << text;
      return {};
    }
    const std::string_view ending = text.starts_with('{') ? "json" : "csv";
    HOLDFAST_TRY(place,
                 place_for(output_, fmt::format("{}-{}.{}", domain_->name, verb_->name, ending)));
    HOLDFAST_CHECK(write_new_file(place, text, force_));
    console.note(fmt::format("wrote {}", place.string()));
    return {};
  }

  Status deliver_schedule(Answer& answer) const {
    if (!schedule_.is_given()) return {};
    if (!answer.schedule) {
      return fail(ErrorCode::usage, "--schedule",
                  fmt::format("'{} {}' has no schedule", domain_->name, verb_->name));
    }
    if (schedule_.into_document()) {
      answer.document.set("schedule", schedule_value(*answer.schedule));
      return {};
    }
    const NamedTimeline one[] = {{verb_->name, &*answer.schedule}};
    return schedule_.write(one, force_);
  }

  Status write_document(const Value& document, Console& console) const {
    HOLDFAST_TRY(place, place_for(output_, fmt::format("{}-{}.json", domain_->name, verb_->name)));
    HOLDFAST_CHECK(write_new_file(place, to_json(document) + "\n", force_));
    console.note(fmt::format("wrote {}", place.string()));
    return {};
  }

  const Domain* domain_;
  const Verb* verb_;
  InstanceOptions instance_;
  StrategyOptions strategies_;
  ScheduleOption schedule_;
  SeedOption seed_;
  TalkOptions talk_;
  OptionSet own_;
  std::string output_;
  bool force_ = false;
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
