#pragma once

#include "holdfast/base/value.hpp"

namespace holdfast {

/// Returns what this program is and was built with: `holdfast --version --json`, a document of kind "version".
[[nodiscard]] Value version_document();

}  // namespace holdfast
