#include "holdfast/answer_options.hpp"
#include "holdfast/answers/host.hpp"
#include "holdfast/answers/verbs.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/base/local_date.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/console.hpp"
#include "holdfast/contract/ask.hpp"
#include "holdfast/domain_command.hpp"
#include "holdfast/instance_options.hpp"
#include "holdfast/memory_run.hpp"
#include "holdfast/program.hpp"
#include "holdfast/progress_line.hpp"
#include "holdfast/seed_option.hpp"
#include "holdfast/strategy_options.hpp"
#include "holdfast/verb_app.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstddef>
#include <cstdlib>
#include <istream>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::cli {
namespace {

/// A source of bytes from a stream.
class StreamSource final : public ByteSource {
 public:
  explicit StreamSource(std::istream& stream) : stream_{stream} {}
  Result<std::size_t> read(std::span<char> buffer) override {
    stream_.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    return static_cast<std::size_t>(stream_.gcount());
  }

 private:
  std::istream& stream_;
};

Voice voice_of(Console& console) {
  return {.say =
              [&console](std::string_view text) {
                console.note(fmt::format("holdfast: {}", text));
                console.err().flush();
              },
          .warn = [&console](std::string_view text) { console.warn(text); },
          .detail = [&console](std::string_view text) { console.detail(text); },
          .print = [&console](std::string_view text) { console.out() << text << std::flush; }};
}

/// One verb of a table as a command: options from the table, one call, and the answer.
class VerbCommand {
 public:
  /// @param domain  the domain of the verb; null if it belongs to none
  VerbCommand(Domains domains, const Domain* domain, const Verb& verb)
      : domains_(domains),
        domain_(domain),
        verb_(&verb),
        instance_(domain),
        strategies_(domain),
        answer_(command_of(domain, verb), form_of(verb)) {}

  void add(CLI::App& command) {
    own_.add_positionals(command, verb_->positionals);
    if (verb_->takes_words) add_words(command, words_);
    own_.add(command, verb_->options, "Options");
    if (verb_->takes_seed) seed_.add(command);
    answer_.add(command);
    if (verb_->takes_instance) {
      const bool takes_argument = verb_->positionals.empty() && !verb_->takes_words;
      instance_.add(command, takes_argument, verb_->unused);
    }
    if (verb_->takes_strategy || verb_->takes_strategies)
      strategies_.add(command, verb_->takes_strategies);
  }

  Status run(Console& console) {
    HOLDFAST_CHECK(answer_.begin(console));
    if (strategies_.wants_list()) {
      print_strategies(*domain_, answer_.format(), console);
      return {};
    }
    HOLDFAST_TRY(request, make_request(console));
    ProgressLine progress(console);
    const Host host = host_of(console, progress);
    request.host = &host;
    auto answer = domain_ != nullptr ? ask(*domain_, *verb_, request) : ask(*verb_, request);
    progress.clear();
    if (answer) return answer_.deliver(std::move(*answer), console);
    Error error = as_typed(answer.error());
    return fail(verb_->takes_instance ? instance_.placed(std::move(error), request.parameters)
                                      : std::move(error));
  }

  /// Returns true if the error may be due to a missing document, so that a second line should say what to do.
  [[nodiscard]] bool lacks_instance(const Error& error) const {
    return verb_->takes_instance && instance_.is_lacking(error);
  }

 private:
  // A single document among the arguments of a verb that takes other files too is the instance.
  void take_document(Value& options) {
    if (verb_->positionals.empty()) return;
    const std::string name(verb_->positionals.back().name);
    const Value* given = options.find(name);
    const Value::Array* files = given == nullptr ? nullptr : given->array_items();
    if (files == nullptr || files->size() != 1) return;
    const std::string* file = files->front().string();
    if (file == nullptr || !file->ends_with(".json")) return;
    instance_.take_argument(*file);
    options.erase(name);
  }

  Result<Request> make_request(Console& console) {
    Request request;
    request.domain = domain_;
    request.taken = console.taken();
    HOLDFAST_TRY(options, own_.values());
    if (verb_->takes_instance) {
      take_document(options);
      HOLDFAST_TRY(input, instance_.read(console));
      request.parameters = std::move(input.document);
      request.directory = std::move(input.directory);
      request.taken.insert(request.taken.end(), input.taken.begin(), input.taken.end());
    }
    request.options = std::move(options);
    if (const std::string& old = answer_.read_as(); !old.empty())
      request.options.set("read_as", old);
    if (verb_->takes_strategies) {
      HOLDFAST_TRY(strategies, strategies_.read_all(request.parameters));
      request.strategies = std::move(strategies);
    }
    if (verb_->takes_strategy) {
      HOLDFAST_TRY(strategy, strategies_.read_one(request.parameters));
      request.strategy = std::move(strategy);
    }
    HOLDFAST_TRY(seed, seed_.read());
    request.seed = seed;
    request.today = local_date();
    request.stop = Stop(console.interrupted());
    request.words = words_;
    request.input = [&console] { return std::make_unique<StreamSource>(console.in()); };
    request.voice = voice_of(console);
    request.show = [this, &console](const Answer& part) { answer_.show(part, console); };
    request.is_verbose = console.is_verbose();
    request.wanted = answer_.wanted();
    return request;
  }

  Host host_of(Console& console, ProgressLine& progress) const {
    return {.domains = domains_,
            .places = console.places(),
            .command = console.command(),
            .run = runner_in_memory(domains_, console),
            .commands = [domains = domains_] { return describe_commands(domains); },
            .schemas = [domains = domains_] { return schemas(domains); },
            .control = {.stop = console.interrupted(),
                        .progress = [&progress](const Progress& now) { progress.show(now); }},
            .end_progress = [&progress] { progress.clear(); },
            .environment =
                [](const char* name) {
                  const char* value = std::getenv(name);
                  return std::string(value == nullptr ? "" : value);
                }};
  }

  // Names an option as it was typed, --read-as as --format.
  [[nodiscard]] Error as_typed(Error error) const {
    if (error.where == "--read-as" && !answer_.read_as().empty()) error.where = "--format";
    return error;
  }

  Domains domains_;
  const Domain* domain_;
  const Verb* verb_;
  InstanceOptions instance_;
  StrategyOptions strategies_;
  SeedOption seed_;
  OptionSet own_;
  std::vector<std::string> words_;
  AnswerOptions answer_;
};

}  // namespace

void add_verb(CLI::App& command, Console& console, Domains domains, const Domain* domain,
              const Verb& verb) {
  CLI::App* own = command.add_subcommand(std::make_shared<VerbApp>(domain, verb));
  if (!verb.group.empty()) own->group(std::string(verb.group));
  const std::string_view shown = &verb == &simulate_verb() ? domain->example : verb.example;
  if (!shown.empty()) {
    const auto examples = split(shown, '\n');
    own->footer(fmt::format(
        "{} {}", examples.size() == 1 ? "example:" : "examples:", join(examples, "\n          ")));
  }
  auto given = std::make_shared<VerbCommand>(domains, domain, verb);
  given->add(*own);
  own->callback([given, own, &console] {
    const Status status = given->run(console);
    if (status) return;
    console.refuse(status.error());
    if (given->lacks_instance(status.error())) console.note(instance_remedy(*own));
  });
}

}  // namespace holdfast::cli
