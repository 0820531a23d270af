#pragma once

#include "holdfast/base/descriptor.hpp"
#include "holdfast/base/error.hpp"

#include <filesystem>

namespace holdfast::field {

/// Makes a pipe with a name, again. It is held open at both ends, so that a reader who goes is no end.
[[nodiscard]] Result<Descriptor> make_pipe(const std::filesystem::path& path);

}  // namespace holdfast::field
