#pragma once

#include <string>

namespace holdfast {

/// The machine for people who read a report: "2 x AMD EPYC 7B12, Linux x86_64". No name of a host.
[[nodiscard]] std::string machine_text();

}  // namespace holdfast
