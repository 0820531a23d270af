// One libFuzzer target per row of the table of formats, in one program:
//
//   reader_fuzz --list                     the targets, one a line
//   reader_fuzz --target=swf FOLDER ...    libFuzzer's own options and folders follow (it skips what begins with --)
//
// A target reads its input as its format; the target `recognised` reads it as what it looks like, packed or not.
#include "holdfast/traces/capacity/service_share.hpp"
#include "holdfast/traces/formats.hpp"

#include "fuzz/promises.hpp"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast::fuzz {
namespace {

constexpr std::string_view kRecognised = "recognised";
constexpr std::string_view kOption = "--target=";

std::string_view target = kRecognised;

void check_service(const Result<CapacitySeries>& series) {
  if (series) check(*series);
}

void read_as(const Format& format, OpenTrace trace) {
  if (format.read_failures != nullptr) {
    const auto log = format.read_failures(std::move(trace.lines), {});
    if (!log) return;
    check(*log);
    check_service(service_of(*log));
  } else if (format.read_lifetimes != nullptr) {
    const auto table = format.read_lifetimes(std::move(trace.lines));
    if (table) check(table->lifetimes);
  } else if (format.read_workflow != nullptr) {
    if (const auto run = format.read_workflow(std::move(trace.lines))) check(*run);
  } else if (format.read_availability != nullptr) {
    const auto record = format.read_availability(std::move(trace.lines), {});
    if (!record) return;
    check(*record);
    check_service(service_of(*record));
  } else if (format.read_jobs != nullptr) {
    JobLog log;
    auto facts = format.read_jobs(std::move(trace.lines),
                                  [&](const LoggedJob& job) { log.jobs.push_back(job); });
    if (!facts) return;
    log.facts = std::move(*facts);
    check(log);
  } else if (format.read_capacity != nullptr) {
    const auto series =
        format.read_capacity(std::move(trace.lines), {.column = "*", .time_unit = 1.0});
    if (series) check(*series);
  } else if (format.read_speedup != nullptr) {
    if (const auto runs = format.read_speedup(std::move(trace.lines))) check(*runs);
  } else if (format.read_machines != nullptr) {
    if (const auto table = format.read_machines(std::move(trace.lines))) check(*table);
  } else if (format.read_io != nullptr) {
    if (const auto logs = format.read_io(std::move(trace.lines))) check(*logs);
  } else {
    promise(false, "the fuzzer knows how to read every row of the table: add its kind here");
  }
}

void list_targets() {
  for (const Format& format : formats()) std::printf("%s\n", std::string(format.name).c_str());
  std::printf("%s\n", std::string(kRecognised).c_str());
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
  const bool is_named = fuzz::target != fuzz::kRecognised;
  const auto open = [&] {
    return open_trace(open_text(text), "input", is_named ? fuzz::target : std::string_view());
  };
  auto trace = open();
  if (!trace) return 0;
  const Format& format = *trace->format;
  fuzz::read_as(format, std::move(*trace));
  if (format.read_service != nullptr) {
    fuzz::check_service(format.read_service(std::move(open()->lines)));
  }
  return 0;
}
