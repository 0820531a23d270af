#include "holdfast/answers/asked_strategies.hpp"
#include "holdfast/answers/output_file.hpp"
#include "holdfast/answers/simulate_answer.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/console.hpp"
#include "holdfast/domain_command.hpp"
#include "holdfast/format_option.hpp"
#include "holdfast/instance_options.hpp"
#include "holdfast/print.hpp"
#include "holdfast/progress_line.hpp"
#include "holdfast/schedule_option.hpp"
#include "holdfast/seed_option.hpp"
#include "holdfast/strategy_options.hpp"
#include "holdfast/talk_options.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::cli {
namespace {

/// `holdfast <domain> simulate`: a campaign of one point.
class SimulateCommand {
 public:
  explicit SimulateCommand(const Domain& domain)
      : domain_(&domain), instance_(domain), strategies_(domain) {}

  void add(CLI::App& command) {
    const auto add_count = [&command](const char* name, std::string& text, const char* help) {
      command.add_option(name, text, help)->type_name("N")->group("Options");
    };
    add_count("--scenarios", scenarios_, "number of random scenarios (default 50)");
    seed_.add(command);
    add_count("--threads", threads_,
              "number of threads (default: all cores); it does not change the results");
    command
        .add_flag("--check", check_,
                  "check every run with a validator that is independent of the simulator")
        ->group("Options");
    add_talk_options(command, talk_);
    format_.add(command);
    command.add_flag("--timing", timing_, "add wall-clock times")->group("Output");
    schedule_.add(command);
    command
        .add_option(
            "--output", output_,
            "also write the answer to this file (.json, .csv, .md, .txt) or into this directory")
        ->type_name("PATH")
        ->group("Output");
    command.add_flag("--force", force_, "replace an existing file")->group("Output");
    instance_.add(command);
    strategies_.add(command);
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
    ProgressLine progress(console);
    request.control.progress = [&progress](const Progress& now) { progress.show(now); };
    auto simulation = simulate(*domain_, request);
    progress.clear();
    if (!simulation) return fail(instance_.placed(simulation.error(), request.parameters));
    if (check_ && simulation->checked == 0) {
      return fail(ErrorCode::usage, "--check",
                  fmt::format("'{}' offers no check of its runs", domain_->name));
    }
    return deliver(std::move(*simulation), request.baseline, format, file_format, console);
  }

  [[nodiscard]] bool lacks_instance(const Error& error) const {
    return instance_.is_lacking(error);
  }

 private:
  Result<SimulateRequest> make_request(Console& console) {
    SimulateRequest request;
    HOLDFAST_TRY(seed, seed_.read());
    HOLDFAST_TRY(scenarios, read_count(scenarios_, "--scenarios"));
    HOLDFAST_TRY(threads, read_threads(threads_));
    request.control.threads = threads;
    HOLDFAST_TRY(input, instance_.read(console));
    HOLDFAST_TRY(specs, strategies_.read_all(input.document));
    request.parameters = std::move(input.document);
    request.directory = std::move(input.directory);
    request.strategies = std::move(specs);
    request.baseline = baseline_of(*domain_, request.strategies);
    request.scenarios = static_cast<std::uint64_t>(scenarios);
    request.seed = seed;
    request.timing = timing_;
    request.check = check_;
    request.control.stop = console.interrupted();
    return request;
  }

  Status deliver(Simulation simulation, std::optional<std::size_t> baseline, AnswerFormat format,
                 AnswerFormat file_format, Console& console) const {
    for (const std::string& warning : simulation.warnings) console.warn(warning);
    if (check_) {
      console.note(
          fmt::format("{} the model", counted(simulation.checked, "run obeys", "runs obey")));
    }
    HOLDFAST_CHECK(deliver_schedule(simulation, console));
    Shown shown = shown_of(*domain_, std::move(simulation), baseline);
    if (format == AnswerFormat::json || !output_.empty()) make_finite(shown.document, console);
    if (!output_.empty()) HOLDFAST_CHECK(write_file(shown, file_format, console));
    print_shown(shown, format, console);
    return {};
  }

  Status deliver_schedule(Simulation& simulation, Console& console) const {
    if (!schedule_.is_given()) return {};
    const auto& names = schedule_.is_picture() ? simulation.shown : simulation.strategies;
    std::vector<NamedTimeline> schedules;
    for (std::size_t i = 0; i < simulation.timelines.size(); ++i) {
      const auto& timeline = simulation.timelines[i];
      if (timeline) schedules.push_back({names[i], &*timeline});
    }
    if (schedules.empty()) {
      return fail(ErrorCode::usage, "--schedule",
                  fmt::format("'{}' has no schedule", domain_->name));
    }
    if (!schedule_.into_document()) {
      return schedule_.write(schedules, title_of(*domain_, simulation), force_, console);
    }
    Value::Array& results = *simulation.document.find("results")->array_items();
    for (std::size_t i = 0; i < results.size(); ++i) {
      const auto& timeline = simulation.timelines[i];
      if (timeline) results[i].set("schedule", schedule_value(*timeline));
    }
    return {};
  }

  Status write_file(const Shown& shown, AnswerFormat format, Console& console) const {
    HOLDFAST_TRY(
        place, place_for(output_, fmt::format("{}-simulate{}", domain_->name, ending_of(format))));
    return write_new_file(place, text_of(shown, format), force_, console);
  }

  const Domain* domain_;
  InstanceOptions instance_;
  StrategyOptions strategies_;
  ScheduleOption schedule_;
  SeedOption seed_;
  TalkOptions talk_;
  FormatOption format_;
  std::string scenarios_ = "50";
  std::string threads_;
  std::string output_;
  bool check_ = false;
  bool timing_ = false;
  bool force_ = false;
};

}  // namespace

void add_simulate(CLI::App& command, Console& console, const Domain& domain) {
  CLI::App* own = command.add_subcommand(
      "simulate", "run strategies on the same random scenarios, and compare them");
  own->footer(fmt::format("example: {}", domain.example));
  auto given = std::make_shared<SimulateCommand>(domain);
  given->add(*own);
  own->callback([given, own, &console] {
    const Status status = given->run(console);
    if (status) return;
    console.refuse(status.error());
    if (given->lacks_instance(status.error())) console.note(instance_remedy(*own));
  });
}

}  // namespace holdfast::cli
