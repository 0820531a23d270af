#pragma once

#include <string>

namespace holdfast {

/// Returns a description of this machine for reports, without the name of the host: "2 x AMD EPYC 7B12, Linux x86_64".
[[nodiscard]] std::string machine_text();

}  // namespace holdfast
