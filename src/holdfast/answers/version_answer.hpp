#pragma once

#include "holdfast/base/value.hpp"

namespace holdfast {

/// Returns the version of this program and how it was built: `holdfast --version --json`, a document of kind "version".
[[nodiscard]] Value version_document();

}  // namespace holdfast
