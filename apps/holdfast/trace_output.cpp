#include "holdfast/trace_output.hpp"

#include "holdfast/answers/output_file.hpp"
#include "holdfast/console.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <ostream>
#include <utility>

namespace holdfast::cli {

TraceOutput::TraceOutput(CLI::App& command) {
  command
      .add_option("-o,--output", file_,
                  "where to write it, packed if .gz or .zst (default: standard output)")
      ->type_name("FILE")
      ->group("Output");
  command.add_flag("--force", force_, "replace a file that exists")->group("Output");
}

Status TraceOutput::write(const TraceRecords& records, const Format& format, Oddities lost,
                          Console& console) const {
  const auto deliver = [&](const TextSink& sink) -> Status {
    HOLDFAST_TRY(more, write_records(records, format, sink));
    for (const Oddity& oddity : more.list()) lost.add(oddity.what, oddity.count, oddity.action);
    return {};
  };
  if (file_.empty() || file_ == "-") {
    HOLDFAST_CHECK(deliver([&](std::string_view part) -> Status {
      if (console.out() << part) return {};
      return fail(ErrorCode::io_failure, "standard output", "cannot be written");
    }));
  } else {
    HOLDFAST_CHECK(check_overwrite(file_, force_));
    OutputFile file(file_);
    HOLDFAST_CHECK(deliver([&](std::string_view part) { return file.write(part); }));
    HOLDFAST_CHECK(file.finish());
    console.note(fmt::format("wrote {} ({})", file_, format.name));
  }
  for (const Oddity& oddity : lost.list()) {
    console.warn(fmt::format("{} ({}): {}", oddity.what, oddity.count, oddity.action));
  }
  return {};
}

std::string writable_names() {
  std::string names;
  for (const Format& format : formats()) {
    if (is_writable(format)) names += (names.empty() ? "" : ", ") + std::string(format.name);
  }
  return names;
}

void detail_oddities(const TraceRecords& records, Console& console) {
  for (const Oddity& oddity : oddities_in(records).list()) {
    console.detail(fmt::format("{} ({}): {}", oddity.what, oddity.count, oddity.action));
  }
}

}  // namespace holdfast::cli
