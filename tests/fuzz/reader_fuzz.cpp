// One libFuzzer target per row of the table of formats, in one program:
//
//   reader_fuzz --list                     the targets, one a line
//   reader_fuzz --target=swf FOLDER ...    libFuzzer's own options and folders follow (it skips what begins with --)
//
// A target reads its input as its format; the target `recognised` reads it as what it looks like, packed or not, and `table` as a table of
// the kind that its first line names, with what the line says about columns, units, rows, dates and header: "failures|node=1,down=2||||none".
#include "holdfast/base/text.hpp"
#include "holdfast/traces/availability/outage_history.hpp"
#include "holdfast/traces/formats.hpp"

#include "fuzz/promises.hpp"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace holdfast::fuzz {
namespace {

constexpr std::string_view kRecognised = "recognised";
constexpr std::string_view kTable = "table";
constexpr std::string_view kOption = "--target=";

std::string_view target = kRecognised;

void check_service(const Result<CapacitySeries>& series) {
  if (series) check(*series);
}

/// Reads the file as that format and checks what its records promise, and the share in service that follows from them.
template <class Record>
void read_as(const FormatOf<Record>& format, TraceText lines) {
  const auto records = format.read_all(std::move(lines),
                                       {.system = {}, .series = {.column = "*", .time_unit = 1.0}});
  if (!records) return;
  check(*records);
  if constexpr (requires(const Record& record) { service_of(record); }) {
    check_service(service_of(*records));
  }
}

/// Reads the share in service where the format tells it apart from its records.
template <class Record>
void read_service_as(const FormatOf<Record>& format, TraceText lines) {
  if constexpr (requires { format.read_service; }) {
    if (format.read_service != nullptr) check_service(format.read_service(std::move(lines)));
  }
}

void list_targets() {
  for (const Format& format : formats()) std::printf("%s\n", std::string(format.name).c_str());
  std::printf("%s\n%s\n", std::string(kRecognised).c_str(), std::string(kTable).c_str());
}

/// Takes the first line off a text, and returns what it says about the rest.
ReadAs take_question(std::string& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  auto parts = split(std::string_view(text).substr(0, end), '|');
  parts.resize(6);
  ReadAs out(parts[0]);
  out.table = {.columns = std::string(parts[1]),
               .column_unit = std::string(parts[2]),
               .where = std::string(parts[3]),
               .dates = std::string(parts[4]),
               .header = std::string(parts[5])};
  text.erase(0, std::min(end + 1, text.size()));
  return out;
}

}  // namespace
}  // namespace holdfast::fuzz

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  using namespace holdfast::fuzz;
  for (int i = 1; i < *argc; ++i) {
    const std::string_view argument = (*argv)[i];
    if (argument == "--list") {
      list_targets();
      std::exit(0);
    }
    if (argument.starts_with(kOption)) target = argument.substr(kOption.size());
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace holdfast;
  std::string text(reinterpret_cast<const char*>(data), size);
  ReadAs as(fuzz::target == fuzz::kRecognised ? std::string_view() : fuzz::target);
  if (fuzz::target == fuzz::kTable) as = fuzz::take_question(text);
  const auto open = [&] { return open_trace(open_text(text), "input", as); };
  auto trace = open();
  if (!trace) return 0;
  std::visit(
      [&](const auto& format) {
        fuzz::read_as(format, std::move(trace->lines));
        fuzz::read_service_as(format, std::move(open()->lines));
      },
      trace->format->of);
  return 0;
}
