#include "holdfast/console.hpp"
#include "holdfast/talk_options.hpp"
#include "holdfast/trace_output.hpp"
#include "holdfast/trace_read.hpp"
#include "holdfast/trace_verbs.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

namespace holdfast::cli {
namespace {

/// `holdfast trace convert FILE --to FORMAT`
class ConvertCommand {
 public:
  explicit ConvertCommand(CLI::App& command) : file_{command}, series_{command}, output_{command} {
    command
        .add_option(
            "--to", to_,
            fmt::format("format to write: csv (the plain table of its kind), {}", writable_names()))
        ->type_name("NAME")
        ->required()
        ->group("Options");
    add_quiet_options(command, talk_);
  }

  Status run(Console& console) const {
    talk_.apply(console);
    const Format* read_as = nullptr;
    HOLDFAST_TRY(records, read_trace(file_, series_, console, read_as));
    auto format = writable_format(to_, records);
    if (!format) return fail(ErrorCode::usage, "--to", format.error().message);
    Oddities lost;
    auto converted = as_kind(std::move(records), (*format)->holds, lost);
    if (!converted) {
      const bool is_usage = converted.error().code == ErrorCode::usage;
      return fail(is_usage ? Error{ErrorCode::usage, "--to", converted.error().message}
                           : in_file(file_.file(), std::move(converted).error()));
    }
    auto written = output_.write(*converted, **format, std::move(lost), console);
    if (!written && written.error().where.empty()) {
      return fail(in_file(file_.file(), std::move(written).error()));
    }
    return written;
  }

 private:
  TraceFileOption file_;
  SeriesOptions series_;
  TraceOutput output_;
  TalkOptions talk_;
  std::string to_;
};

}  // namespace

void add_trace_convert(CLI::App& trace, Console& console) {
  CLI::App* command = trace.add_subcommand("convert", "the same trace in another format");
  auto given = std::make_shared<ConvertCommand>(*command);
  command->footer(
      "example: holdfast trace convert examples/data/sample-failures.csv --to avt -o sample.avt");
  command->callback([given, &console] {
    if (const Status status = given->run(console); !status) console.refuse(status.error());
  });
}

}  // namespace holdfast::cli
