#pragma once

#include "holdfast/base/descriptor.hpp"
#include "holdfast/base/error.hpp"

#include <filesystem>

namespace holdfast::field {

/// Makes a named pipe, replacing an existing one. The descriptor holds both ends open, so that the pipe does not end when
/// another process closes it.
[[nodiscard]] Result<Descriptor> make_pipe(const std::filesystem::path& path);

}  // namespace holdfast::field
