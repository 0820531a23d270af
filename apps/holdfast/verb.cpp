#include "holdfast/answers/output_file.hpp"
#include "holdfast/base/local_date.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/console.hpp"
#include "holdfast/contract/ask.hpp"
#include "holdfast/domain_command.hpp"
#include "holdfast/format_option.hpp"
#include "holdfast/instance_options.hpp"
#include "holdfast/print.hpp"
#include "holdfast/schedule_option.hpp"
#include "holdfast/seed_option.hpp"
#include "holdfast/strategy_options.hpp"
#include "holdfast/talk_options.hpp"

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
      : domain_(&domain), verb_(&verb), instance_(domain), strategies_(domain) {}

  void add(CLI::App& command) {
    own_.add_positionals(command, verb_->positionals);
    own_.add(command, verb_->options, "Options");
    add_talk_options(command, talk_);
    if (verb_->takes_seed) seed_.add(command);
    if (!verb_->writes_instance && !has_own_format()) format_.add(command);
    command
        .add_option("--output", output_,
                    verb_->writes_instance
                        ? "write the document to this file, or into this directory"
                        : "also write the answer to this file (.json, .csv, .md, .txt) or into "
                          "this directory")
        ->type_name("PATH")
        ->group("Output");
    command.add_flag("--force", force_, "replace an existing file")->group("Output");
    if (verb_->takes_instance) {
      instance_.add(command, verb_->positionals.empty(), verb_->unused);
    }
    if (verb_->has_schedule) schedule_.add(command);
    if (verb_->takes_strategy) strategies_.add(command);
  }

  Status run(Console& console) {
    talk_.apply(console);
    HOLDFAST_TRY(format, format_.read(talk_.json));
    if (strategies_.wants_list()) {
      print_strategies(*domain_, format, console);
      return {};
    }
    HOLDFAST_TRY(file_format, format_.of_file(output_, talk_.json));
    HOLDFAST_CHECK(schedule_.check(format == AnswerFormat::json, output_, force_));
    HOLDFAST_TRY(request, make_request(console));
    auto answer = ask(*domain_, *verb_, request);
    if (!answer) {
      const Error error = verb_->takes_instance
                              ? instance_.placed(answer.error(), request.parameters)
                              : answer.error();
      return fail(error);
    }
    return deliver(std::move(*answer), format, file_format, console);
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
  [[nodiscard]] bool has_own_format() const {
    return std::any_of(verb_->options.begin(), verb_->options.end(),
                       [](const Parameter& option) { return option.name == "format"; });
  }

  Status deliver(Answer answer, AnswerFormat format, AnswerFormat file_format, Console& console) {
    if (answer.is_no) console.answer_no();
    HOLDFAST_CHECK(deliver_schedule(answer, console));
    if (answer.document.string() != nullptr) return deliver_text(answer, file_format, console);
    if (verb_->writes_instance) format = AnswerFormat::json;
    if (verb_->writes_instance && !output_.empty() && file_format != AnswerFormat::json) {
      return fail(ErrorCode::usage, "--output",
                  fmt::format("found {}, expected a name that ends in .json: an instance is a "
                              "JSON document",
                              in_quotes(output_)));
    }
    for (const std::string& warning : answer.warnings) console.warn(warning);
    Shown shown = shown_of(std::move(answer));
    if (format == AnswerFormat::json || !output_.empty()) make_finite(shown.document, console);
    if (!output_.empty()) {
      HOLDFAST_CHECK(write_file(shown, file_format, console));
      if (verb_->writes_instance && !talk_.json) return {};
    }
    print_shown(shown, format, console);
    return {};
  }

  // A document that is a text is a file of another format (CSV, WfFormat), which is written unchanged.
  Status deliver_text(const Answer& answer, AnswerFormat file_format, Console& console) const {
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
    const AnswerFormat format = text.starts_with('{') ? AnswerFormat::json : AnswerFormat::csv;
    if (format_of_file(output_) && file_format != format) {
      return fail(ErrorCode::usage, "--output",
                  fmt::format("found {}, expected a name that ends in {}", in_quotes(output_),
                              ending_of(format)));
    }
    HOLDFAST_TRY(place, place_for(output_, fmt::format("{}-{}{}", domain_->name, verb_->name,
                                                       ending_of(format))));
    return write_new_file(place, text, force_, console);
  }

  Status deliver_schedule(Answer& answer, Console& console) const {
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
    const PictureTitle title{.title = fmt::format("{} {}", domain_->name, verb_->name), .note = ""};
    return schedule_.write(one, title, force_, console);
  }

  Status write_file(const Shown& shown, AnswerFormat format, Console& console) const {
    HOLDFAST_TRY(place, place_for(output_, fmt::format("{}-{}{}", domain_->name, verb_->name,
                                                       ending_of(format))));
    return write_new_file(place, text_of(shown, format), force_, console);
  }

  const Domain* domain_;
  const Verb* verb_;
  InstanceOptions instance_;
  StrategyOptions strategies_;
  ScheduleOption schedule_;
  SeedOption seed_;
  TalkOptions talk_;
  FormatOption format_;
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
