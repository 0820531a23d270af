#include "holdfast/answer_options.hpp"

#include "holdfast/answers/answer_text.hpp"
#include "holdfast/answers/output_file.hpp"
#include "holdfast/answers/schedule_file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/console.hpp"
#include "holdfast/print.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <vector>

namespace holdfast::cli {
namespace {

// A document that is a text is a file of another format (CSV, WfFormat), which is written unchanged.
AnswerFormat format_of_text(const std::string& text) {
  return text.starts_with('{') ? AnswerFormat::json : AnswerFormat::csv;
}

}  // namespace

void AnswerOptions::add(CLI::App& command) {
  const auto add_text = [&command](const char* name, std::string& text, const char* help,
                                   const char* type) {
    command.add_option(name, text, help)->type_name(type)->group("Output");
  };
  add_talk_options(command, talk_);
  if (form_.takes_format && !form_.is_instance) {
    add_text("--format", format_text_,
             "format of the answer (default table); csv: one table in base units, for programs",
             "table|csv|markdown|json");
  }
  if (!form_.takes_output) return;
  add_text("--output", output_,
           form_.is_instance
               ? "write the document to this file, or into this directory"
               : "also write the answer to this file (.json, .csv, .md, .txt) or into "
                 "this directory",
           "PATH");
  command.add_flag("--force", force_, "replace an existing file")->group("Output");
  if (form_.has_schedule) {
    add_text("--schedule", schedule_,
             "write the schedule of the first scenario: .csv, .json (trace events), .svg, .paje; "
             "- puts its rows into the --json document",
             "FILE");
  }
}

Result<std::optional<AnswerFormat>> AnswerOptions::named_format() const {
  if (format_text_.empty()) return talk_.json ? std::optional(AnswerFormat::json) : std::nullopt;
  const auto format = answer_format(format_text_);
  if (!format) {
    return fail(ErrorCode::usage, "--format",
                fmt::format("unknown format {}; {}", in_quotes(format_text_),
                            suggestion(format_text_, answer_format_names())));
  }
  if (!talk_.json || *format == AnswerFormat::json) return format;
  return fail(ErrorCode::usage, "--format",
              fmt::format("found {} together with --json, expected only one of them",
                          in_quotes(format_text_)));
}

Status AnswerOptions::begin(Console& console) {
  talk_.apply(console);
  HOLDFAST_TRY(named, named_format());
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

Status AnswerOptions::deliver(Answer answer, Console& console, const std::string& note) const {
  if (answer.is_no) console.answer_no();
  const std::string* text = answer.document.string();
  HOLDFAST_CHECK(text != nullptr ? check_text(*text) : check_document());
  for (const std::string& warning : answer.warnings) console.warn(warning);
  if (!note.empty()) console.note(note);
  if (!schedule_.empty()) HOLDFAST_CHECK(deliver_schedules(answer, console));
  if (text != nullptr) {
    if (!output_.empty()) return write_file(*text, format_of_text(*text), console);
    console.out() << *text;
    return {};
  }
  const AnswerFormat format = form_.is_instance ? AnswerFormat::json : format_;
  tell_problem(answer);
  if (format == AnswerFormat::json || !output_.empty()) make_finite(answer.document, console);
  if (!output_.empty()) {
    HOLDFAST_CHECK(write_file(text_of(answer, file_format_), file_format_, console));
    if (form_.is_instance && !talk_.json) return {};
  }
  print_text(answer, format, console);
  return {};
}

Status AnswerOptions::check_document() const {
  if (!form_.is_instance || output_.empty() || file_format_ == AnswerFormat::json) return {};
  return fail(ErrorCode::usage, "--output",
              fmt::format("found {}, expected a name that ends in .json: an instance is a "
                          "JSON document",
                          in_quotes(output_)));
}

Status AnswerOptions::check_text(const std::string& text) const {
  if (talk_.json) {
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
