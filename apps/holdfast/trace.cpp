#include "holdfast/answers/output_file.hpp"
#include "holdfast/answers/trace/verbs.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/console.hpp"
#include "holdfast/option_set.hpp"
#include "holdfast/print.hpp"
#include "holdfast/seed_option.hpp"
#include "holdfast/talk_options.hpp"
#include "holdfast/verbs.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <istream>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <utility>

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

/// One verb of `holdfast trace` as a command: options from the table, one call, and the printed answer.
class TraceCommand {
 public:
  TraceCommand(CLI::App& command, const TraceVerb& verb) : verb_{&verb} {
    const auto require = [&command](std::string_view name) {
      command.get_option(std::string(name))->required();
    };
    options_.add_positionals(command, verb.positionals);
    for (const Parameter& one : verb.positionals) require(one.name);
    options_.add(command, verb.options, "Options");
    if (verb.takes_seed) seed_.add(command);
    options_.add(command, verb.target, "Options");
    if (verb.needs_target) require(option_name(verb.target.front().name));
    if (verb.makes_trace) {
      command
          .add_option("-o,--output", file_,
                      "file to write, compressed if it ends in .gz, .zst, .xz or .bz2 (default: "
                      "standard output)")
          ->type_name("FILE")
          ->group("Output");
      add_force(command, "replace an existing file");
      add_quiet_options(command, talk_);
      return;
    }
    add_talk_options(command, talk_);
    if (!verb.has_picture) return;
    command.add_option("--plot", file_, "draw the data and the fitted models as SVG")
        ->type_name("FILE")
        ->group("Output");
    add_force(command, "replace an existing picture");
  }

  Status run(Console& console) const {
    talk_.apply(console);
    HOLDFAST_TRY(options, options_.values());
    HOLDFAST_TRY(seed, seed_.read());
    if (verb_->has_picture) HOLDFAST_CHECK(check_picture());
    auto said =
        verb_->run({.options = std::move(options),
                    .seed = seed,
                    .stop = Stop(console.interrupted()),
                    .input = [&console] { return std::make_unique<StreamSource>(console.in()); },
                    .detail = [&console](std::string_view line) { console.detail(line); }});
    if (!said) return fail(said.error());
    for (const std::string& note : said->notes) console.note(note);
    if (said->made) return write(*said->made, console);
    if (!file_.empty()) HOLDFAST_CHECK(draw(*said, console));
    print_answer(std::move(said->answer), talk_.json, console);
    return {};
  }

 private:
  void add_force(CLI::App& command, const char* help) {
    command.add_flag("--force", force_, help)->group("Output");
  }

  // Checks the name of the picture before the trace is read.
  [[nodiscard]] Status check_picture() const {
    if (file_.empty()) return {};
    const std::string ending = std::filesystem::path(file_).extension().string();
    if (ending.empty() || ending == ".svg") return check_overwrite(file_, force_);
    return fail(ErrorCode::usage, "--plot",
                fmt::format("found {}, expected a file that ends in .svg", in_quotes(file_)));
  }

  Status draw(TraceAnswer& said, Console& console) const {
    if (said.picture.lines.empty()) {
      return fail(ErrorCode::infeasible, "--plot", "nothing could be fitted that could be drawn");
    }
    HOLDFAST_CHECK(write_new_file(file_, to_svg(said.picture), force_, console));
    if (!said.picture_warning.empty()) said.answer.warnings.push_back(said.picture_warning);
    return {};
  }

  // Writes the file, completely or not at all.
  Status write(const MadeTrace& made, Console& console) const {
    std::vector<std::string> warnings;
    if (file_.empty() || file_ == "-") {
      HOLDFAST_TRY(lost, made.write([&console](std::string_view part) -> Status {
        if (console.out() << part) return {};
        return fail(ErrorCode::io_failure, "standard output", "cannot be written");
      }));
      warnings = std::move(lost);
    } else {
      HOLDFAST_CHECK(check_overwrite(file_, force_));
      OutputFile file(file_);
      HOLDFAST_TRY(lost, made.write([&file](std::string_view part) { return file.write(part); }));
      HOLDFAST_CHECK(file.finish());
      console.note(fmt::format("wrote {} ({})", file_, made.format->name));
      warnings = std::move(lost);
    }
    for (const std::string& warning : warnings) console.warn(warning);
    return {};
  }

  const TraceVerb* verb_;
  OptionSet options_;
  SeedOption seed_;
  TalkOptions talk_;
  std::string file_;
  bool force_ = false;
};

}  // namespace

void add_trace(CLI::App& root, Console& console) {
  CLI::App* trace =
      root.add_subcommand("trace", "work with real traces: describe, convert, cut and fit them");
  trace->require_subcommand(0, 1);
  for (const TraceVerb& verb : trace_verbs()) {
    CLI::App* command = trace->add_subcommand(std::string(verb.name), std::string(verb.summary));
    auto given = std::make_shared<TraceCommand>(*command, verb);
    const bool is_one = verb.examples.size() == 1;
    command->footer(fmt::format(
        "{} {}", is_one ? "example:" : "examples:", fmt::join(verb.examples, "\n          ")));
    command->callback([given, &console] {
      if (const Status status = given->run(console); !status) console.refuse(status.error());
    });
  }
  trace->footer("example: holdfast trace info examples/data/sample-failures.csv");
}

}  // namespace holdfast::cli
