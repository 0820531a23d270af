#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/console.hpp"
#include "holdfast/seed_option.hpp"
#include "holdfast/talk_options.hpp"
#include "holdfast/trace_output.hpp"
#include "holdfast/trace_read.hpp"
#include "holdfast/trace_verbs.hpp"
#include "holdfast/traces/slice.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

namespace holdfast::cli {
namespace {

/// `holdfast trace slice FILE`
class SliceCommand {
 public:
  explicit SliceCommand(CLI::App& command) : file_{command}, series_{command}, output_{command} {
    const auto add = [&](const char* name, std::string& text, const char* type, const char* help) {
      command.add_option(name, text, help)->type_name(type)->group("Options");
    };
    add("--from", from_, "TIME", "the part from here on, on the trace's clock: seconds or a date");
    add("--to", to_, "TIME", "the part until here");
    add("--machines", machines_, "A[,B...]", "these nodes, workers or machines");
    add("--sample", sample_, "N", "so many of the machines (or jobs, or lifetimes), drawn");
    seed_.add(command);
    add("--as", as_, "NAME",
        "format to write (default: the file's own, else the plain table of its kind)");
    add_quiet_options(command, talk_);
  }

  Status run(Console& console) const {
    talk_.apply(console);
    HOLDFAST_TRY(question, read_question());
    const Format* format = nullptr;
    HOLDFAST_TRY(records, read_trace(file_, series_, console, format));
    auto part = sliced(std::move(records), question);
    if (!part) return fail(placed(std::move(part).error()));
    const bool is_own = as_.empty() && is_writable(*format);
    if (!as_.empty()) {
      auto asked = writable_format(as_, *part);
      if (!asked) return fail(ErrorCode::usage, "--as", asked.error().message);
      format = *asked;
    } else if (!is_own) {
      format = &plain_format(*part);
      console.note(fmt::format("written as {}", format->name));
    }
    Oddities lost;
    auto converted = as_kind(std::move(*part), format->holds, lost);
    if (!converted) return fail(ErrorCode::usage, "--as", converted.error().message);
    auto written = output_.write(*converted, *format, std::move(lost), console);
    if (!written && written.error().where.empty()) {
      return fail(in_file(file_.file(), std::move(written).error()));
    }
    return written;
  }

 private:
  Result<SliceQuestion> read_question() const {
    SliceQuestion out;
    for (const bool is_start : {true, false}) {
      const std::string& text = is_start ? from_ : to_;
      if (text.empty()) continue;
      auto instant = parse_instant(text);
      if (!instant) {
        return fail(ErrorCode::usage, is_start ? "--from" : "--to", instant.error().message);
      }
      (is_start ? out.from : out.to) = *instant;
    }
    if (!machines_.empty()) {
      for (const std::string_view name : split(machines_, ',')) {
        out.machines.emplace_back(trim(name));
      }
    }
    if (!sample_.empty()) {
      HOLDFAST_TRY(count, read_count(sample_, "--sample"));
      out.sample = count;
    }
    HOLDFAST_TRY(seed, seed_.read());
    out.seed = seed;
    if (out.from || out.to || out.sample || !out.machines.empty() || file_.system()) return out;
    return fail(ErrorCode::usage, "",
                "found nothing that makes a part, expected --from, --to, --machines, --sample or "
                "--system");
  }

  /// An error about a part of the question names its option.
  [[nodiscard]] Error placed(Error error) const {
    if (error.code == ErrorCode::usage && !error.where.empty()) {
      return as_option_error(std::move(error));
    }
    return error.where.empty() ? in_file(file_.file(), std::move(error)) : error;
  }

  TraceFileOption file_;
  SeriesOptions series_;
  TraceOutput output_;
  SeedOption seed_;
  TalkOptions talk_;
  std::string from_;
  std::string to_;
  std::string machines_;
  std::string sample_;
  std::string as_;
};

}  // namespace

void add_trace_slice(CLI::App& trace, Console& console) {
  CLI::App* command =
      trace.add_subcommand("slice", "a part of a trace: a window of time, machines, a sample");
  auto given = std::make_shared<SliceCommand>(*command);
  command->footer(
      "example: holdfast trace slice examples/data/sample-failures.csv --sample 10 --seed 7");
  command->callback([given, &console] {
    if (const Status status = given->run(console); !status) console.refuse(status.error());
  });
}

}  // namespace holdfast::cli
