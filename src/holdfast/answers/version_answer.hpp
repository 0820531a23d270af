#pragma once

#include "holdfast/base/value.hpp"

#include <string_view>

namespace holdfast {

/// Returns the commit of git from which this program was built, shortened; empty if that is not known.
[[nodiscard]] std::string_view built_commit();

/// Returns the version of this program and how it was built: `holdfast --version --json`, a document of kind "version".
[[nodiscard]] Value version_document();

}  // namespace holdfast
