#include "holdfast/answer_options.hpp"

#include "holdfast/answers/answer_text.hpp"
#include "holdfast/answers/files/output_file.hpp"
#include "holdfast/answers/files/schedule_file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/console.hpp"
#include "holdfast/option_set.hpp"
#include "holdfast/print.hpp"
#include "holdfast/report/chart/lines.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <utility>
#include <vector>

namespace holdfast::cli {
namespace {

// A document that is a text is a file of another format (CSV, WfFormat), which is written unchanged.
AnswerFormat format_of_text(const std::string& text) {
  return text.starts_with('{') ? AnswerFormat::json : AnswerFormat::csv;
}

// Returns true for the file that a shell has just created for standard output.
bool is_empty_standard_output(const std::string& file) {
  struct stat out {};
  struct stat named {};
  return ::fstat(STDOUT_FILENO, &out) == 0 && ::stat(file.c_str(), &named) == 0 &&
         S_ISREG(out.st_mode) && out.st_size == 0 && out.st_dev == named.st_dev &&
         out.st_ino == named.st_ino;
}

}  // namespace

AnswerForm form_of(const Verb& verb) {
  return {.gives = verb.gives,
          .has_schedule = verb.has_schedule,
          .has_chart = verb.has_chart,
          .has_read_as = verb.option("read_as") != nullptr,
          .takes_output = verb.option("output") == nullptr,
          .file_name = verb.file_name};
}

void AnswerOptions::add(CLI::App& command) {
  const auto add_text = [&command](const char* name, std::string& text, const char* help,
                                   const char* type) {
    command.add_option(name, text, help)->type_name(type)->group("Output");
  };
  const bool has_document = form_.gives == Gives::answer || form_.gives == Gives::instance;
  const auto add_flag = [&command](const char* name, bool& flag, const char* help) {
    command.add_flag(name, flag, help)->group("Output");
  };
  if (has_document) add_flag("--json", json_, "one JSON document on standard output");
  add_flag("--quiet", quiet_, "print errors only");
  add_flag("--verbose", verbose_, "also print details on standard error");
  if (form_.gives == Gives::answer) {
    add_text("--format", format_text_,
             "format of the answer (default table); csv: one table in base units, for programs",
             "table|csv|markdown|json");
  } else if (form_.has_read_as) {
    add_text("--format", format_text_, "", "NAME");
    command.get_option("--format")->group("");
  }
  if (form_.takes_output && form_.gives != Gives::nothing) add_output(command);
  if (form_.has_chart) {
    add_text("--plot", plot_, "draw it as SVG", "FILE");
  }
  if (form_.has_schedule) {
    add_text("--schedule", schedule_,
             "write the schedule of the first scenario: .csv, .json (trace events), .svg, .paje; "
             "- puts its rows into the --json document",
             "FILE");
  }
}

void AnswerOptions::add_output(CLI::App& command) {
  const bool is_file = form_.gives == Gives::file;
  const std::string usual = form_.file_name.empty()
                                ? ": standard output)"
                                : fmt::format(" {}); - is standard output", form_.file_name);
  const std::string help =
      is_file ? "file to write, compressed if it ends in .gz, .zst, .xz or .bz2 (default" + usual
      : form_.gives == Gives::instance
          ? "write the document to this file, or into this directory"
          : "also write the answer to this file (.json, .csv, .md, .txt) or into this directory";
  command.add_option(names_of("--output"), output_, help)
      ->type_name(is_file ? "FILE" : "PATH")
      ->group("Output");
  command.add_flag("--force", force_, "replace an existing file")->group("Output");
}

Result<std::optional<AnswerFormat>> AnswerOptions::named_format() const {
  if (format_text_.empty()) return json_ ? std::optional(AnswerFormat::json) : std::nullopt;
  const auto format = answer_format(format_text_);
  if (!format) {
    return fail(ErrorCode::usage, "--format",
                fmt::format("unknown format {}; {}", in_quotes(format_text_),
                            suggestion(format_text_, answer_format_names())));
  }
  if (!json_ || *format == AnswerFormat::json) return format;
  return fail(ErrorCode::usage, "--format",
              fmt::format("found {} together with --json, expected only one of them",
                          in_quotes(format_text_)));
}

Status AnswerOptions::begin(Console& console) {
  console.set_quiet(quiet_);
  console.set_verbose(verbose_);
  const bool is_old = form_.gives == Gives::file || !answer_format(format_text_);
  if (form_.has_read_as && is_old) std::swap(read_as_, format_text_);
  HOLDFAST_CHECK(check_plot());
  HOLDFAST_TRY(named, named_format());
  if (form_.gives == Gives::file) return {};
  const auto of_file = format_of_file(output_);
  if (of_file && named && *of_file != *named) {
    return fail(ErrorCode::usage, "--output",
                fmt::format("found {}, expected a name that ends in {}: the format is {}",
                            in_quotes(output_), ending_of(*named), name_of(*named)));
  }
  format_ = named.value_or(AnswerFormat::table);
  file_format_ = of_file ? *of_file : named.value_or(AnswerFormat::json);
  return schedule_.empty() ? Status() : check_schedule();
}

Status AnswerOptions::check_schedule() const {
  const std::filesystem::path place = schedule_;
  if (place.lexically_normal() == std::filesystem::path(output_).lexically_normal()) {
    return fail(ErrorCode::usage, "--schedule",
                fmt::format("found {}, which --output names too, expected another file",
                            in_quotes(schedule_)));
  }
  if (schedule_ == "-") {
    if (format_ == AnswerFormat::json) return {};
    return fail(ErrorCode::usage, "--schedule -", "found no --json, whose document takes the rows");
  }
  if (names_schedule(schedule_)) return check_overwrite(schedule_, force_);
  return fail(ErrorCode::usage, "--schedule",
              fmt::format("found {}, expected a file that ends in .csv, .json, .svg or .paje, or -",
                          in_quotes(schedule_)));
}

// Checks the name of the picture before anything is read.
Status AnswerOptions::check_plot() const {
  if (plot_.empty()) return {};
  const std::string ending = std::filesystem::path(plot_).extension().string();
  if (ending.empty() || ending == ".svg") return check_overwrite(plot_, force_);
  return fail(ErrorCode::usage, "--plot",
              fmt::format("found {}, expected a file that ends in .svg", in_quotes(plot_)));
}

Status AnswerOptions::draw(const LineChart& chart, Console& console) const {
  if (chart.lines.empty()) {
    return fail(ErrorCode::infeasible, "--plot", "this answer has nothing that could be drawn");
  }
  HOLDFAST_CHECK(write_new_file(plot_, to_svg(chart), force_, console));
  if (!chart.left_out.empty()) console.warn(chart.left_out);
  return {};
}

// Writes the file, completely or not at all.
Status AnswerOptions::deliver_file(const AnswerFile& file, Console& console) const {
  const std::string place = output_.empty() ? file.name : output_;
  std::vector<std::string> warnings;
  if (place.empty() || place == "-" || is_empty_standard_output(place)) {
    HOLDFAST_TRY(lost, file.write([&console](std::string_view part) -> Status {
      if (console.out() << part) return {};
      return fail(ErrorCode::io_failure, "standard output", "cannot be written");
    }));
    warnings = std::move(lost);
  } else {
    HOLDFAST_CHECK(check_overwrite(place, force_));
    std::error_code ignored;  // opening the file says what is wrong
    if (const std::filesystem::path folder = std::filesystem::path(file.name).parent_path();
        output_.empty() && !folder.empty())
      std::filesystem::create_directories(folder, ignored);
    OutputFile written(place);
    HOLDFAST_TRY(lost,
                 file.write([&written](std::string_view part) { return written.write(part); }));
    HOLDFAST_CHECK(written.finish());
    console.note(file.format.empty() ? fmt::format("wrote {}", place)
                                     : fmt::format("wrote {} ({})", place, file.format));
    if (!file.remark.empty()) console.note(fmt::format(fmt::runtime(file.remark), place));
    warnings = std::move(lost);
  }
  for (const std::string& warning : warnings) console.warn(warning);
  return {};
}

void AnswerOptions::show(const Answer& part, Console& console) {
  if (format_ == AnswerFormat::json || format_ == AnswerFormat::csv) return;
  if (has_shown_ && !part.tables.empty()) console.out() << '\n';
  print_text(part, format_, console);
  console.out().flush();
  has_shown_ = true;
}

WantedParts AnswerOptions::wanted() const {
  const auto is_any = [this](auto... formats) {
    return ((format_ == formats) || ...) ||
           (!output_.empty() && ((file_format_ == formats) || ...));
  };
  return {.text = is_any(AnswerFormat::table, AnswerFormat::markdown),
          .document = is_any(AnswerFormat::json),
          .data = is_any(AnswerFormat::csv),
          .chart = !plot_.empty(),
          .is_brief = format_ == AnswerFormat::table && output_.empty()};
}

Status AnswerOptions::deliver(Answer answer, Console& console) const {
  if (answer.is_no) console.answer_no();
  console.set_status(answer.status);
  for (const std::string& one : answer.notes) console.note(one);
  HOLDFAST_CHECK(deliver_text(answer, console));
  // The answer is read first; what must be known about it stands below, where the eye ends.
  console.out().flush();
  for (const std::string& warning : answer.warnings) console.warn(warning);
  for (const std::string& one : answer.closing) console.note(one);
  return {};
}

Status AnswerOptions::deliver_text(Answer& answer, Console& console) const {
  if (answer.file && !json_) return deliver_file(*answer.file, console);
  if (!plot_.empty()) HOLDFAST_CHECK(draw(answer.chart, console));
  const std::string* text = answer.document.string();
  HOLDFAST_CHECK(text != nullptr ? check_text(*text) : check_document());
  if (!schedule_.empty()) HOLDFAST_CHECK(deliver_schedules(answer, console));
  if (text != nullptr) {
    if (!output_.empty()) return write_file(*text, format_of_text(*text), console);
    console.out() << *text;
    return {};
  }
  const AnswerFormat format = form_.gives == Gives::instance ? AnswerFormat::json : format_;
  if (answer.is_silent) return {};
  tell_problem(answer);
  if (format == AnswerFormat::json || !output_.empty()) make_finite(answer.document, console);
  if (!output_.empty()) {
    HOLDFAST_CHECK(write_file(text_of(answer, file_format_), file_format_, console));
    if (form_.gives == Gives::instance && !json_) return {};
  }
  if (has_shown_ && format != AnswerFormat::json) console.out() << '\n';
  print_text(answer, format, console);
  return {};
}

Status AnswerOptions::check_document() const {
  if (form_.gives != Gives::instance || output_.empty() || file_format_ == AnswerFormat::json)
    return {};
  return fail(ErrorCode::usage, "--output",
              fmt::format("found {}, expected a name that ends in .json: an instance is a "
                          "JSON document",
                          in_quotes(output_)));
}

Status AnswerOptions::check_text(const std::string& text) const {
  if (json_) {
    return fail(ErrorCode::usage, "--json",
                "found a request for a text of another format too, expected one of them");
  }
  const AnswerFormat format = format_of_text(text);
  if (!format_of_file(output_) || file_format_ == format) return {};
  return fail(ErrorCode::usage, "--output",
              fmt::format("found {}, expected a name that ends in {}", in_quotes(output_),
                          ending_of(format)));
}

Status AnswerOptions::deliver_schedules(Answer& answer, Console& console) const {
  if (answer.schedules.empty()) {
    return fail(ErrorCode::usage, "--schedule", fmt::format("'{}' has no schedule", command_));
  }
  if (schedule_ == "-") {
    put_schedules(answer);
    return {};
  }
  const bool is_picture = schedule_.ends_with(".svg");
  std::vector<NamedTimeline> schedules;
  for (const Schedule& one : answer.schedules) {
    schedules.push_back({is_picture ? one.shown : one.name, &one.timeline});
  }
  HOLDFAST_CHECK(check_overwrite(schedule_, force_));
  HOLDFAST_CHECK(write_schedule_file(
      schedule_, schedules, {.title = answer.schedule_title, .note = answer.schedule_note}));
  console.note(fmt::format("wrote {}", schedule_));
  return {};
}

Status AnswerOptions::write_file(const std::string& text, AnswerFormat format,
                                 Console& console) const {
  std::string name = command_;
  std::ranges::replace(name, ' ', '-');
  HOLDFAST_TRY(place, place_for(output_, fmt::format("{}{}", name, ending_of(format))));
  return write_new_file(place, text, force_, console);
}

}  // namespace holdfast::cli
