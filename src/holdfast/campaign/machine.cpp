#include "holdfast/campaign/machine.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>

namespace holdfast {
namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const auto colon = line.find(':');
    if (colon != std::string::npos)
      return std::string(trim(std::string_view(line).substr(colon + 1)));
  }
  return "processor";
}

}  // namespace

std::string machine_text() {
  utsname system{};
  if (uname(&system) != 0) return {};
  return fmt::format("{} x {}, {} {}", sysconf(_SC_NPROCESSORS_ONLN), processor_name(),
                     std::string_view(system.sysname), std::string_view(system.machine));
}

}  // namespace holdfast
