#include "holdfast/answer_options.hpp"
#include "holdfast/answers/asked_strategies.hpp"
#include "holdfast/answers/simulate_answer.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/console.hpp"
#include "holdfast/domain_command.hpp"
#include "holdfast/instance_options.hpp"
#include "holdfast/print.hpp"
#include "holdfast/progress_line.hpp"
#include "holdfast/seed_option.hpp"
#include "holdfast/strategy_options.hpp"

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
      : domain_(&domain),
        instance_(domain),
        strategies_(domain),
        answer_(fmt::format("{} simulate", domain.name), {.has_schedule = true}) {}

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
    answer_.add(command);
    command.add_flag("--timing", timing_, "add wall-clock times")->group("Output");
    instance_.add(command);
    strategies_.add(command);
  }

  Status run(Console& console) {
    HOLDFAST_CHECK(answer_.begin(console));
    if (strategies_.wants_list()) {
      print_strategies(*domain_, answer_.format(), console);
      return {};
    }
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
    const std::string note =
        check_ ? fmt::format("{} the model", counted(simulation->checked, "run obeys", "runs obey"))
               : std::string();
    return answer_.deliver(answer_of(*domain_, std::move(*simulation), request.baseline), console,
                           note);
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

  const Domain* domain_;
  InstanceOptions instance_;
  StrategyOptions strategies_;
  SeedOption seed_;
  AnswerOptions answer_;
  std::string scenarios_ = "50";
  std::string threads_;
  bool check_ = false;
  bool timing_ = false;
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
